"""What the portal reports of this session, kept current while a page listens: one stream for all pages, no polling."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, AsyncGenerator

from .portal import Event, Portal, PortalUnavailable

FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 60.0
#: Proxies close a connection that is silent for longer; a page counts 45 s of silence as a lost connection.
PING_S = 20.0
BEHIND = 200
"""Frames that a page may leave unread; a page that is further behind reconnects."""


class Session:
    def __init__(self, portal: Portal, log: Any, **more: str) -> None:
        """`more`: what else the pages need to know about the server."""
        self.portal = portal
        self._more = more
        self._log = log
        self._pages: set[asyncio.Queue[str | None]] = set()
        self._latest: dict[str, str] = {}
        self._task: asyncio.Future[None] | None = None

    async def frames(self, page: asyncio.Queue[str | None]) -> AsyncGenerator[str, None]:
        """Yield server-sent events for one page, until None is put into its queue.

        `here` says where the portal is. `session` and `messages` contain the portal's own JSON. `away` is sent when the
        portal stops answering; `session` and `messages` follow again once it answers.
        """
        here = {
            "pages": self.portal.pages,
            "session": self.portal.session,
            "end_key": self.portal.end_key,
            **self._more,
        }
        page.put_nowait(_frame("here", json.dumps(here)))
        for kind, data in self._latest.items():
            page.put_nowait(_frame(kind, data))
        self._pages.add(page)
        if self._task is None:
            self._task = asyncio.ensure_future(self._follow())
        try:
            while True:
                try:
                    frame = await asyncio.wait_for(page.get(), PING_S)
                except asyncio.TimeoutError:
                    frame = ": ping\n\n"
                if frame is None:
                    return
                yield frame
        finally:
            self._pages.discard(page)
            if not self._pages:
                await self._stop()

    async def _stop(self) -> None:
        task, self._task = self._task, None
        self._latest.clear()
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _follow(self) -> None:
        wait = FIRST_WAIT_S
        while True:
            events = self.portal.events("/events")
            try:
                async for event in events:
                    wait = FIRST_WAIT_S
                    if event.kind == "here":  # changes from now on follow: nothing is missed in between
                        await self._read()
                    elif event.kind == "messages" or self._is_about_us(event):
                        self._tell(event.kind, event.data)
            except PortalUnavailable as error:
                self._log.debug("The portal does not answer: %s", error)
            finally:
                await events.aclose()
            self._tell("away", "{}")
            await asyncio.sleep(wait)
            wait = min(LONGEST_WAIT_S, wait * 2)

    async def _read(self) -> None:
        """Read what the stream will only report once it changes. Raises PortalUnavailable."""
        for kind, path in (("session", f"/sessions/{self.portal.session}"), ("messages", "/messages")):
            answer = await self.portal.call("GET", path)
            if answer.code != 200:
                raise PortalUnavailable(f"HTTP {answer.code}")
            self._tell(kind, answer.body.decode())

    def _is_about_us(self, event: Event) -> bool:
        return event.kind == "session" and json.loads(event.data).get("id") == self.portal.session

    def _tell(self, kind: str, data: str) -> None:
        if kind == "away":
            self._latest.clear()
        else:
            self._latest.pop("away", None)
        self._latest[kind] = data
        for page in self._pages:
            page.put_nowait(_frame(kind, data) if page.qsize() < BEHIND else None)


def _frame(kind: str, data: str) -> str:
    return f"event: {kind}\ndata: {data}\n\n"
