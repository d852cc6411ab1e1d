"""The gate before sessions that share a host, with real web servers and the real proxy: nobody but the owner passes.

The sessions here serve everybody, as a user's own code may: what keeps others out is the gate alone.
"""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import aiohttp
import httpx2
import pytest

from portal.auth import identity
from portal.check import hosts
from portal.check.findings import Mark
from portal.gate.target import Ambiguous, owner_of
from tests.demo_site import free_port
from tests.deployment.fronts import FRONTS, Front
from tests.deployment.gated import SOCKET, Hub, Session, World, portal_served, served, site
from tests.deployment.proxied import NODE, proxied, secrets

pytestmark = pytest.mark.slow
COOKIE = "__Host-portal-gate"
ALICES, BOBS = "/user/alice/lab", "/user/bob/lab"
PAGE = {"Sec-Fetch-Mode": "navigate", "Accept": "text/html"}


@pytest.fixture(scope="module", params=FRONTS)
def world(request: pytest.FixtureRequest, names: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("gate")
    sessions = {name: Session(name) for name in ("alice", "bob")}
    hub = Hub("")
    with ExitStack() as stack:
        applications = (hub.application(), *(session.application() for session in sessions.values()))
        hub_port, *ports = stack.enter_context(served(*applications))
        front = Front(folder, {name: free_port() for name in ("proxy", "proxy_api", "portal")})
        settings = site(front, secrets(folder), hub_port)
        hub.secret = settings.secrets.gate_token
        hub.tokens.update({settings.secrets.service_token: "portal", "alices-token": "alice", "bobs-token": "bob"})
        stack.enter_context(portal_served(settings))
        routes = stack.enter_context(proxied(settings, folder / "proxy.log"))
        for route, port in (("/", hub_port), ("/user/alice/lab", ports[0]), ("/user/bob/lab", ports[1])):
            routes.add(route, port)
        stack.enter_context(FRONTS[request.param](front))
        yield World(front, hub, sessions, settings)


@pytest.fixture(autouse=True)
def nothing_reached_yet(world: World) -> None:
    world.reached()


def browser(world: World, user: str) -> httpx2.Client:
    """A browser in which somebody is logged in at the Hub."""
    client = httpx2.Client(
        base_url=world.front.sessions_url, verify=world.front.tls, follow_redirects=True, headers=PAGE
    )
    client.cookies.set("hub-user", user, path="/hub/")
    return client


@pytest.fixture(scope="module")
def bobs_cookie(world: World) -> str:
    with browser(world, "bob") as bob:
        bob.get(BOBS)
        return f"{COOKIE}={bob.cookies[COOKIE]}"


def test_owner_is_led_through_the_login_and_back_to_the_very_page(world: World) -> None:
    with browser(world, "bob") as bob:
        page = bob.get(f"{BOBS}/tree/a%20b?x=%2F&y=1")
        assert page.text == "bob's session"
        assert str(page.url) == f"{world.front.sessions_url}{BOBS}/tree/a%20b?x=%2F&y=1"
        (cookie,) = [cookie for cookie in bob.cookies.jar if cookie.name == COOKIE]
        assert (cookie.secure, cookie.path, cookie.domain_specified) == (True, "/", False)
        assert cookie.has_nonstandard_attr("HttpOnly")
    assert world.reached() == ["bob"]


def test_link_to_another_users_session_gives_not_one_byte(world: World) -> None:
    with browser(world, "bob") as bob:
        bob.get(BOBS)
        world.reached()
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
            answer = bob.request(method, f"{ALICES}/page")
            assert (answer.status_code, "alice's" in answer.text) == (403, False)
        assert str(bob.get(f"{ALICES}/page").url) == f"{world.front.sessions_url}{ALICES}/page", "and leads nowhere"
    assert world.reached() == []


def test_stranger_is_led_to_the_login_only_with_a_page(world: World) -> None:
    page = world.raw(f"{ALICES}/x?y=1", **PAGE)
    location = urlsplit(page.headers["Location"])
    assert (page.status, location.path) == (302, "/services/portal/gate/login")
    assert parse_qs(location.query) == {"next": [f"{ALICES}/x?y=1"]}
    assert world.raw(f"{ALICES}/x", **{"Sec-Fetch-Mode": "cors"}).status == 403
    assert world.raw(f"{ALICES}/x", method="POST", **PAGE).status == 403
    assert world.raw(f"{ALICES}/x", **SOCKET).status == 403
    assert world.reached() == []


def test_websocket_passes_for_its_owner_and_for_nobody_else(world: World, bobs_cookie: str) -> None:
    assert world.raw(f"{ALICES}/socket", Cookie=bobs_cookie, **SOCKET).status == 403
    assert world.raw(f"{ALICES}/socket", Authorization="token bobs-token", **SOCKET).status == 403
    assert world.reached() == []
    assert world.raw(f"{BOBS}/socket", Cookie=bobs_cookie, **SOCKET).status == 101
    assert world.reached() == ["bob"]


async def test_websocket_carries_messages_both_ways(world: World, bobs_cookie: str) -> None:
    async with (
        aiohttp.ClientSession(headers={"Cookie": bobs_cookie}) as web,
        web.ws_connect(f"{world.front.sessions_url}{BOBS}/socket", ssl=world.front.tls) as socket,
    ):
        for word in ("one", "two"):
            await socket.send_str(word)
            assert await socket.receive_str(timeout=10) == f"bob: {word}"


def test_session_gets_its_own_cookies_and_not_the_gates(world: World, bobs_cookie: str) -> None:
    state = f"{COOKIE}-state=x"
    for given, handed_on in (
        (f"_xsrf=1; {bobs_cookie}; {state}; mine=2", "_xsrf=1; mine=2"),
        (f"{bobs_cookie}; {bobs_cookie}", "portal-gate=passed"),
        (f"a=1;{bobs_cookie};b=2", "a=1; b=2"),
    ):
        for more in ({}, SOCKET):
            world.raw(f"{BOBS}/x", Cookie=given, **more)
            (asked,) = world.sessions["bob"].asked
            assert asked.headers.getall("Cookie") == [handed_on]
            assert bobs_cookie.partition("=")[2] not in str(asked.headers)
            world.reached()


def test_program_is_judged_by_its_token_which_the_session_gets(world: World, bobs_cookie: str) -> None:
    assert world.raw(f"{BOBS}/api", Authorization="token bobs-token").status == 200
    (asked,) = world.sessions["bob"].asked
    assert asked.headers["Authorization"] == "token bobs-token"
    for token in ("alices-token", "nobodys-token"):
        answer = world.raw(f"{BOBS}/api", Authorization=f"token {token}", Cookie=bobs_cookie, **PAGE)
        assert answer.status == 403, "The token decides, not the cookie beside it."
    assert world.reached() == ["bob"]


def test_ssh_passes_with_its_owners_token_alone(world: World) -> None:
    ssh = f"{BOBS}/.portal/ssh"
    asked_for = {**SOCKET, "Portal-Ssh-Key": "ssh-ed25519 AAAA"}
    for others in ({}, {"Authorization": "token alices-token"}, {"Authorization": "token nobodys-token"}):
        assert world.raw(ssh, **asked_for, **others).status == 403
    assert world.reached() == []
    assert world.raw(ssh, **asked_for, Authorization="token bobs-token").status == 101
    (asked,) = world.sessions["bob"].asked
    assert (asked.path, asked.headers["Portal-Ssh-Key"]) == (ssh, "ssh-ed25519 AAAA")
    assert asked.headers["Authorization"] == "token bobs-token"


def test_upload_passes_whole(world: World, bobs_cookie: str) -> None:
    answer = world.raw(f"{BOBS}/upload", method="PUT", body=b"x" * 3_000_000, Cookie=bobs_cookie)
    assert (answer.status, answer.headers["X-Bytes"]) == (200, "3000000")


def test_what_only_the_gate_says_is_not_taken_from_the_browser(world: World, bobs_cookie: str) -> None:
    forged = {"X-Forwarded-Uri": f"{BOBS}/x", "X-Forwarded-Method": "GET", "X-Gate-Cookie": "a=1"}
    assert world.raw(f"{ALICES}/x", Cookie=bobs_cookie, **forged).status == 403
    assert world.raw("/services/portal/gate/check", Cookie=bobs_cookie, **forged).status == 404
    assert world.reached() == []


FIRSTS = (
    "/",
    "//",
    "/x/",
    "/./",
    "/../",
    "/%2e/",
    "/%2f",
    "/%5c",
    "/\\",
    "//x/",
    "http://x/",
    "/;/",
    "/hub/../",
    "/?/",
)
USERS = ("user", "%75ser", "User", "us%65r", "user%2f", "user/", "user/.", "user/bob/..", "user/bob/%2e%2e", "user/%2e")
USERS += ("user/bob%2f..", "user/bob\\..", "user;", "user%5c", "user/bob/lab/../..", "user/bob/.%2E")
NAMES = ("alice", "%61lice", "Alice", "alice%2f", "%2falice", "/alice", "alice;x", "bob/../alice", "alice%00", "bob")
ODD = [f"{first}{user}/{name}/lab/x" for first, user, name in itertools.product(FIRSTS, USERS, NAMES)]


def test_no_way_of_writing_an_address_leads_to_another_users_session(world: World, bobs_cookie: str) -> None:
    for target in ODD[::3]:
        world.raw(target, Cookie=bobs_cookie)
        assert set(world.reached()) <= {"bob"}, target
    assert world.raw("/user/alice/lab/x", Authorization="token alices-token").status == 200
    assert world.reached() == ["alice"], "The same address reaches her where it may."


def test_gate_reads_addresses_as_the_proxy_does() -> None:
    """What it lets pass outside of /user/, and whose it takes a session to be, are so by the proxy's own functions."""
    script = """
        const targets = JSON.parse(require("fs").readFileSync(0));
        const path = (target) => decodeURIComponent(new URL(target, "http://example.com").pathname);
        const read = (target) => { try { return path(target) } catch { return null } };
        console.log(JSON.stringify(targets.map(read)));
    """
    done = subprocess.run([NODE, "-e", script], input=json.dumps(ODD), capture_output=True, text=True, check=True)
    judged = 0
    for target, path in zip(ODD, json.loads(done.stdout), strict=True):
        try:
            owner = owner_of(target)
        except Ambiguous:
            continue
        judged += 1
        parts = (path or "").strip("/").split("/")
        assert parts[0] != "user" if owner is None else parts[:1] == ["user"], target
        assert owner is None or f"{'/'.join(parts[1:])}/".startswith(f"{unquote(owner)}/"), target
    assert judged > 20


def test_logout_ends_it_within_a_minute(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert identity.FRESH_S <= 60
    with browser(world, "bob") as bob:
        assert bob.get(f"{BOBS}/x").text == "bob's session"
        monkeypatch.setattr(identity, "FRESH_S", 0.0)
        for token in [token for token, user in world.hub.tokens.items() if user == "bob" and token != "bobs-token"]:
            del world.hub.tokens[token]  # as the Hub does at a logout
        again = bob.get(f"{BOBS}/x", follow_redirects=False)
        assert (again.status_code, "gate/login" in again.headers["location"]) == (302, True)


def test_gates_cookie_and_token_are_worth_nothing_at_the_portal(world: World) -> None:
    with browser(world, "bob") as bob:
        bob.get(f"{BOBS}/x")
        value = bob.cookies[COOKIE]
    me = f"{world.front.portal_url}/services/portal/api/me"
    for name in (COOKIE, "portal-login", "__Host-portal-login"):
        assert httpx2.get(me, verify=world.front.tls, headers={"Cookie": f"{name}={value}"}).status_code == 401
    (token, *_) = [token for token, user in world.hub.tokens.items() if user == "bob" and token != "bobs-token"]
    answer = httpx2.get(me, verify=world.front.tls, headers={"Authorization": f"token {token}"})
    assert answer.status_code == 403, "The Hub gave it for the gate alone."


def test_login_that_another_browser_began_is_refused_and_leads_nowhere_else(world: World) -> None:
    """Or a link could log a visitor in as its author, whose sessions would then be let pass to them."""
    with browser(world, "alice") as alice:
        begun = alice.get("/services/portal/gate/login", follow_redirects=False)
        callback = alice.get(begun.headers["location"], follow_redirects=False).headers["location"]
    with browser(world, "bob") as bob:
        answer = bob.get(callback, follow_redirects=False)
        assert (answer.status_code, COOKIE in answer.cookies) == (403, False)
        for target in ("https://evil.example/", "//evil.example/user/bob/", "/\\evil.example", "/services/portal/", ""):
            bob.get("/services/portal/gate/login", params={"next": target}, follow_redirects=False)
            page = bob.get("/services/portal/gate/login", params={"next": target})
            assert urlsplit(str(page.url)).netloc == urlsplit(world.front.sessions_url).netloc
            assert page.url.path == "/"


@pytest.mark.parametrize("web_server", FRONTS.values(), ids=FRONTS)
def test_gate_that_does_not_answer_is_closed(
    web_server: Callable[[Front], AbstractContextManager[None]], names: None, tmp_path: Path
) -> None:
    session = Session("alice")
    with served(session.application()) as (port,):
        front = Front(tmp_path, {"proxy": port, "portal": free_port()})
        with web_server(front):
            answer = httpx2.get(f"{front.sessions_url}{ALICES}/x", verify=front.tls, headers=PAGE)
    assert answer.status_code >= 500
    assert session.asked == []


async def test_check_proves_the_gate(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(world.front.folder / "ca.pem"))
    findings = await hosts.hosts(world.settings)
    assert [finding.text for finding in findings if finding.mark is Mark.BAD] == []
    assert "nobody reaches a session without a login: the gate is closed" in [finding.text for finding in findings]
