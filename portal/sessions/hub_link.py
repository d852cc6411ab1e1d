"""Keeps the Hub's servers and the portal's sessions together.

The Hub owns servers; a session has one from start to end. This module requests the server, follows it until the Hub
reports it reachable, and drops it when the session has ended. Each step reads the row afresh, and checks it again once
the Hub has answered: a stop that overtakes a start always wins.
"""

from __future__ import annotations

import asyncio

import structlog

from portal.errors import HubUnavailable
from portal.hub.client import HubClient
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import SessionStore
from portal.sessions.view import ask_again
from portal.tasks import Tasks

log = structlog.get_logger()

FOLLOW_RETRY_S = 2.0
OVER = (SessionState.STOPPING, SessionState.ENDED)


class HubLink:
    def __init__(self, hub: HubClient, store: SessionStore, tasks: Tasks) -> None:
        self._hub = hub
        self._store = store
        self._tasks = tasks
        self._followed: set[str] = set()
        self._starting: set[str] = set()

    def start(self, session_id: str, *, anew: bool = False) -> None:
        """Request the session's server from the Hub, in the background. If that fails, the next comparison tries again.

        `anew`: first remove what the Hub has in its place.
        """
        if session_id not in self._starting:
            self._starting.add(session_id)
            self._tasks.start(self._start(session_id, anew=anew), name=f"hub-start-{session_id}")

    async def _start(self, session_id: str, *, anew: bool) -> None:
        try:
            record = await self._store.known(session_id)
            if record is None or record.state in OVER:
                return
            try:
                if anew:
                    await self._hub.stop_server(record.owner, record.server_name)
                ask = ask_again(record).model_dump(mode="json", exclude_none=True)
                await self._hub.start_server(record.owner, record.server_name, record.id, record.name, ask)
            except HubUnavailable as error:  # the Hub may have accepted it all the same
                log.warning("hub.start_failed", session=record.id, error=error.message)
            latest = await self._store.known(session_id)
        finally:
            self._starting.discard(session_id)
        if latest is None or latest.state == SessionState.ENDED:
            log.info("hub.start_undone", session=session_id)
            await self.drop_now(record.owner, record.server_name)

    def follow(self, session_id: str) -> None:
        """Follow the session's server until it is reachable, then mark the session ready."""
        if session_id not in self._followed:
            self._followed.add(session_id)
            self._tasks.start(self._follow(session_id), name=f"hub-follow-{session_id}")

    async def _follow(self, session_id: str) -> None:
        try:
            while (record := await self._store.get(session_id)).state == SessionState.STARTING:
                try:
                    if await self._reached(record):
                        await self._ready(session_id)
                        return
                except HubUnavailable as error:
                    log.warning("hub.follow_failed", session=session_id, error=error.message)
                await asyncio.sleep(FOLLOW_RETRY_S)
        finally:
            self._followed.discard(session_id)

    async def _reached(self, record: SessionRecord) -> bool:
        async for step in self._hub.progress(record.owner, record.server_name):
            if step.get("ready"):
                return True
            if step.get("failed"):
                return False
        server = await self._hub.server(record.owner, record.server_name)
        if server is None:  # a Hub that has restarted meanwhile has forgotten it
            self.start(record.id)
        return server is not None and server.ready

    async def _ready(self, session_id: str) -> None:
        async with self._store.change(session_id) as draft:
            if draft.advance(SessionState.READY, "Ready to open."):
                draft.set(ready_at=draft.now)
        if draft.changed:
            self._store.starts.add(draft.record)

    def drop(self, record: SessionRecord) -> None:
        """Have the Hub drop the server of an ended session, in the background."""
        self._tasks.start(self.drop_now(record.owner, record.server_name), name=f"hub-drop-{record.id}")

    async def drop_now(self, owner: str, server_name: str) -> None:
        """Have the Hub drop a server, unless a session has it by now. On failure, the next comparison tries again."""
        if await self._store.find_active(owner, server_name) is not None:
            return
        try:
            await self._hub.stop_server(owner, server_name)
        except HubUnavailable as error:
            log.warning("hub.drop_failed", user=owner, server=server_name, error=error.message)
