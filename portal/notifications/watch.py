"""Notices what no change of a session reports: that its end is near, or that its GPUs are idle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import exists, select

from portal.db.engine import UnitOfWork
from portal.loops import every
from portal.notifications import texts
from portal.notifications.models import Delivery, Happening
from portal.notifications.outbox import Outbox
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import UsageOut
from portal.settings import Notifications

EVERY_S = 30.0
#: A GPU busier than this, in percent, is in use.
IDLE_PERCENT = 1
#: Without a report for this long, whether a GPU is in use is unknown.
SILENCE = timedelta(minutes=5)


@dataclass(slots=True)
class _Idle:
    since: datetime
    heard: datetime
    gpus: int
    told: bool = False


class Watch:
    def __init__(
        self,
        work: UnitOfWork,
        outbox: Outbox,
        settings: Notifications,
        now: Callable[[], datetime],
        *,
        idle: bool = True,
    ) -> None:
        """`idle`: whether to report idle GPUs; False if the idle policy reports idle sessions."""
        self._work = work
        self._outbox = outbox
        self._before_end = timedelta(minutes=settings.ending_minutes)
        self._idle_after = timedelta(minutes=settings.idle_minutes)
        self._now = now
        self._tells_idle = idle
        self._idle: dict[str, _Idle] = {}

    async def run(self) -> None:
        if self._outbox.channels:
            await every(EVERY_S, self.look, failed="notifications.watch_failed")

    def note(self, session_id: str, use: UsageOut) -> None:
        """Take an agent's report. Use that was not measured is not idleness."""
        if not self._outbox.channels or not self._tells_idle:
            return
        measured = [gpu.utilization for gpu in use.gpus if gpu.utilization is not None]
        if not measured or len(measured) < len(use.gpus) or max(measured) > IDLE_PERCENT:
            self._idle.pop(session_id, None)
            return
        now = self._now()
        idle = self._idle.get(session_id)
        if idle is None or now - idle.heard > SILENCE:
            idle = self._idle[session_id] = _Idle(now, now, len(measured))
        idle.heard = now

    async def look(self) -> None:
        await self._ending()
        await self._idling()

    async def _ending(self) -> None:
        now = self._now()
        notified = exists().where(
            Delivery.session_id == SessionRecord.id,
            Delivery.event == Happening.ENDING_SOON.value,
            Delivery.at > now - self._before_end,
        )
        soon = select(SessionRecord).where(
            SessionRecord.state == SessionState.READY.value,
            SessionRecord.ends_at > now,
            SessionRecord.ends_at <= now + self._before_end,
            ~notified,
        )
        async with self._work() as db:
            for row in (await db.scalars(soon)).all():
                if row.ends_at is not None and row.ends_at - now <= timedelta(seconds=row.walltime_s / 4):
                    await self._outbox.write(db, row.owner, texts.ending_soon(row.name, row.id, row.ends_at, now))

    async def _idling(self) -> None:
        now = self._now()
        self._idle = {key: idle for key, idle in self._idle.items() if now - idle.heard <= SILENCE}
        long = {key: idle for key, idle in self._idle.items() if not idle.told and now - idle.since >= self._idle_after}
        if not long:
            return
        ready = SessionRecord.id.in_(long) & (SessionRecord.state == SessionState.READY.value)
        async with self._work() as db:
            for record in (await db.scalars(select(SessionRecord).where(ready))).all():
                idle = long[record.id]
                minutes = int((now - idle.since).total_seconds() / 60)
                await self._outbox.write(db, record.owner, texts.idle(record.name, record.id, idle.gpus, minutes, now))
        for idle in long.values():
            idle.told = True
