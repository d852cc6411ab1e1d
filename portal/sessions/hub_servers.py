"""Compares the Hub's servers with the sessions, in both directions, at intervals.

One listing serves all, so the number of calls does not grow with the sessions. If the Hub does not answer, or its list
is incomplete, nothing is concluded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta

import structlog

from portal.errors import HubUnavailable
from portal.hub.client import HubClient, HubServer
from portal.loops import every, pause
from portal.sessions.hub_link import OVER, HubLink
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import SessionStore

log = structlog.get_logger()

COMPARE_EVERY_S = 15.0
#: Stopped servers are listed by user, not by server, so they are read less often while none is to be dropped.
STOPPED_EVERY = timedelta(seconds=30)
#: How long a stopped server stays, so that its user can read why it did not start.
STOPPED_GRACE = timedelta(seconds=COMPARE_EVERY_S)
#: A session younger than this is still being handed to the Hub by its creator.
SETTLED = timedelta(seconds=COMPARE_EVERY_S)
AT_ONCE = 10

Key = tuple[str, str]
Servers = Mapping[Key, HubServer]


class HubServers:
    def __init__(
        self,
        *,
        hub: HubClient,
        store: SessionStore,
        link: HubLink,
        may_live: Callable[[str], Awaitable[bool]],
        now: Callable[[], datetime],
        steady: Callable[[], datetime],
    ) -> None:
        """`may_live` says whether a session without an active row may still have a job."""
        self._hub = hub
        self._store = store
        self.link = link
        self._may_live = may_live
        self._now = now
        self._steady = steady
        self._listed_stopped_at: datetime | None = None
        self._idle_since: dict[Key, datetime] = {}
        self._unwanted = False  # at the last comparison: what the Hub did not drop then may be a stopped server by now

    async def run(self) -> None:
        """Compare forever."""
        await pause(COMPARE_EVERY_S)
        await every(COMPARE_EVERY_S, self._compare_if_it_answers, failed="hub.comparison_failed")

    async def _compare_if_it_answers(self) -> None:
        try:
            await self.compare()
        except HubUnavailable as error:
            log.warning("hub.servers_unknown", error=error.message)

    async def compare(self) -> None:
        """Reconcile the Hub's servers with the sessions. Raises HubUnavailable if the Hub does not answer."""
        now = self._steady()
        listed_at = self._listed_stopped_at
        stopped = self._unwanted or listed_at is None or now - listed_at >= STOPPED_EVERY
        servers = await self._hub.servers(stopped=stopped)
        records = await self._store.active()  # read after the listing, so that newer sessions are included
        for record in records:
            await self._tend(record, servers.get((record.owner, record.server_name)))
        await self._end_unwanted(servers, records, listed_stopped=stopped)
        if stopped:
            self._listed_stopped_at = now

    async def _tend(self, record: SessionRecord, server: HubServer | None) -> None:
        """Hand a session back to a Hub that has forgotten it; keep following one that is starting."""
        if record.state == SessionState.STARTING and record.server_url is not None:
            self.link.follow(record.id)
        if record.state in OVER or not self._is_settled(record):
            return
        if server is None or (not server.ready and server.pending is None):
            log.info("hub.handed_back", session=record.id)
            self.link.start(record.id)
        elif server.ready and server.session_id != record.id:
            # If the Hub's database fails while it starts a server, the Hub takes that server for a running one.
            log.warning("hub.server_of_nothing", session=record.id, holds=server.session_id)
            self.link.start(record.id, anew=True)
        elif server.session_id == record.id and record.base_url is None and server.base_url:
            async with self._store.change(record.id) as draft:  # an old row: the database was restored
                draft.set(base_url=server.base_url)

    def _is_settled(self, record: SessionRecord) -> bool:
        return record.submitted_at is not None and self._now() - record.submitted_at > SETTLED

    async def _end_unwanted(self, servers: Servers, records: Sequence[SessionRecord], *, listed_stopped: bool) -> None:
        """Drop the servers without a session; the Hub may have to be asked more than once."""
        wanted = {(record.owner, record.server_name) for record in records}
        unwanted = {key: server for key, server in servers.items() if key not in wanted}
        self._unwanted = any(name for _, name in unwanted)
        if listed_stopped:
            self._idle_since = {key: since for key, since in self._idle_since.items() if key in unwanted}
        places = asyncio.Semaphore(AT_ONCE)

        async def drop(key: Key, server: HubServer) -> None:
            async with places:
                log.info("hub.server_dropped", user=key[0], server=key[1], session=server.session_id or None)
                await self.link.drop_now(*key)

        over = [(key, server) for key, server in unwanted.items() if await self._is_over(key, server)]
        await asyncio.gather(*(drop(key, server) for key, server in over))

    async def _is_over(self, key: Key, server: HubServer) -> bool:
        """Whether to drop a server without an active session now."""
        if server.pending == "spawn":
            return False  # started at the Hub: its session is being made, or the Hub will hear that there is none
        if server.ready or server.pending is not None:
            return not await self._may_live(server.session_id)
        if not key[1]:
            return False  # a stopped default server cannot be removed
        return self._steady() - self._idle_since.setdefault(key, self._steady()) >= STOPPED_GRACE
