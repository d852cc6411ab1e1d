"""What JupyterLab's server tells its pages of the session: from one stream of the portal, only while a page listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from agent.lab import portal as talk
from agent.lab import session as sessions
from agent.lab.portal import Portal, PortalUnavailable
from agent.lab.session import Session

LOG = SimpleNamespace(debug=lambda *_: None)


class Events(RequestHandler):
    async def get(self) -> None:
        here: SimpleNamespace = self.settings["here"]
        here.logins.append(self.request.headers["Authorization"])
        here.streams += 1
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        here.open.append(self._lines)
        self.write("event: site\ndata: {}\n\nevent: here\ndata: {}\n\n")
        await self.flush()
        while (line := await self._lines.get()) is not None:
            self.write(line)
            await self.flush()

    def on_connection_close(self) -> None:
        self._lines.put_nowait(None)
        self.settings["here"].closed += 1


class Answers(RequestHandler):
    def _answer(self, *_: str) -> None:
        here: SimpleNamespace = self.settings["here"]
        here.asked.append((self.request.method, self.request.path, self.request.body))
        self.set_status(here.status)
        self.finish(json.dumps(here.session if "sessions" in self.request.path else {"items": here.messages}))

    get = put = delete = _answer


@pytest.fixture
async def here() -> AsyncIterator[SimpleNamespace]:
    """A portal that says what the test tells it to."""
    here = SimpleNamespace(
        logins=[], asked=[], open=[], streams=0, closed=0, status=200, messages=[], session={"id": "abc", "node": "n1"}
    )
    server = HTTPServer(Application([("/api/events", Events), ("/api/(.*)", Answers)], here=here))
    listener, port = bind_unused_port()
    server.add_sockets([listener])
    here.portal = Portal(f"http://127.0.0.1:{port}/api", "https://portal.example.org/p", "abc", "hush", "end")
    yield here
    for lines in here.open:
        lines.put_nowait(None)
    server.stop()
    await server.close_all_connections()


class Page:
    def __init__(self, session: Session) -> None:
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._frames = session.frames(self.queue)

    async def next(self) -> tuple[str, Any]:
        frame = await asyncio.wait_for(self._frames.__anext__(), 60)
        if frame.startswith(":"):
            return ":", None
        kind, data = frame.rstrip("\n").split("\n")
        return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))

    async def close(self) -> None:
        await self._frames.aclose()


def event(kind: str, data: object) -> bytes:
    return f"id: 7-8\nevent: {kind}\ndata: {json.dumps(data)}\n\n".encode()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def test_pages_hear_of_their_session_and_messages_and_of_nothing_else(here: SimpleNamespace) -> None:
    page = Page(Session(here.portal, LOG))
    assert await page.next() == (
        "here",
        {"pages": "https://portal.example.org/p", "session": "abc", "end_key": "end"},
    )
    assert await page.next() == ("session", {"id": "abc", "node": "n1"})
    assert await page.next() == ("messages", {"items": []})
    [lines] = here.open
    lines.put_nowait(event("jobs", {"id": "abc"}))
    lines.put_nowait(event("session", {"id": "other"}))
    lines.put_nowait(event("session", {"id": "abc", "node": "n2"})[:20])
    lines.put_nowait(event("session", {"id": "abc", "node": "n2"})[20:])
    lines.put_nowait(event("messages", {"items": [{"id": 1}]}))
    assert await page.next() == ("session", {"id": "abc", "node": "n2"})
    assert await page.next() == ("messages", {"items": [{"id": 1}]})
    assert here.logins == ["token hush"]
    await page.close()


async def test_many_pages_share_one_stream_which_ends_with_the_last(here: SimpleNamespace) -> None:
    session = Session(here.portal, LOG)
    first, second = Page(session), Page(session)
    for _ in range(3):
        await first.next()
    assert [kind for kind, _ in [await second.next() for _ in range(3)]] == ["here", "session", "messages"]
    assert here.streams == 1
    here.open[0].put_nowait(event("session", {"id": "abc", "node": "n9"}))
    assert (await first.next())[1] == {"id": "abc", "node": "n9"}
    await first.close()
    assert (await second.next())[1] == {"id": "abc", "node": "n9"}
    assert here.closed == 0
    await second.close()
    await until(lambda: here.closed == 1)


async def test_pages_hear_that_the_portal_is_away_and_when_it_is_back(
    here: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "FIRST_WAIT_S", 0.01)
    page = Page(Session(here.portal, LOG))
    for _ in range(3):
        await page.next()
    here.open[0].put_nowait(None)
    assert await page.next() == ("away", {})
    assert [(await page.next())[0] for _ in range(2)] == ["session", "messages"]
    here.status = 500
    here.open[1].put_nowait(None)
    assert await page.next() == ("away", {})
    assert await page.next() == ("away", {})  # an error is no news of the session
    await page.close()


async def test_a_silent_portal_counts_as_away(here: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    async def listen() -> None:
        async for event in here.portal.events("/events"):
            heard.append(event.kind)
            if event.kind == "here":  # the last; a busy machine may take its time until then
                monkeypatch.setattr(talk, "SILENCE_S", 0.05)

    with pytest.raises(PortalUnavailable, match="TimeoutError"):
        await listen()
    assert heard == ["site", "here"]
    await until(lambda: here.closed == 1)


async def test_a_page_that_reads_nothing_is_let_go_and_hears_a_ping_if_there_is_no_news(
    here: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "BEHIND", 3)
    page = Page(Session(here.portal, LOG))
    for _ in range(3):
        await page.next()
    monkeypatch.setattr(sessions, "PING_S", 0.05)
    assert await page.next() == (":", None)
    for number in range(9):
        here.open[0].put_nowait(event("session", {"id": "abc", "node": number}))
    await until(lambda: page.queue.qsize() > 3)
    assert [(await page.next())[1]["node"] for _ in range(3)] == [0, 1, 2]
    with pytest.raises(StopAsyncIteration):
        await page.next()


async def test_calls_carry_the_token_and_bring_the_answer_as_it_is(here: SimpleNamespace) -> None:
    here.status = 403
    answer = await here.portal.call("PUT", "/sessions/abc/time-limit", b'{"walltime_s": 60}')
    assert (answer.code, json.loads(answer.body)) == (403, here.session)
    assert here.asked == [("PUT", "/api/sessions/abc/time-limit", b'{"walltime_s": 60}')]
    with pytest.raises(PortalUnavailable):
        await here.portal._replace(api="http://127.0.0.1:9").call("GET", "/messages")


def test_a_jupyter_without_the_portals_variables_has_no_portal() -> None:
    known = {"PORTAL_API": "a", "PORTAL_PAGES": "b", "PORTAL_SESSION": "c", "JUPYTERHUB_API_TOKEN": "d"}
    assert Portal.here(known) == Portal("a", "b", "c", "d")
    for name in known:
        assert Portal.here({**known, name: ""}) is None
