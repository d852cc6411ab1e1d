"""Who reaches what when: an owner's share opens one place to one person, and nothing else, by request or websocket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from aiohttp import web

from agent.job.proxy import guests
from agent.job.proxy.guests import Guests, PortalAway, TooManyKeys
from agent.job.proxy.open_ports import OpenPorts
from tests.unit.agent.job.proxy.conftest import BASE, Make, World

PORTAL = "https://portal.example/services/portal/"
ORDERS: Any = {"base_url": BASE, "public_url": "http://alice.portal.example", "portal_url": PORTAL}
VISIT = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}
#: Every kind of address that a session has, and the place that it belongs to; None: no guest's, ever.
ADDRESSES = {
    "": "app",
    "data/runs": "app",
    "proxy-portal/": "app",
    "proxy-port/8501/": "8501",
    "proxy-port/absolute/8501/x": "8501",
    "proxy-port/8501": "8501",
    "proxy-port/8502/": "8502",
    "proxy-port/85011/": "85011",
    "proxy-port/": None,
    "proxy-port": None,
    ".portal/ssh": None,
    ".portal/session": None,
    ".portal": None,
    "oauth_callback": None,
}


KEY, WRONG = f"dsp-{'k' * 43}", f"dsp-{'w' * 43}"


@dataclass
class Portal:
    """Knows codes, logins and keys by heart, may be away, and counts what it is asked."""

    codes: dict[str, dict[str, Any]] = field(default_factory=dict)
    logins: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: dict[str, dict[str, Any]] = field(default_factory=dict)
    away: bool = False
    wait_s: float = 0.0
    asked: int = 0
    questions: list[Mapping[str, str]] = field(default_factory=list)

    def share(
        self, code: str, port: int | None, user: str = "bob", ends_in_s: float = 3600, mode: str | None = "use"
    ) -> None:
        login = f"login-{code}"
        self.codes[code] = {"user": user, "port": port, "ends_in_s": ends_in_s, "landing": "", "login": login}
        if mode is not None:
            self.codes[code]["mode"] = mode
        self.logins[login] = self.codes[code]

    def end(self, code: str) -> None:
        self.logins.pop(f"login-{code}")

    def __call__(self, question: Mapping[str, str]) -> Mapping[str, Any] | None:
        self.asked += 1
        self.questions.append(question)
        if self.away:
            raise PortalAway
        if self.wait_s and question.get("peer"):
            raise TooManyKeys(self.wait_s)
        if "key" in question:
            return self.keys.get(question["key"])
        return self.codes.pop(question["code"], None) if "code" in question else self.logins.get(question["login"])


class Ports(OpenPorts):
    """Ports whose program is the app of this test."""

    def __init__(self) -> None:
        class Own:
            FIRST_PORT = 1024

            def is_internal(self, port: int) -> bool:
                return False

            def connect(self, port: int, timeout_s: float) -> Any:
                raise ConnectionRefusedError

        orders: Any = {**ORDERS, "owner": "alice", "own_host": True}
        super().__init__(orders, Own())  # type: ignore[arg-type]


@contextmanager
def fresh(seconds: float) -> Iterator[None]:
    before, guests.FRESH_S = guests.FRESH_S, seconds
    try:
        yield
    finally:
        guests.FRESH_S = before


async def arrive(world: World, code: str) -> str:
    """Arrive as a browser does; return the cookie of the place."""
    first = await world.client.get(world.url + ".portal/guest?share=7", headers=VISIT, allow_redirects=False)
    where = urlsplit(first.headers["Location"])
    assert f"{where.scheme}://{where.netloc}{where.path}" == PORTAL + "shared/7"
    state = parse_qs(where.query)["state"][0]
    bound = first.headers["Set-Cookie"].partition(";")[0]
    back = f".portal/guest?code={code}&state={state}"
    second = await world.client.get(world.url + back, headers={"Cookie": bound}, allow_redirects=False)
    assert second.status == 302, await second.text()
    return second.headers.getall("Set-Cookie")[0].partition(";")[0]


async def status(world: World, path: str, headers: Mapping[str, str]) -> int:
    async with world.client.get(world.url + path, headers=headers, allow_redirects=False) as answer:
        return answer.status


async def socket_status(world: World, path: str, headers: Mapping[str, str]) -> int:
    try:
        async with world.client.ws_connect(world.url + path, headers=headers):
            return 101
    except aiohttp.WSServerHandshakeError as error:
        return error.status


async def echo(request: web.Request) -> web.StreamResponse:
    if request.headers.get("Upgrade") != "websocket":
        return web.Response(text="here")
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        await socket.send_str(message.data)
    return socket


def worlds(make: Make, portal: Portal, **more: Any) -> Any:
    return make(
        serve=echo, guests=Guests(ORDERS, portal), ports=Ports(), public_url="http://alice.portal.example", **more
    )


@pytest.mark.parametrize("when", ["open", "ended", "over"])
@pytest.mark.parametrize("shared", [None, 8501])
@pytest.mark.parametrize("path", ADDRESSES)
async def test_a_guest_reaches_the_shared_place_alone_and_while_it_is_shared(
    make: Make, path: str, shared: int | None, when: str
) -> None:
    portal = Portal()
    portal.share("c", shared, ends_in_s=0.3 if when == "over" else 3600)
    async with worlds(make, portal) as world:
        with fresh(0):
            cookie = {"Cookie": await arrive(world, "c")}
            if when == "ended":
                portal.end("c")
            elif when == "over":
                portal.away = True
                await asyncio.sleep(0.35)
            may = ADDRESSES[path] == ("app" if shared is None else str(shared)) and when == "open"
            # No program listens on the ports of this test: 503 means that a guest got as far as the port.
            expected = {200, 302, 503} if may else {403, 404}
            assert await status(world, path, cookie) in expected
            assert await socket_status(world, path, cookie) in ({101, 302, 503} if may else {403, 404})
            assert await socket_status(world, path, cookie | {"Origin": "http://evil.example"}) in (403, 404, 302)
            if not may:
                assert world.seen == []


@pytest.mark.parametrize("path", ADDRESSES)
async def test_others_stay_refused_while_something_is_shared(make: Make, path: str) -> None:
    portal = Portal()
    portal.share("c", None)
    async with worlds(make, portal) as world:
        guest = await arrive(world, "c")
        name, _, value = guest.partition("=")
        for headers in (
            {},
            {"Authorization": "token bobs"},
            {"Cookie": f"{name}=guessed"},
            {"Cookie": f"{name}-x={value}"},
            {"Cookie": f"{name.rpartition('-')[0]}-8501={value}"},
        ):
            assert await status(world, path, headers) in (403, 404)
            assert await socket_status(world, path, headers) in (403, 404)
        assert world.seen == []
        assert await status(world, "", {"Authorization": "token alices"}) == 200


async def test_what_a_guest_has_open_closes_when_the_share_ends_and_the_owners_stays(make: Make) -> None:
    portal = Portal()
    portal.share("c", None)
    async with worlds(make, portal, watch_s=0.05) as world:
        with fresh(0):
            cookie = {"Cookie": await arrive(world, "c")}
            owner = {"Authorization": "token alices"}
            async with (
                world.client.ws_connect(world.url + "socket", headers=cookie) as theirs,
                world.client.ws_connect(world.url + "socket", headers=owner) as ours,
            ):
                await theirs.send_str("hello")
                assert await theirs.receive_str(timeout=5) == "hello"
                portal.end("c")
                assert (await theirs.receive(timeout=5)).type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
                await ours.send_str("still here")
                assert await ours.receive_str(timeout=5) == "still here"


async def test_a_login_that_is_for_another_place_by_now_opens_neither(make: Make) -> None:
    portal = Portal()
    portal.share("c", 8501)
    async with worlds(make, portal) as world:
        with fresh(0):
            cookie = {"Cookie": await arrive(world, "c")}
            assert await status(world, "proxy-port/8501/", cookie) == 503
            portal.logins["login-c"] = portal.logins["login-c"] | {"port": 8502}
            assert await status(world, "proxy-port/8501/", cookie) == 403
            assert await status(world, "proxy-port/8502/", cookie) == 403


async def test_a_portal_that_is_away_keeps_a_guest_for_a_while_and_admits_no_new_one(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    portal = Portal()
    portal.share("c", None)
    portal.share("d", None)
    async with worlds(make, portal) as world:
        with fresh(0):
            cookie = {"Cookie": await arrive(world, "c")}
            portal.away = True
            assert await status(world, "", cookie) == 200
            with pytest.raises(AssertionError, match="does not answer"):
                await arrive(world, "d")
            monkeypatch.setattr(guests, "STALE_S", 0.0)
            assert await status(world, "", cookie) == 403


async def test_a_code_works_once_and_in_its_own_browser_alone(make: Make) -> None:
    portal = Portal()
    portal.share("c", None)
    async with worlds(make, portal) as world:
        assert await status(world, ".portal/guest?code=c&state=", {}) == 403
        assert await status(world, ".portal/guest?code=c&state=x", {"Cookie": "portal-guest-x-state=x"}) == 403
        assert portal.asked == 0
        await arrive(world, "c")
        with pytest.raises(AssertionError, match="used before"):
            await arrive(world, "c")


async def test_a_browser_that_was_a_guest_is_told_and_can_log_in_as_the_owner(make: Make) -> None:
    portal = Portal()
    portal.share("c", None)
    async with worlds(make, portal) as world:
        with fresh(0):
            cookie = await arrive(world, "c")
            portal.end("c")
            gone = await world.client.get(world.url, headers={"Cookie": cookie, **VISIT}, allow_redirects=False)
            assert (gone.status, "no longer have access" in await gone.text()) == (403, True)
            assert gone.headers["Set-Cookie"].startswith(cookie.partition("=")[0] + "=;")
            assert "Max-Age=0" in gone.headers["Set-Cookie"]
            again = await world.client.get(world.url, headers=VISIT, allow_redirects=False)
            assert again.headers["Location"].startswith("/hub/api/oauth2/authorize")


async def test_the_app_hears_that_a_request_is_a_guests_from_the_proxy_alone(make: Make) -> None:
    portal = Portal()
    portal.share("c", None)
    async with worlds(make, portal) as world:
        cookie = {"Cookie": await arrive(world, "c")}
        for headers in (cookie, cookie | {"X-Portal-Guest": ""}, cookie | {"X-Portal-Guest": "alice"}):
            assert await status(world, "", headers) == 200
            assert world.seen[-1].headers.getall("X-Portal-Guest") == ["bob"]
        assert await socket_status(world, "", cookie) == 101
        assert world.seen[-1].headers.getall("X-Portal-Guest") == ["bob"]
        async with world.get(headers={"X-Portal-Guest": "bob"}) as answer:
            assert answer.status == 200
        assert "X-Portal-Guest" not in world.seen[-1].headers


@pytest.mark.parametrize(("said", "mode"), [("look", "look"), ("use", "use"), (None, "look"), ("all", "look")])
async def test_the_app_hears_what_a_guest_may_do_from_the_portal_alone(make: Make, said: str | None, mode: str) -> None:
    portal = Portal()
    portal.share("c", None, mode=said)
    async with worlds(make, portal) as world:
        cookie = {"Cookie": await arrive(world, "c")}
        for headers in (cookie, cookie | {"X-Portal-Guest-Mode": "use"}, cookie | {"x-portal-guest-mode": ""}):
            assert await status(world, "", headers) == 200
            assert world.seen[-1].headers.getall("X-Portal-Guest-Mode") == [mode]
        async with world.get(headers={"X-Portal-Guest-Mode": "use"}) as answer:
            assert answer.status == 200
        assert "X-Portal-Guest-Mode" not in world.seen[-1].headers


async def test_a_guest_whose_share_changes_to_looking_has_to_come_again(make: Make) -> None:
    portal = Portal()
    portal.share("c", None, mode="use")
    async with worlds(make, portal, watch_s=0.05) as world:
        with fresh(0):
            cookie = {"Cookie": await arrive(world, "c")}
            async with world.client.ws_connect(world.url + "socket", headers=cookie) as theirs:
                portal.share("c", None, mode="look")
                assert (await theirs.receive(10)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
            assert await status(world, "", cookie) == 403


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def key_to(port: int | None) -> dict[str, Any]:
    return {"user": "key:7", "port": port, "mode": "use", "ends_in_s": 3600, "landing": "", "login": ""}


@pytest.mark.parametrize("shared", [None, 8501])
@pytest.mark.parametrize("path", ADDRESSES)
async def test_a_key_opens_its_place_alone_until_it_ends(make: Make, path: str, shared: int | None) -> None:
    portal = Portal(keys={KEY: key_to(shared)})
    async with worlds(make, portal) as world:
        with fresh(0):
            may = ADDRESSES[path] == ("app" if shared is None else str(shared))
            assert await status(world, path, bearer(KEY)) in ({200, 302, 503} if may else {403, 404})
            assert await socket_status(world, path, bearer(KEY)) in ({101, 302, 503} if may else {403, 404})
            assert await status(world, path, bearer(WRONG)) in (403, 404)
            assert all("authorization" not in request.headers for request in world.seen)
            portal.keys.clear()
            assert await status(world, path, bearer(KEY)) in (403, 404)


async def test_a_key_that_is_none_costs_one_question_and_the_hub_none(make: Make) -> None:
    portal = Portal()
    async with worlds(make, portal) as world:
        before = world.hub.asked
        statuses = await asyncio.gather(*(status(world, "", bearer(WRONG)) for _ in range(8)))
        assert set(statuses) == {403}
        assert portal.asked == 1
        assert world.hub.asked == before
        assert await status(world, "", {"Authorization": "token alices"}) == 200


async def test_a_key_that_nobody_can_check_is_not_called_wrong(make: Make) -> None:
    portal = Portal(keys={KEY: key_to(None)}, away=True)
    async with worlds(make, portal) as world:
        with fresh(0):
            async with world.client.get(world.url, headers=bearer(KEY)) as answer:
                assert (answer.status, answer.headers["Retry-After"]) == (503, "60")
                assert "The portal does not answer" in await answer.text()
            portal.away = False
            assert await status(world, "", bearer(KEY)) == 200
            portal.away = True  # once known, it stays so for a while
            assert await status(world, "", bearer(KEY)) == 200


async def test_a_wrong_key_counts_once_for_its_sender(make: Make) -> None:
    portal = Portal()
    async with worlds(make, portal) as world:
        with fresh(0):
            for _ in range(3):
                assert await status(world, "", bearer(WRONG) | {"X-Forwarded-For": "192.0.2.7"}) == 403
    assert portal.questions == [
        {"key": WRONG, "peer": "127.0.0.1", "forwarded": "192.0.2.7"},
        {"key": WRONG},
        {"key": WRONG},
    ]


async def test_after_too_many_wrong_keys_new_ones_wait_and_those_in_use_do_not(make: Make) -> None:
    portal = Portal(keys={KEY: key_to(None)})
    async with worlds(make, portal) as world:
        with fresh(0):
            assert await status(world, "", bearer(KEY)) == 200
            portal.wait_s = 41.7
            async with world.client.get(world.url, headers=bearer(WRONG)) as answer:
                assert (answer.status, answer.headers["Retry-After"]) == (429, "42")
                assert "Too many wrong keys came from your address. Try again in a minute." in await answer.text()
            assert await socket_status(world, "socket", bearer(WRONG)) == 429
            assert await status(world, "", bearer(KEY)) == 200
            assert await status(world, "", {"Authorization": "token alices"}) == 200


async def test_what_a_key_has_open_closes_when_it_ends(make: Make) -> None:
    portal = Portal(keys={KEY: key_to(None)})
    async with worlds(make, portal, watch_s=0.05) as world:
        with fresh(0):
            async with world.client.ws_connect(world.url + "socket", headers=bearer(KEY)) as theirs:
                await theirs.send_str("hello")
                assert await theirs.receive_str(timeout=5) == "hello"
                portal.keys.clear()
                assert (await theirs.receive(timeout=5)).type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
