"""A ledger on its own database, with an accounting that tests control."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from portal.db.engine import make_engine, unit_of_work
from portal.errors import SlurmUnavailable
from portal.gpus.schemas import GpuUse
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import UsageOut
from portal.settings import Usage
from portal.slurm.budget import Budget
from portal.slurm.jobs import Job
from portal.slurm.queries import SEPARATOR
from portal.slurm.snapshot import Reach, Snapshot
from portal.usage.gpus import GpuTotals
from portal.usage.reader import UsageReader
from portal.usage.reports import Part, Report, ReportRequest, Reports
from portal.usage.sampler import Sampler
from portal.usage.samples import Samples
from portal.usage.schemas import By

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
START_S = int(START.timestamp())


def line(job_id: str, start: datetime, end: datetime | None, **more: str) -> str:
    """One line of sacct."""

    def stamp(moment: datetime | None) -> str:
        return "Unknown" if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%S")

    values = {
        "user": "alice", "account": "physics", "partition": "sxm2", "submit": stamp(start), "eligible": stamp(start),
        "start": stamp(start), "end": stamp(end), "tres": "cpu=8,mem=48G,node=1,gres/gpu=2", "cpu": "00:00:00",
        "usage": "", "nodes": "node001",
    } | more  # fmt: skip
    return SEPARATOR.join([job_id, *values.values()]) + "\n"


def session_row(session_id: str) -> SessionRecord:
    """Return a session's row that is not in the database."""
    return SessionRecord(id=session_id, gpus=2)


class FakeAccounting:
    def __init__(self) -> None:
        self.output = ""
        self.asked: list[tuple[str, str]] = []
        self.silent = False
        self.kept = True
        self.budget = Budget(60, lambda: 0.0, saved=1e6)

    async def ask(self, argv: list[str], timeout_s: float | None = None) -> str:
        since, until = (
            next(value for value in argv if value.startswith(f"--{name}time=")) for name in ("start", "end")
        )
        self.asked.append((since.partition("=")[2], until.partition("=")[2]))
        if self.silent:
            raise SlurmUnavailable("slurmdbd is away.")
        return self.output

    async def keeps_accounts(self) -> bool:
        return self.kept


class Harness:
    """Everything of the room, and a clock."""

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self.work = unit_of_work(self.engine)
        self.now = START
        self.slurm = FakeAccounting()
        self.snapshot = Snapshot()
        self.groups = {"alice": ("physics", "gpu users"), "bob": ()}
        self.settings = Usage(first_days=1)
        self.gpus = GpuTotals(self.work, lambda: self.snapshot, self.clock, lambda *who: "-".join(who))
        self.samples = Samples(self.work, self.clock, self.settings)
        self.sampler = self.portal()
        self.reader = self.another_reader()
        self.reports = Reports(self.work, self.clock, self._groups)

    def clock(self) -> datetime:
        return self.now

    def portal(self) -> Sampler:
        """The sampler of a portal that has just been started."""
        return Sampler(self.work, self.clock, self.settings.sample_s)

    def another_reader(self) -> UsageReader:
        return UsageReader(self.work, self.slurm, lambda: self.snapshot, self.clock, self.settings)

    async def _groups(self, user: str) -> tuple[str, ...]:
        return self.groups.get(user, ())

    def pass_(self, **span: float) -> None:
        self.now += timedelta(**span)

    def queue(self, *jobs: Job) -> None:
        self.snapshot = Snapshot(state=Reach.UP, jobs={job.id: job for job in jobs}, jobs_as_of=self.now)

    async def read(self) -> None:
        """Read until the source has been read up to now."""
        while await self.reader.read() < 10:
            pass

    async def sample(self, session: str, minutes: int, *, gpu: float | None = 50.0, cpu: float = 400.0) -> None:
        """Let a session with two GPUs report twice a minute."""
        record = session_row(session)
        for _ in range(minutes):
            for _ in range(2):
                gpus = [GpuUse(index=n, utilization=gpu, memory_used_mib=1000) for n in range(2)]
                self.sampler.note(record, UsageOut(at=self.now, cpu_percent=cpu, memory_mib=2000, gpus=gpus))
            self.pass_(minutes=1)
            await self.sampler.write()

    async def report(self, by: By = "user", days: int = 30, **names: str) -> Report:
        return await self.reports.make(
            ReportRequest(by, self.now.date() - timedelta(days=days), self.now.date(), **names)
        )

    async def rows(self, by: By = "user", **names: str) -> dict[str, Part]:
        return (await self.report(by, **names)).rows


@pytest.fixture
async def harness(database: str) -> AsyncIterator[Harness]:
    made = Harness(database)
    yield made
    await made.engine.dispose()
