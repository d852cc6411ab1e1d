"""The cluster's totals over time: a sample a minute, rolled up after two days, deleted in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError

from portal.cluster.live_schemas import Span
from portal.cluster.models import TotalsRecord
from portal.cluster.totals import NAMES, Totals, bucket, thin, totals_of
from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.loops import every
from portal.slurm.snapshot import Reach, Snapshot

log = structlog.get_logger(__name__)

RAW_S = 60
ROLLED_S = 1800
RAW_FOR = timedelta(days=2)
ROLL_EVERY_S = 3600.0
#: Each span's length and the step of its points: a few hundred points for any span.
SPANS: dict[Span, tuple[timedelta, int]] = {
    "hour": (timedelta(hours=1), RAW_S),
    "day": (timedelta(days=1), 300),
    "week": (timedelta(days=7), ROLLED_S),
    "month": (timedelta(days=30), 4 * ROLLED_S),
}


class History:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime], keep_days: int) -> None:
        self._work = work
        self._now = now
        self._keep = timedelta(days=keep_days)
        self._written: datetime | None = None
        self.latest: Totals | None = None
        """The newest sample, whether or not it could be written."""

    async def take(self, snapshot: Snapshot, *, running: int, waiting: int) -> None:
        """Write a sample if a minute has started since the last one and Slurm answers. Never raises."""
        at = bucket(self._now(), RAW_S)
        if at == self._written or snapshot.state is not Reach.UP or snapshot.nodes_as_of is None:
            return
        self.latest = totals_of(snapshot.nodes, running=running, waiting=waiting)
        try:
            await self._write(RAW_S, [(at, self.latest)])
            self._written = at
        except SQLAlchemyError as error:
            log.warning("cluster.sample_lost", error=str(error)[:200])

    async def read(self, span: Span) -> tuple[datetime, int, list[tuple[datetime, Totals]]]:
        """Return the span's start, its step in seconds, and its points."""
        length, step_s = SPANS[span]
        since = bucket(self._now() - length, step_s) + timedelta(seconds=step_s)
        query = select(TotalsRecord).where(TotalsRecord.at >= since).order_by(TotalsRecord.at)
        async with self._work() as db:
            records = (await db.scalars(query)).all()
        return since, step_s, thin(((record.at, _totals(record)) for record in records), step_s)

    async def run(self) -> None:
        """Roll up and delete every hour, forever."""
        await every(ROLL_EVERY_S, self.roll_up, failed="cluster.roll_up_failed")

    async def roll_up(self) -> None:
        """Roll up samples older than two days by half-hours, and delete what is past its retention."""
        before = bucket(self._now() - RAW_FOR, ROLLED_S)
        old = (TotalsRecord.step_s == RAW_S, TotalsRecord.at < before)
        async with self._work() as db:
            records = (await db.scalars(select(TotalsRecord).where(*old))).all()
        await self._write(ROLLED_S, thin(((record.at, _totals(record)) for record in records), ROLLED_S))
        async with self._work() as db:
            await db.execute(delete(TotalsRecord).where(*old))
            await db.execute(delete(TotalsRecord).where(TotalsRecord.at < self._now() - self._keep))

    async def _write(self, step_s: int, items: Sequence[tuple[datetime, Totals]]) -> None:
        """Insert rows; existing ones stay, so that an interrupted roll-up can be repeated."""
        if not items:
            return
        rows = [{"step_s": step_s, "at": at, **{name: getattr(totals, name) for name in NAMES}} for at, totals in items]
        async with self._work() as db:
            await db.execute(upsert.insert(db, TotalsRecord).on_conflict_do_nothing(), rows)


def _totals(record: TotalsRecord) -> Totals:
    return Totals(**{name: getattr(record, name) for name in NAMES})
