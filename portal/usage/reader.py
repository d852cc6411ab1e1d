"""Fills the ledger: from Slurm's accounting if there is one, by time windows; else from the snapshot of the queue.

The position of the last reading is in the database and moves in the same transaction as the data, so that a restart
continues there. A page never asks sacct.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError

from portal.db.engine import UnitOfWork
from portal.errors import SlurmUnavailable
from portal.loops import pause
from portal.settings import Usage
from portal.slurm import job_runs, queries
from portal.slurm.budget import Budget
from portal.slurm.job_runs import GpuTypes, SlurmRun
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Reach, Snapshot
from portal.usage import ledger
from portal.usage.models import UsageSource

log = structlog.get_logger(__name__)

ACCOUNTING = "accounting"
QUEUE = "queue"
#: Each reading starts this long before the end of the last one: slurmdbd learns of an end some time later.
OVERLAP_S = 3600
#: After an outage of slurmdbd, slurmctld sends what it buffered: for this long, readings start at the outage again.
AGAIN_S = 3600
#: A window shrinks when its reading fails, and grows when it contained little.
SMALLEST_S = 600
FIRST_S = 86_400
LARGEST_S = 64 * 86_400
LITTLE = 2000
TIMEOUT_S = 60.0
#: The queue shows ended jobs for MinJobAge, five minutes by default.
QUEUE_EVERY_S = 60
CATCH_UP_S = 1.0
#: While the queue does not change, accounting is still read this often.
AT_LEAST_EVERY_S = 60


class AccountingClient(Protocol):
    """The part of the Slurm client that usage needs."""

    @property
    def budget(self) -> Budget: ...

    async def ask(self, argv: list[str], timeout_s: float | None = None) -> str: ...

    async def keeps_accounts(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Read:
    """The last reading that left nothing open."""

    at: datetime
    jobs: Mapping[int, Job]
    """The queue at that time."""
    again: bool
    """It had changed: slurmdbd learns of that a moment later, so the next reading follows in any case."""


@dataclass
class UsageReader:
    """Reads continuously; between readings it holds nothing but the length of its window."""

    work: UnitOfWork
    slurm: AccountingClient
    snapshot: Callable[[], Snapshot]
    now: Callable[[], datetime]
    settings: Usage
    window_s: int = FIRST_S
    _read: _Read | None = None

    async def forget(self, at_most: int) -> int:
        """Delete the figures of up to `at_most` jobs past their retention; return how many."""
        async with self.work() as db:
            return await ledger.forget(db, self.now() - timedelta(days=self.settings.keep_days), at_most)

    async def run(self) -> None:
        """Read forever; failures are logged and retried."""
        while True:
            pause_s: float = self.settings.read_every_s
            try:
                if self.has_news():
                    pause_s = await self.read()
            except SlurmUnavailable as error:
                log.info("usage.source_unknown", error=error.message)
                pause_s = QUEUE_EVERY_S
            except SQLAlchemyError as error:
                log.warning("usage.not_written", error=str(error)[:200])
            await pause(pause_s)

    async def read(self) -> float:
        """Read once, settle ended jobs, and return the seconds until the next reading.

        Raises SlurmUnavailable while it is unknown whether the cluster has accounting.
        """
        pause_s = await (self._accounting() if await self.slurm.keeps_accounts() else self._queue())
        await self._settle()
        return pause_s

    def has_news(self) -> bool:
        """Whether accounting may know more than at the last reading: the queue has changed, or that reading is old."""
        read = self._read
        if read is None or read.again or read.jobs is not self.snapshot().jobs:
            return True
        return self.now() - read.at >= timedelta(seconds=AT_LEAST_EVERY_S)

    async def _accounting(self) -> float:
        now_s = self._now_s()
        source = await self._source(ACCOUNTING, since_s=now_s - self.settings.first_days * 86_400)
        begin_s, end_s = window(source, now_s, self.window_s)
        argv = queries.job_runs(job_runs.stamp(_moment(begin_s)), job_runs.stamp(_moment(end_s)))
        snapshot, last, self._read = self.snapshot(), self._read, None
        try:
            async with self.slurm.budget.background_reading():
                output = await self.slurm.ask(argv, TIMEOUT_S)
        except SlurmUnavailable as error:
            self.window_s = max(SMALLEST_S, self.window_s // 2)
            await self._failed(source, error.message, now_s)
            return self.settings.read_every_s
        types = GpuTypes(snapshot.nodes)
        uses = await asyncio.to_thread(job_runs.of_accounting, output, types)
        if len(uses) < LITTLE:
            self.window_s = min(LARGEST_S, self.window_s * 2)
        await self._take(source, uses, end_s, caught_up=end_s == now_s)
        if end_s < now_s:
            return CATCH_UP_S
        if source.failing_since_s is None:
            again = last is None or last.jobs is not snapshot.jobs
            self._read = _Read(self.now(), snapshot.jobs, again)
        return self.settings.read_every_s

    async def _queue(self) -> float:
        snapshot = self.snapshot()
        if snapshot.state is Reach.UP and snapshot.jobs_as_of is not None:
            as_of_s = int(snapshot.jobs_as_of.timestamp())
            source = await self._source(QUEUE, since_s=as_of_s)
            await self._take(source, job_runs.of_queue(snapshot.jobs.values()), as_of_s, caught_up=True)
        return QUEUE_EVERY_S

    async def _take(self, source: UsageSource, uses: list[SlurmRun], end_s: int, *, caught_up: bool) -> None:
        async with self.work() as db:
            await ledger.take(db, uses, now_s=end_s)
            if caught_up:
                seen = {(use.job_id, int(use.started_at.timestamp())) for use in uses}
                await ledger.close_missing(db, seen, at_s=source.read_to_s)
            await ledger.measure(db)
            await db.merge(_moved(source, end_s))

    async def _settle(self) -> None:
        more = True
        while more:
            async with self.work() as db:
                more = await ledger.settle(db, now_s=self._now_s())

    async def _source(self, name: str, *, since_s: int) -> UsageSource:
        async with self.work() as db:
            source = await db.get(UsageSource, name)
        return source or UsageSource(name=name, since_s=since_s, read_to_s=since_s)

    async def _failed(self, source: UsageSource, problem: str, now_s: int) -> None:
        log.warning("usage.accounting_unavailable", error=problem)
        if source.failing_since_s is None or source.recovered_s is not None:
            source.failing_since_s = min(now_s, source.failing_since_s or now_s)
        source.recovered_s, source.problem = None, problem
        async with self.work() as db:
            await db.merge(source)

    def _now_s(self) -> int:
        return int(self.now().timestamp())


def window(source: UsageSource, now_s: int, length_s: int) -> tuple[int, int]:
    """Return the start and end of the next window."""
    begin_s = source.read_to_s - OVERLAP_S
    if source.recovered_s is not None and source.failing_since_s is not None:
        begin_s = min(begin_s, source.failing_since_s - OVERLAP_S)
    return max(source.since_s, begin_s), min(now_s, source.read_to_s + length_s)


def _moved(source: UsageSource, end_s: int) -> UsageSource:
    """Return the source's row after a reading up to `end_s`."""
    source.read_to_s, source.problem = max(source.read_to_s, end_s), None
    if source.failing_since_s is not None:
        source.recovered_s = source.recovered_s or end_s
        if end_s - source.recovered_s >= AGAIN_S:
            source.failing_since_s = source.recovered_s = None
    return source


def _moment(at_s: int) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)
