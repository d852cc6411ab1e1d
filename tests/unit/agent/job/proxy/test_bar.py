"""The session's line in an app's page: its routes are the owner's alone, and a page gets it without harm to the app."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.unit.agent.job.proxy.conftest import BASE, Make

SCRIPT = f'\n<script type="module" src="{BASE}.portal/frame.js"></script>\n'
VISIT = {"Sec-Fetch-Dest": "document", "Accept-Encoding": "gzip"}
SESSION = {"id": "abc", "node": "n1"}


class AnyPortal:
    """A portal with one session, whose stream goes on until the test ends."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[tuple[str, str, str, str]] = []
        self.streams = 0

    async def events(self, request: web.Request) -> web.StreamResponse:
        self.streams += 1
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(b"event: here\ndata: {}\n\n")
        try:
            await asyncio.Event().wait()
        finally:
            self.streams -= 1
        return answer

    async def call(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path, request.headers["Authorization"], await request.text()))
        return web.json_response(SESSION if "/sessions/" in request.path else {"items": []})


@pytest.fixture
async def portal() -> AsyncIterator[AnyPortal]:
    here = AnyPortal()
    app = web.Application()
    app.router.add_get("/api/events", here.events)
    app.router.add_route("*", "/api/{path:.*}", here.call)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    here.url = f"http://127.0.0.1:{runner.addresses[0][1]}/api"
    yield here
    await runner.cleanup()


def orders(portal: AnyPortal | None = None, *, in_pages: bool = False) -> dict[str, Any]:
    return {
        "session": "abc",
        "owner": "alice",
        "api": portal.url if portal else "http://127.0.0.1:9/api",
        "pages": "https://portal.example/services/portal",
        "end_key": "key",
        "in_pages": in_pages,
    }


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def frame_of(content: aiohttp.StreamReader) -> tuple[str, Any]:
    kind, data = (await asyncio.wait_for(content.readuntil(b"\n\n"), 10)).decode().strip().split("\n")
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def test_the_owner_follows_the_session_on_one_stream_that_is_no_use_of_the_app(
    make: Make, portal: AnyPortal
) -> None:
    async with make(bar=orders(portal)) as world:
        async with world.get(".portal/portal/session/events") as one, world.get(".portal/portal/session/events") as two:
            for answer in (one, two):
                assert answer.headers["Content-Type"] == "text/event-stream"
                kinds = dict([await frame_of(answer.content) for _ in range(3)])
                assert kinds["here"]["session"] == "abc"
                assert kinds["session"] == SESSION
            assert portal.streams == 1
            assert (world.proxy.open, world.proxy.last_used, world.seen) == (0, None, [])
        await until(lambda: portal.streams == 0)


async def test_these_calls_reach_the_portal_with_the_sessions_token_and_no_other(make: Make, portal: AnyPortal) -> None:
    async with make(bar=orders(portal)) as world:
        calls = f"{world.url}.portal/portal/session"
        owner = {"Authorization": "token alices"}
        for method, path, status in (
            ("PUT", "/time-limit", 200),
            ("DELETE", "/messages/7", 200),
            ("POST", "/snooze", 200),
            ("GET", "/usage", 200),
            ("DELETE", "", 404),
            ("DELETE", "/messages/../../x", 404),
            ("POST", "/time-limit", 404),
            ("GET", "/documents", 404),
        ):
            async with world.client.request(method, calls + path, headers=owner, data=b"{}") as answer:
                assert answer.status == status, (method, path)
        assert portal.asked == [
            ("PUT", "/api/sessions/abc/time-limit", "token the-servers", "{}"),
            ("DELETE", "/api/messages/7", "token the-servers", ""),
            ("POST", "/api/sessions/abc/snooze", "token the-servers", ""),
            ("GET", "/api/sessions/abc/usage", "token the-servers", ""),
        ]
        async with world.client.put(f"{calls}/time-limit", headers=owner, data=b"x" * 2000) as answer:
            assert answer.status == 413
        foreign = owner | {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        async with world.client.put(f"{calls}/time-limit", headers=foreign, data=b"{}") as answer:
            assert answer.status == 403
        assert len(portal.asked) == 4


async def test_a_guest_of_the_app_finds_nothing_of_the_line(make: Make, portal: AnyPortal) -> None:
    """`access:servers` is what a share gives, too."""
    async with make(page, bar=orders(portal, in_pages=True)) as world:
        for path in ("bar", "frame.js", "portal/session/events", "portal/session/time-limit"):
            async with world.get(f".portal/{path}", token="admins") as answer:
                assert answer.status == 404, path
        async with world.get(token="admins", headers=VISIT) as answer:
            assert await answer.text() == "<p>Hello</p>"
        async with world.get(".portal/bar", token="nobodys") as answer:
            assert answer.status == 403
    assert portal.asked == []


async def test_a_portal_that_is_away_is_said_to_be(make: Make) -> None:
    async with make(bar=orders()) as world:
        async with world.get(".portal/portal/session/time-limit") as answer:
            assert answer.status == 503
            assert "does not answer" in (await answer.json())["error"]["message"]
        async with world.get(".portal/portal/session/events") as answer:
            assert [(await frame_of(answer.content))[0] for _ in range(2)] == ["here", "away"]


async def test_the_frame_may_load_its_own_scripts_and_ask_the_portal_how_the_session_ended(make: Make) -> None:
    async with make(bar=orders()) as world:
        async with world.get(".portal/bar") as answer:
            policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self' https://portal.example;" in policy
        assert "frame-ancestors 'self'" in policy
        for name in ("main.js", "frame.js", "link.js", "bar.css"):
            async with world.get(f".portal/{name}") as answer:
                assert answer.status == 200, name
        for name in ("gate.py", "secret.js", "bar.css.map"):
            async with world.get(f".portal/{name}") as answer:
                assert answer.status in (403, 404), name


async def page(request: web.Request) -> web.StreamResponse:
    """Pages of an app: of a known length, in chunks, compressed if asked to, and what is no page."""
    kind = request.path.rpartition("/")[2]
    if kind == "chunks":
        answer = web.StreamResponse(headers={"Content-Type": "text/html"})
        answer.enable_chunked_encoding()
        await answer.prepare(request)
        for piece in (b"<p>Hel", b"lo</p>"):
            await answer.write(piece)
        return answer
    if kind == "data":
        return web.json_response({})
    whole = web.Response(text="<p>Hello</p>", content_type="text/html", status=404 if kind == "missing" else 200)
    if kind == "stubborn":
        whole.enable_compression(web.ContentCoding.gzip)
    else:
        whole.enable_compression()  # as the request allows
    return whole


@pytest.mark.parametrize("path", ["", "chunks"])
async def test_a_page_that_its_owner_opens_gets_the_line(make: Make, path: str) -> None:
    async with make(page, bar=orders(in_pages=True)) as world:
        for _ in range(2):  # on one connection
            async with world.get(path, headers=VISIT) as answer:
                assert await answer.text() == "<p>Hello</p>" + SCRIPT
        assert {seen.headers["Accept-Encoding"] for seen in world.seen} == {"identity"}


async def test_nothing_else_is_changed(make: Make) -> None:
    async with make(page, bar=orders(in_pages=True)) as world:
        for path, headers in (
            ("", {"Sec-Fetch-Dest": "iframe"}),
            ("", {"Sec-Fetch-Dest": "empty"}),
            ("", {}),
            ("data", VISIT),
            ("missing", VISIT),
            ("stubborn", VISIT),
        ):
            async with world.get(path, headers=headers) as answer:
                assert "script" not in await answer.text(), (path, headers)
        async with world.client.head(world.url, headers=VISIT | {"Authorization": "token alices"}) as answer:
            assert answer.status == 200
    async with make(page, bar=orders(in_pages=False)) as world, world.get(headers=VISIT) as answer:
        assert await answer.text() == "<p>Hello</p>"
