"""Keeps the Hub's servers and the portal's sessions together.

The Hub owns servers; a session has one from its start to its end. This asks the Hub for it, follows it
until the Hub says that it is reachable, and drops it when the session is over.
"""

from __future__ import annotations

import asyncio

import structlog

from portal.errors import HubUnavailable, PortalError
from portal.hub.client import HubClient
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import SessionStore
from portal.tasks import Tasks

log = structlog.get_logger()

FOLLOW_RETRY_S = 2.0


class HubLink:
    def __init__(self, hub: HubClient, store: SessionStore, tasks: Tasks) -> None:
        self._hub = hub
        self._store = store
        self._tasks = tasks
        self._followed: set[str] = set()
        self._starting: set[str] = set()

    def start(self, record: SessionRecord) -> None:
        """Ask the Hub for the session's server, in the background; the reconciler asks again if it fails."""
        if record.id not in self._starting:
            self._starting.add(record.id)
            self._tasks.start(self._start(record), name=f"hub-start-{record.id}")

    async def _start(self, record: SessionRecord) -> None:
        try:
            await self._hub.start_server(record.owner, record.server_name, record.id, record.name)
        except HubUnavailable as error:
            log.warning("hub.start_failed", session=record.id, error=error.message)
        finally:
            self._starting.discard(record.id)

    def follow(self, session_id: str) -> None:
        """Watch the Hub until the session's server is reachable, then call it ready."""
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
        if server is None:  # a Hub that was restarted meanwhile has forgotten it
            self.start(record)
        return server is not None and server.ready

    async def _ready(self, session_id: str) -> None:
        async with self._store.change(session_id) as draft:
            if draft.advance(SessionState.READY, "Ready to open."):
                draft.set(ready_at=draft.now)

    def drop(self, record: SessionRecord) -> None:
        """Let the Hub forget the server of a session that is over, in the background."""
        self._tasks.start(self._drop(record), name=f"hub-drop-{record.id}")

    async def _drop(self, record: SessionRecord) -> None:
        try:
            if await self._store.find_active(record.owner, record.server_name) is None:
                await self._hub.stop_server(record.owner, record.server_name)
        except HubUnavailable:
            pass  # the Hub's own poll finds out

    async def tend(self, record: SessionRecord) -> None:
        """Hand a session back to a Hub that has forgotten it, and go on following one that is starting."""
        if record.state == SessionState.STARTING and record.server_url is not None:
            self.follow(record.id)
        try:
            if await self._hub.server(record.owner, record.server_name) is None:
                log.info("hub.handed_back", session=record.id)
                self.start(record)
        except PortalError as error:
            log.warning("hub.tend_failed", session=record.id, error=error.message)
