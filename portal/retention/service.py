"""Deletes old rows, in slices with pauses, so that nobody waits for it.

Other folders know what is old in their tables (`others`). The cluster's samples and totals have loops of their own that
roll them up and delete them; sums of use stay.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Executable, delete, func, select

from portal.audit.models import AuditRecord
from portal.audit.service import Audit
from portal.db.engine import UnitOfWork
from portal.loops import every
from portal.moment import steady
from portal.sessions.models import SessionEvent, SessionRecord, SessionState
from portal.settings.retention import Retention as Days

log = structlog.get_logger(__name__)

EVERY_S = 3600.0
#: Setting the clock back or forward by less than this deletes nothing wrong.
CLOCK_SET = timedelta(days=1)
SLICE = 500
PAUSE_S = 0.05
ACTOR, ACTION = "portal", "audit.prune"
"""The audit entry that allows older ones to be deleted (alembic/versions/0017)."""

#: Deletes at most that many expired rows, and returns how many.
Forget = Callable[[int], Awaitable[int]]


class Retention:
    def __init__(
        self,
        work: UnitOfWork,
        audit: Audit,
        others: Mapping[str, Forget],
        now: Callable[[], datetime],
        days: Days,
        steady: Callable[[], datetime] = steady,
    ) -> None:
        self._work = work
        self._audit = audit
        self._others = others
        self._now = now
        self._days = days
        self._steady = steady
        self.pruned: Counter[str] = Counter()
        """Rows deleted since the start, by kind."""
        self.last_at: dict[str, datetime] = {}
        """When rows of a kind were last deleted."""

    @property
    def paused(self) -> bool:
        """Whether the machine's clock has been set: if it is wrong now, young rows would be deleted."""
        return abs(self._now() - self._steady()) > CLOCK_SET

    async def run(self) -> None:
        """Prune every hour, for ever."""
        await every(EVERY_S, self._prune_unless_paused, failed="retention.failed")

    async def _prune_unless_paused(self) -> None:
        if self.paused:
            log.warning("retention.paused", clock_set_by_s=(self._now() - self._steady()).total_seconds())
        else:
            await self.prune()

    async def prune(self) -> None:
        """Delete everything that is past its retention time."""
        if before := self._before(self._days.events_days):
            await self._in_slices("events", partial(self._old_events, before))
        if before := self._before(self._days.sessions_days):
            await self._in_slices("sessions", partial(self._old_sessions, before))
        if before := self._before(self._days.audit_days):
            await self._prune_audit(before)
        for kind, forget in self._others.items():
            await self._in_slices(kind, partial(forget, SLICE))

    def _before(self, days: int) -> datetime | None:
        """Return the midnight (UTC) before which rows are deleted; None: they stay."""
        if not days:
            return None
        return self._now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)

    async def _in_slices(self, kind: str, delete_some: Callable[[], Awaitable[int]]) -> None:
        began, total = self._now(), 0
        while count := await delete_some():
            total += count
            self.pruned[kind] += count
            self.last_at[kind] = self._now()
            await asyncio.sleep(PAUSE_S)
        if total:
            log.info("retention.pruned", kind=kind, rows=total, took_s=(self._now() - began).total_seconds())

    async def _old_events(self, before: datetime) -> int:
        """Delete some of the oldest events; ids grow with time, so no index on the time is needed."""
        query = select(SessionEvent.seq, SessionEvent.at).order_by(SessionEvent.seq).limit(SLICE)
        return await self._delete(query, SessionEvent, SessionEvent.seq, before)

    async def _old_sessions(self, before: datetime) -> int:
        query = (
            select(SessionRecord.id, SessionRecord.ended_at)
            .where(SessionRecord.state == SessionState.ENDED.value, SessionRecord.ended_at < before)
            .order_by(SessionRecord.ended_at)
            .limit(SLICE)
        )
        return await self._delete(query, SessionRecord, SessionRecord.id, before)

    async def _prune_audit(self, before: datetime) -> None:
        """Delete old audit entries, after an entry that says so: the database refuses otherwise."""
        old = AuditRecord.at < before
        async with self._work() as db:
            rows = await db.scalar(select(func.count()).select_from(AuditRecord).where(old))
        if not rows:
            return
        until = f"{before:%Y-%m-%d %H:%M:%S.%f}"
        await self._audit.record(actor=ACTOR, action=ACTION, target=until, records=rows, days=self._days.audit_days)
        query = select(AuditRecord.id, AuditRecord.at).where(old).order_by(AuditRecord.at).limit(SLICE)
        await self._in_slices("audit", lambda: self._delete(query, AuditRecord, AuditRecord.id, before))

    async def _delete(self, query: Executable, table: type[Any], key: Any, before: datetime) -> int:
        """Delete the rows that a query returns by key and time, if they are older than `before`."""
        async with self._work() as db:
            rows: Sequence[Any] = (await db.execute(query)).all()
            keys = [key_ for key_, at in rows if at < before]
            if keys:
                await db.execute(delete(table).where(key.in_(keys)))
            return len(keys)
