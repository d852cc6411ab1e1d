"""Who gets through the proxy, and how a browser logs in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from aiohttp import web

from agent.job.proxy.gate import FRESH_S, STALE_S, Gate, LoginFailed, Refused
from agent.job.proxy.hub import HubAway, HubUser
from tests.unit.agent.job.proxy.conftest import BASE, Make, World

VISIT = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}


async def websocket_status(world: World, **headers: str) -> int:
    try:
        async with world.client.ws_connect(world.url + "socket", headers=headers):
            return 101
    except aiohttp.WSServerHandshakeError as error:
        return error.status


@pytest.mark.parametrize("authorization", ["", "token wrong", "token bobs", "Basic YWxpY2U6YWxpY2U="])
async def test_a_stranger_gets_nothing_by_request_and_websocket(make: Make, authorization: str) -> None:
    async with make() as world:
        headers = {"Authorization": authorization} if authorization else {}
        async with world.client.get(world.url, headers=headers, allow_redirects=False) as answer:
            assert answer.status == 403
        async with world.client.post(world.url, headers=headers) as answer:
            assert answer.status == 403
        assert await websocket_status(world, **headers) == 403
        assert world.seen == []


@pytest.mark.parametrize("token", ["alices", "admins"])
async def test_whom_the_scopes_let_in_gets_through(make: Make, token: str) -> None:
    async with make() as world, world.get(token=token) as answer:
        assert answer.status == 200


async def test_a_visit_leads_to_the_login_and_back(make: Make) -> None:
    async with make(user_header="X-User") as world:
        async with world.client.get(world.url + "runs?tag=a", headers=VISIT, allow_redirects=False) as answer:
            assert answer.status == 302
            login = urlsplit(answer.headers["Location"])
            state_cookie = answer.headers["Set-Cookie"].partition(";")[0]
            assert {"Path=/user/alice/x/", "HttpOnly", "SameSite=Lax", "Secure"} <= set(
                answer.headers["Set-Cookie"].split("; ")
            )
        asked = {name: values[0] for name, values in parse_qs(login.query).items()}
        assert login.path == "/hub/api/oauth2/authorize"
        assert (asked["client_id"], asked["code_challenge_method"]) == ("jupyterhub-user-alice-x", "S256")
        world.hub.challenges["42"] = asked["code_challenge"]
        back = f"oauth_callback?code=42&state={asked['state']}"
        async with world.client.get(
            world.url + back, headers={"Cookie": state_cookie}, allow_redirects=False
        ) as answer:
            assert (answer.status, answer.headers["Location"]) == (302, f"{BASE}runs?tag=a")
            cookie = answer.headers.getall("Set-Cookie")[0].partition(";")[0]
        async with world.client.get(world.url, headers={"Cookie": cookie}) as answer:
            assert answer.status == 200
            assert ["X-User", "alice"] in (await answer.json())["headers"]
        assert await websocket_status(world, Cookie=cookie, Origin="https://portal.example") != 403
        assert await websocket_status(world, Cookie=cookie, Origin="http://evil.example") == 403


@pytest.mark.parametrize("wrong", ["state", "cookie", "code", "error"])
async def test_a_login_that_is_not_this_browsers_own_is_refused(make: Make, wrong: str) -> None:
    async with make() as world:
        async with world.client.get(world.url, headers=VISIT, allow_redirects=False) as answer:
            asked = parse_qs(urlsplit(answer.headers["Location"]).query)
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        world.hub.challenges["42"] = asked["code_challenge"][0] if wrong != "code" else "another"
        state = asked["state"][0] if wrong != "state" else asked["state"][0][:-1] + "A"
        query = "error=access_denied" if wrong == "error" else f"code=42&state={state}"
        cookie = cookie if wrong != "cookie" else cookie[:-4] + "xxxx"
        async with world.client.get(
            f"{world.url}oauth_callback?{query}", headers={"Cookie": cookie}, allow_redirects=False
        ) as answer:
            assert answer.status == 403
            assert "Not logged in" in await answer.text()
            assert "Set-Cookie" not in answer.headers


async def test_a_login_never_leads_out_of_the_session(make: Make) -> None:
    async with make() as world:
        path = f"{world.url}//evil.example/x"
        async with world.client.get(path, headers=VISIT, allow_redirects=False) as answer:
            state = parse_qs(urlsplit(answer.headers["Location"]).query)["state"][0]
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            challenge = parse_qs(urlsplit(answer.headers["Location"]).query)["code_challenge"][0]
        world.hub.challenges["42"] = challenge
        async with world.client.get(
            f"{world.url}oauth_callback?code=42&state={state}", headers={"Cookie": cookie}, allow_redirects=False
        ) as answer:
            assert answer.headers["Location"].startswith(BASE)


async def test_a_script_of_a_page_is_refused_and_not_sent_to_the_login(make: Make) -> None:
    async with make() as world:
        for headers in ({"Sec-Fetch-Mode": "cors", "Accept": "text/html"}, {"Accept": "application/json"}):
            async with world.client.get(world.url, headers=headers, allow_redirects=False) as answer:
                assert answer.status == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_write_from_another_sites_page_is_refused(make: Make, method: str) -> None:
    async with make() as world:
        for origin, status in (("http://evil.example", 403), ("null", 403), ("https://portal.example", 200)):
            headers = {"Authorization": "token alices", "Origin": origin}
            async with world.client.request(method, world.url, headers=headers) as answer:
                assert answer.status == status


async def test_only_pages_of_the_sessions_own_host_use_it(make: Make) -> None:
    """Whatever a request calls the host: who sends it decides that, and the browser alone says from where it comes."""
    async with make(public_url="https://alice.hub.example", own_host=True) as world:
        for origin, status in (
            ("https://alice.hub.example", 200),
            ("https://bob.hub.example", 403),
            ("https://hub.example", 403),
            (world.url.removesuffix(BASE), 403),
        ):
            headers = {"Authorization": "token alices", "Origin": origin}
            async with world.client.post(world.url, headers=headers) as answer:
                assert answer.status == status, origin
            assert (await websocket_status(world, **headers) == 403) is (status == 403), origin


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
async def test_what_pages_of_other_hosts_ask_for_never_reaches_the_app(make: Make, site: str) -> None:
    """Even to read: a request may do something, and an app may allow everybody to read the answer."""
    token = {"Authorization": "token alices"}
    async with make() as world:
        for mode in ("no-cors", "cors", "websocket"):
            headers = token | {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
            async with world.client.get(world.url, headers=headers) as answer:
                assert answer.status == 403, mode
        assert world.seen == []
        visit = token | {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
        async with world.client.get(world.url, headers=visit) as answer:
            assert answer.status == 200, "A link from elsewhere."
            assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]


async def test_login_has_cookies_that_no_other_host_can_set_where_the_host_is_the_owners(make: Make) -> None:
    async with make(own_host=True) as world:
        visit = {"Accept": "text/html"}
        async with world.client.get(world.url, headers=visit, allow_redirects=False) as answer:
            cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Host-portal-login-")
        assert {"Path=/", "Secure"} <= set(cookie.split("; "))


@pytest.mark.parametrize("by", ["token", "login"])
@pytest.mark.parametrize("kind", ["websocket", "stream"])
async def test_what_goes_on_for_long_ends_once_its_login_is_over(
    make: Make, monkeypatch: Any, by: str, kind: str
) -> None:
    async def serve(request: web.Request) -> web.StreamResponse:
        if kind == "websocket":
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.receive()
            return socket
        answer = web.StreamResponse()
        await answer.prepare(request)
        await answer.write(b"begun")
        await asyncio.sleep(60)
        return answer

    monkeypatch.setattr("agent.job.proxy.gate.FRESH_S", 0.2)
    async with make(serve, watch_s=0.05) as world:
        headers = {"Authorization": "token alices"} if by == "token" else await log_in(world)
        async with opened(world, kind, headers) as ended:
            await asyncio.sleep(0.6)
            assert not ended.done()
            world.hub.away = True
            world.hub.users.clear()
            await asyncio.sleep(0.6)
            assert not ended.done(), "a Hub that does not answer says nothing of who may"
            world.hub.away = False
            await asyncio.wait_for(ended, 10)
        assert world.proxy.open == 0


async def test_the_hub_is_asked_once_for_all_that_come_together(make: Make) -> None:
    async with make() as world:
        answers = await asyncio.gather(*(status_of(world) for _ in range(20)))
        assert (answers, world.hub.asked) == ([200] * 20, 1)


async def status_of(world: World) -> int:
    async with world.get() as answer:
        return answer.status


async def log_in(world: World) -> dict[str, str]:
    """The cookie of a browser that has logged in."""
    async with world.client.get(world.url, headers=VISIT, allow_redirects=False) as answer:
        asked = parse_qs(urlsplit(answer.headers["Location"]).query)
        state_cookie = answer.headers["Set-Cookie"].partition(";")[0]
    world.hub.challenges["42"] = asked["code_challenge"][0]
    back = f"{world.url}oauth_callback?code=42&state={asked['state'][0]}"
    async with world.client.get(back, headers={"Cookie": state_cookie}, allow_redirects=False) as answer:
        return {"Cookie": answer.headers.getall("Set-Cookie")[0].partition(";")[0]}


@asynccontextmanager
async def opened(world: World, kind: str, headers: dict[str, str]) -> AsyncIterator[asyncio.Task[None]]:
    """Something that goes on for long; the task is done when it has ended."""

    async def until_the_end(body: aiohttp.StreamReader) -> None:
        with suppress(aiohttp.ClientError):
            await body.read()

    async with AsyncExitStack() as stack:
        if kind == "websocket":
            socket = await stack.enter_async_context(world.client.ws_connect(world.url, headers=headers))
            ended = asyncio.ensure_future(_closed(socket))
        else:
            answer = await stack.enter_async_context(world.client.get(world.url, headers=headers))
            assert await answer.content.read(5) == b"begun"
            ended = asyncio.ensure_future(until_the_end(answer.content))
        yield ended


async def _closed(socket: aiohttp.ClientWebSocketResponse) -> None:
    message = await socket.receive()
    assert message.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR, aiohttp.WSMsgType.CLOSE), message


class FakeHub:
    """A Hub's client that the test steers."""

    client_id, callback, authorize_url = "c", "/cb", "/hub/authorize"
    access_scopes = frozenset({"access:servers!server=alice/x"})

    def __init__(self) -> None:
        self.user: HubUser | None = HubUser("alice", self.access_scopes)
        self.away = False

    def whose(self, token: str) -> HubUser | None:
        if self.away:
            raise HubAway
        return self.user


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def gate(hub: FakeHub, clock: Clock) -> Gate:
    return Gate(hub, base_url=BASE, secure=False, now=clock)  # type: ignore[arg-type]  # steered by hand


def test_a_logout_counts_within_half_a_minute() -> None:
    hub, clock = FakeHub(), Clock()
    guard = gate(hub, clock)
    assert guard.who("token t", {}) == "alice"
    hub.user = None
    clock.now += FRESH_S - 1
    assert guard.who("token t", {}) == "alice"
    clock.now += 2
    assert guard.who("token t", {}) is None


def test_while_the_hub_is_away_who_was_known_stays_known_for_a_while_and_nobody_else_gets_in() -> None:
    hub, clock = FakeHub(), Clock()
    guard = gate(hub, clock)
    guard.who("token t", {})
    hub.away = True
    clock.now += STALE_S - 1
    assert guard.who("token t", {}) == "alice"
    with pytest.raises(HubAway):
        guard.who("token other", {})
    clock.now += 2
    with pytest.raises(HubAway):
        guard.who("token t", {})


def test_a_user_without_the_scope_is_refused_by_name() -> None:
    hub = FakeHub()
    hub.user = HubUser("bob", frozenset({"access:servers!user=bob", "access:services"}))
    with pytest.raises(Refused, match="bob"):
        gate(hub, Clock()).who("token t", {})


def test_a_login_that_took_too_long_is_refused() -> None:
    clock = Clock()
    guard = gate(FakeHub(), clock)
    start = guard.start(BASE)
    state = parse_qs(urlsplit(start.location).query)["state"][0]
    nonce = start.cookie.partition(";")[0].partition("=")[2]
    clock.now += 601
    with pytest.raises(LoginFailed, match="has expired"):
        guard.finish(f"code=1&state={state}", {guard.state_cookie_name: nonce})
