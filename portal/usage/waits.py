"""The waits of all users' recent jobs, by partition: read now and then, kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import select

from portal.db.engine import UnitOfWork
from portal.placement.waits import PastJob
from portal.usage.models import UsageJob, UsageWhose

SINCE = timedelta(weeks=4)
AGAIN = timedelta(minutes=5)
MOST_JOBS = 5_000


class PastWaits:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime]) -> None:
        self._work = work
        self._now = now
        self._read: dict[str, tuple[datetime, Sequence[PastJob]]] = {}

    async def of(self, partition: str) -> Sequence[PastJob]:
        """Return the newest jobs of the partition that started within four weeks. Slurm must know the partition."""
        now = self._now()
        kept = self._read.get(partition)
        if kept is None or now - kept[0] > AGAIN:
            kept = self._read[partition] = (now, await self._query(partition, now - SINCE))
        return kept[1]

    async def _query(self, partition: str, since: datetime) -> Sequence[PastJob]:
        query = (
            select(UsageJob.started_s, UsageJob.wait_s, UsageJob.gpus)
            .join(UsageWhose, UsageWhose.id == UsageJob.whose_id)
            .where(
                UsageWhose.partition == partition,
                UsageJob.started_s > int(since.timestamp()),
                UsageJob.wait_s.is_not(None),
            )
            .order_by(UsageJob.started_s.desc())
            .limit(MOST_JOBS)
        )
        async with self._work() as db:
            return [PastJob(row.started_s - row.wait_s, row.started_s, row.gpus) for row in await db.execute(query)]
