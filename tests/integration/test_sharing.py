"""Apps and ports of sessions that their owner shares: who gets in, to what, and until when, on the real system."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2
import pytest

from tests.demo_site import DemoSite
from tests.events import write_events
from tests.integration.test_ports import SMALL, answers, at, bring, closed, serve_in_terminal
from tests.integration.test_ssh import UPGRADE
from tests.person import Live, Person
from tests.security.logins import log_out
from tests.security.test_other_people import handshake

LAB_PORT, LAB_OTHER_PORT, SHELL_PORT, OTHER_PORT = 8531, 8534, 8532, 8533
CLONE = Path(__file__).parents[2]
UNKNOWN_KEY = f"dsp-{'k' * 43}"
VISIT = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}
#: docs/explanation/security.md: within a minute; in fact within 20 s.
CLOSED_WITHIN_S = 60


@pytest.fixture(scope="module")
def alice(person: Callable[[str], Person]) -> Person:
    return person("alice")


@pytest.fixture(scope="module")
def terminal(kept_site: DemoSite, alice: Person) -> Live:
    bring(kept_site, "alice")
    live = alice.open("terminal", name="shell", resources=SMALL)
    live.until("ready")
    for port in (SHELL_PORT, OTHER_PORT):
        serve_in_terminal(live, port)
        answers(live, port)
    return live


@pytest.fixture(scope="module")
def lab(kept_site: DemoSite, alice: Person) -> Live:
    bring(kept_site, "alice")
    live = alice.ready("lab", **SMALL)
    kernel = live.kernel()
    for port in (LAB_PORT, LAB_OTHER_PORT):
        start = f"import subprocess; subprocess.Popen(['python', 'port_app.py', '{port}', 'alice']); print('up')"
        assert "up" in kernel.run(start)
        answers(live, port)
    return live


@pytest.fixture(scope="module")
def board(kept_site: DemoSite, alice: Person) -> Live:
    write_events(kept_site, "alice", "runs/first", "loss")
    live = alice.open("tensorboard", {"folder": "~/runs"}, name="board", resources=SMALL)
    live.until("ready")
    return live


def share(live: Live, **ask: Any) -> int:
    answer = live.owner.api("POST", f"/sessions/{live.id}/shares", json=ask)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["items"][-1]["id"])


@contextmanager
def shared(live: Live, **ask: Any) -> Iterator[int]:
    made = share(live, **ask)
    try:
        yield made
    finally:
        live.owner.api("DELETE", f"/sessions/{live.id}/shares/{made}")


@contextmanager
def key_to(live: Live, **ask: Any) -> Iterator[str]:
    """Share with a key, which ends afterwards."""
    answer = live.owner.api("POST", f"/sessions/{live.id}/shares", json=ask | {"key": "a test"})
    assert answer.status_code == 200, answer.text
    made = answer.json()["items"][-1]
    try:
        yield made["key"]
    finally:
        live.owner.api("DELETE", f"/sessions/{live.id}/shares/{made['id']}")


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def csrf_of(browser: httpx2.Client) -> dict[str, str]:
    browser.get("/services/portal/login").raise_for_status()
    csrf = browser.get("/services/portal/api/me").raise_for_status().json()["csrf_token"]
    return {"X-CSRF-Token": csrf}


def open_share(browser: httpx2.Client, made: int) -> httpx2.Response:
    """Open a share as the portal's page does: to the session's host, back with its state, and in with a code."""
    csrf, path = csrf_of(browser), f"/services/portal/api/shares/{made}/open"
    answer = browser.post(path, json={}, headers=csrf)
    if answer.status_code != 200:
        return answer
    first = browser.get(httpx2.URL(answer.json()["location"]), headers=VISIT, follow_redirects=False)
    state = first.headers["location"].partition("state=")[2]
    assert f"/shared/{made}?" in first.headers["location"]
    second = browser.post(path, json={"state": state}, headers=csrf).raise_for_status().json()["location"]
    return browser.get(httpx2.URL(second), headers=VISIT)


def cookies(browser: httpx2.Client, path: str) -> dict[str, str]:
    pairs = [f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar if path.startswith(cookie.path)]
    return {"Cookie": "; ".join(pairs)}


@dataclass(frozen=True)
class Place:
    """An address for requests, None if there is none, and one for websockets."""

    page: str | None
    socket: str
    headers: Mapping[str, str] = field(default_factory=dict)


def reaches(site: DemoSite, place: Place, headers: Mapping[str, str]) -> bool:
    """Return whether requests and websockets get through; both do, or neither."""
    asked = {**place.headers, **headers}

    def statuses() -> tuple[int, int] | None:
        """Return the answers to a websocket and a request; None while the proxy reports a lost connection."""
        socket = handshake(site.at(place.socket).replace("http", "ws", 1), asked)
        page = socket
        if place.page is not None:
            page = httpx2.get(site.at(place.page), headers=asked, follow_redirects=False).status_code
        return None if 503 in (socket, page) else (socket, page)

    socket, page = site.wait_for(statuses, f"an answer at {place.socket}", 10) or (0, 0)
    assert place.page is None or (socket == 101) == (page == 200), (place, socket, page)
    return socket == 101


def places(live: Live) -> dict[str, Place]:
    """Return the addresses of a session by what they are."""
    base = f"{urlsplit(live.url).path.removesuffix('lab')}"
    is_lab = live.now()["app"] == "jupyterlab"
    port, other = (LAB_PORT, LAB_OTHER_PORT) if is_lab else (SHELL_PORT, OTHER_PORT)
    absolute = at(live, port, form="absolute/")
    return {
        "the shared port": Place(at(live, port), at(live, port, "echo")),
        "the shared port under its absolute address": Place(absolute, f"{absolute}echo"),
        "another port of the session": Place(at(live, other), at(live, other, "echo")),
        "the app beside it: Jupyter with its files, or a terminal": (
            Place(f"{base}api/contents", f"{base}api/events/subscribe") if is_lab else Place(base, f"{base}shells/1")
        ),
        "SSH into the session": Place(None, f"{base}.portal/ssh", {"Portal-Ssh-Key": UPGRADE["Portal-Ssh-Key"]}),
    }


def documented() -> list[list[str]]:
    """Return the cells of the table in docs/explanation/security.md."""
    section = (CLONE / "docs/explanation/security.md").read_text().partition("\n## Sharing\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("where", ["lab", "terminal"])
@pytest.mark.parametrize("with_whom", ["user", "group", "key"])
def test_who_reaches_what_and_when_is_what_the_documentation_says(
    request: pytest.FixtureRequest, person: Callable[[str], Person], alice: Person, where: str, with_whom: str
) -> None:
    live: Live = request.getfixturevalue(where)
    site, port = live.site, LAB_PORT if where == "lab" else SHELL_PORT
    common, stranger = a_group_of_bobs_and_a_stranger(person)
    theirs = places(live)

    def columns(guest: Mapping[str, str]) -> list[tuple[bool, bool, bool]]:
        """Return for each place whether its owner, the guest, and anybody else reaches it."""
        others = [{}, *(token_of(person, name) for name in ("bob", stranger, "admin"))]
        return [
            (
                reaches(site, place, token_of(person, "alice")),
                reaches(site, place, guest),
                any(reaches(site, place, who) for who in others),
            )
            for place in theirs.values()
        ]

    before = columns(bearer(UNKNOWN_KEY) if with_whom == "key" else token_of(person, "bob"))
    if with_whom == "key":
        with key_to(live, port=port, hours=1) as key:
            guest = bearer(key)
            seen = httpx2.get(site.at(at(live, port)), headers=guest).json()
            during = columns(guest)
    else:
        ask = {"users": ["bob"]} if with_whom == "user" else {"groups": [common]}
        with (
            shared(live, port=port, hours=1, **ask) as made,
            site.browser("bob") as bob,
            site.browser(stranger) as other,
        ):
            seen = open_share(bob, made).json()
            assert open_share(other, made).status_code == 404
            guest = cookies(bob, at(live, port))
            during = columns(guest)
    assert seen["who"] == "alice"
    assert not {"cookie", "authorization"} & {name.lower() for name in seen["headers"]}
    echo = site.at(theirs["the shared port"].socket).replace("http", "ws", 1)
    assert site.wait_for(lambda: handshake(echo, guest) == 403, "the share to be over", 20)
    after = columns(guest)

    def words(reached: bool) -> str:
        return "yes" if reached else "no"

    table = [
        [name, words(one[0] and two[0] and three[0]), words(one[1]), words(two[1]), words(three[1]),
         words(one[2] or two[2] or three[2])]
        for name, one, two, three in zip(theirs, before, during, after, strict=True)
    ]  # fmt: skip
    assert table == documented()


def a_group_of_bobs_and_a_stranger(person: Callable[[str], Person]) -> tuple[str, str]:
    """Return a group that alice and bob are in, and a user who is not."""
    groups = {name: set(person(name).api("GET", "/me").json()["groups"]) for name in ("alice", "bob", "carol", "dave")}
    for group in sorted(groups["alice"] & groups["bob"]):
        for name in ("carol", "dave"):
            if group not in groups[name]:
                return group, name
    raise AssertionError(groups)


def token_of(person: Callable[[str], Person], name: str) -> dict[str, str]:
    return {"Authorization": f"token {person(name).token}"}


def test_an_app_that_may_be_shared_opens_to_its_guest_alone(board: Live, person: Callable[[str], Person]) -> None:
    site, base = board.site, urlsplit(board.url).path
    with shared(board, users=["bob"], hours=1) as made, site.browser("bob") as bob:
        page = open_share(bob, made)
        assert (page.status_code, "TensorBoard" in page.text) == (200, True)
        assert bob.get(f"{base}data/environment").status_code == 200
        for path in ("proxy-port/8531/", ".portal/ssh", ".portal/session"):
            assert bob.get(base + path, headers=VISIT).status_code in (403, 404)
        listed = bob.get("/services/portal/api/shares").json()["items"]
        assert [(item["owner"], item["session"]) for item in listed] == [("alice", "board")]
        assert person("carol").api("GET", "/shares").json()["items"] == []


def test_a_terminal_a_lab_and_other_peoples_sessions_are_not_shared(
    lab: Live, terminal: Live, person: Callable[[str], Person]
) -> None:
    for live in (lab, terminal):
        refused = live.owner.api("POST", f"/sessions/{live.id}/shares", json={"users": ["bob"]})
        assert (refused.status_code, "cannot be shared as a whole" in refused.text) == (403, True)
        for who, status in (("bob", 404), ("admin", 403)):
            ask = {"users": ["carol"], "port": SHELL_PORT}
            assert person(who).api("POST", f"/sessions/{live.id}/shares", json=ask).status_code == status


@pytest.mark.parametrize("where", ["lab", "terminal"])
@pytest.mark.parametrize("how", ["unshared", "logged out", "key ended"])
def test_what_a_guest_has_open_closes_soon(request: pytest.FixtureRequest, where: str, how: str) -> None:
    live: Live = request.getfixturevalue(where)
    site, port = live.site, LAB_PORT if where == "lab" else SHELL_PORT
    path = at(live, port)
    url = site.at(path + "echo").replace("http", "ws", 1)

    async def show() -> None:
        async with aiohttp.ClientSession() as session:
            theirs = await session.ws_connect(url, headers=guest)
            ours = await session.ws_connect(url, headers={"Authorization": f"token {live.owner.token}"})
            await theirs.send_str("hello")
            assert await theirs.receive_str(timeout=20) == "hello"
            if how == "logged out":
                log_out(bob)
            else:
                listed = live.owner.api("GET", f"/sessions/{live.id}/shares").json()["items"]
                assert [item["key"] for item in listed] == [""]
                ended = live.owner.api("DELETE", f"/sessions/{live.id}/shares/{listed[0]['id']}")
                assert ended.status_code == 204
            await asyncio.wait_for(closed(theirs), CLOSED_WITHIN_S)
            await ours.send_str("still here")
            assert await ours.receive_str(timeout=20) == "still here"

    with ExitStack() as stack:
        if how == "key ended":
            guest = bearer(stack.enter_context(key_to(live, port=port, hours=1)))
        else:
            made = stack.enter_context(shared(live, port=port, users=["bob"], hours=1))
            bob = stack.enter_context(site.browser("bob"))
            open_share(bob, made)
            guest = cookies(bob, path)
        asyncio.run(show())
        assert not reaches(site, Place(path, f"{path}echo"), guest)


def test_shares_and_accesses_are_in_the_audit(terminal: Live, person: Callable[[str], Person]) -> None:
    with shared(terminal, port=SHELL_PORT, users=["carol"], hours=1) as made, terminal.site.browser("carol") as carol:
        open_share(carol, made)
    entries = person("admin").api("GET", "/audit", params={"target": terminal.id, "limit": 50}).json()["items"]
    of_this = [
        (entry["actor"], entry["action"])
        for entry in entries
        if entry["detail"].get("share") == made or entry["detail"].get("users") == ["carol"]
    ]
    for expected in (
        ("alice", "share.start"),
        ("carol", "share.open"),
        ("carol", "share.access"),
        ("alice", "share.end"),
    ):
        assert expected in of_this


def test_a_share_ends_with_its_session(kept_site: DemoSite, alice: Person) -> None:
    live = alice.open("terminal", name="short", resources=SMALL)
    live.until("ready")
    serve_in_terminal(live, SHELL_PORT + 10)
    answers(live, SHELL_PORT + 10)
    made = share(live, port=SHELL_PORT + 10, users=["bob"])
    with kept_site.browser("bob") as bob:
        assert open_share(bob, made).status_code == 200
        live.stop()
        live.ended()
        assert open_share(bob, made).status_code == 404
        assert bob.get("/services/portal/api/shares").json()["items"] == []
