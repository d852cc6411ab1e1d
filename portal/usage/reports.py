"""Builds reports from the sums of settled jobs and the open rows of running ones.

The database adds up any range: it returns a row for each name, and one for each day or month.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.engine import UnitOfWork
from portal.usage import ledger, spread, sums
from portal.usage.models import OPEN, UsageJob, UsageSource, UsageWhose
from portal.usage.schemas import By
from portal.usage.spread import JobRun, Sums, WaitingTimes
from portal.usage.sums import Span, Step

NO_GROUP = ""
#: Charts of a longer range have one point a month.
DAYS_AT_MOST = 92
WASTEFUL = 10
#: The source of each report, except the one by month.
NAMES = {
    "user": UsageWhose.owner,
    "group": UsageWhose.owner,
    "account": UsageWhose.account,
    "partition": UsageWhose.partition,
    "gpu_type": UsageWhose.gpu_type,
}
ASK_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """A report's request; days are inclusive, in UTC. An empty name matches all."""

    by: By
    first: date
    last: date
    user: str = ""
    account: str = ""
    partition: str = ""
    gpu_type: str = ""

    @property
    def monthly(self) -> bool:
        return (self.last - self.first).days >= DAYS_AT_MOST

    @property
    def narrow(self) -> bool:
        return bool(self.user or self.account or self.partition or self.gpu_type)


@dataclass(slots=True)
class Part:
    sums: Sums = field(default_factory=Sums)
    waits: WaitingTimes = field(default_factory=WaitingTimes)

    def add(self, other: Part) -> None:
        self.sums.add(other.sums)
        for bucket, jobs in other.waits.counts.items():
            self.waits.add(bucket, jobs)


@dataclass(frozen=True, slots=True)
class Whose:
    owner: str
    account: str
    partition: str
    gpu_type: str


@dataclass(slots=True)
class ReportData:
    """The ledger's data for a request: by name (by group: of owners), and by day or month (as numbers).

    Waiting times are where the report needs them: in the times for a report by month, else in the names.
    """

    parts: dict[str, Part]
    times: dict[int, Part]
    whose: dict[int, Whose]
    wasteful: list[tuple[UsageJob, JobRun]]
    source: UsageSource | None


@dataclass(slots=True)
class Report:
    asked: ReportRequest
    rows: dict[str, Part]
    total: Part
    series: dict[int, Part]
    found: ReportData


class Reports:
    def __init__(
        self,
        work: UnitOfWork,
        now: Callable[[], datetime],
        groups: Callable[[str], Awaitable[Iterable[str]]],
    ) -> None:
        self._work = work
        self._now = now
        self._groups = groups

    @property
    def today(self) -> date:
        return self._now().date()

    async def make(self, asked: ReportRequest) -> Report:
        """Build one report. By group, it asks the directory; a member of several groups counts in each."""
        async with self._work() as db:
            report = await _find(db, asked, int(self._now().timestamp()))
        total = Part()
        for part in (report.times if asked.by == "month" else report.parts).values():
            total.add(part)
        return Report(asked, await self._rows(asked, report), total, report.times, report)

    async def _rows(self, asked: ReportRequest, report: ReportData) -> dict[str, Part]:
        if asked.by == "month":
            months: dict[str, Part] = {}
            for number, part in sorted(report.times.items()):
                month = number if asked.monthly else number // 100
                months.setdefault(f"{month // 100}-{month % 100:02}", Part()).add(part)
            return months
        rows = await self._by_group(report) if asked.by == "group" else report.parts
        return dict(sorted(rows.items(), key=lambda row: (-row[1].sums.gpu_s, -row[1].sums.cpu_s, row[0])))

    async def _by_group(self, report: ReportData) -> dict[str, Part]:
        """Ask the directory for the groups of all users in the report, a few at a time."""
        turn = asyncio.Semaphore(ASK_AT_ONCE)

        async def of(owner: str) -> list[str]:
            async with turn:
                return sorted(await self._groups(owner)) or [NO_GROUP]

        owners = sorted(report.parts)
        rows: dict[str, Part] = {}
        for owner, groups in zip(owners, await asyncio.gather(*map(of, owners)), strict=True):
            for group in groups:
                rows.setdefault(group, Part()).add(report.parts[owner])
        return rows


async def _find(db: AsyncSession, asked: ReportRequest, now_s: int) -> ReportData:
    source = await _source(db)
    whose = {
        row.id: Whose(row.owner, row.account, row.partition, row.gpu_type)
        for row in await db.execute(_narrowed(asked, select(UsageWhose.__table__)))
    }
    report = ReportData({}, {}, whose, [], source)
    await _settled(db, asked, report)
    await _open(db, asked, report, now_s if source is None or source.failing_since_s is None else source.read_to_s)
    report.wasteful = await _wasteful(db, asked, report, now_s)
    return report


async def _source(db: AsyncSession) -> UsageSource | None:
    """Return the source that was read last."""
    query = select(UsageSource).order_by(UsageSource.read_to_s.desc()).limit(1)
    return (await db.scalars(query)).first()


def _narrowed(asked: ReportRequest, query: Select[Any]) -> Select[Any]:
    for column, value in (
        (UsageWhose.owner, asked.user),
        (UsageWhose.account, asked.account),
        (UsageWhose.partition, asked.partition),
        (UsageWhose.gpu_type, asked.gpu_type),
    ):
        query = query.where(column == value) if value else query
    return query


async def _settled(db: AsyncSession, asked: ReportRequest, report: ReportData) -> None:
    """Have the database add up settled jobs: by name, and over time."""
    span = Span(asked.first, asked.last, _narrowed(asked, select(UsageWhose.id)) if asked.narrow else None)
    step = Step.MONTH if asked.monthly else Step.DAY
    for key, held in (await sums.sums(db, span, step)).items():
        report.times[key] = Part(held)
    if asked.by == "month":
        for key, waits in (await sums.waits(db, span, step)).items():
            report.times.setdefault(key, Part()).waits = waits
        return
    for name, held in (await sums.sums(db, span, NAMES[asked.by])).items():
        report.parts[name] = Part(held)
    for name, waits in (await sums.waits(db, span, NAMES[asked.by])).items():
        report.parts.setdefault(name, Part()).waits = waits


async def _open(db: AsyncSession, asked: ReportRequest, report: ReportData, now_s: int) -> None:
    """Add running and just-ended jobs: few rows, spread here."""
    first, last = spread.number(asked.first), spread.number(asked.last)
    _, until_s = _bounds(asked)
    query = select(UsageJob).where(OPEN, UsageJob.started_s < until_s)
    for job in await db.scalars(query):
        whose = report.whose.get(job.whose_id)
        if whose is None:
            continue
        started = spread.number_of(job.started_s)
        for day, held in spread.days(ledger.held_by(job, now_s)):
            if first <= day <= last:
                part = Part(held)
                if day == started and held.jobs and job.wait_s is not None:
                    part.waits.add(spread.bucket(job.wait_s), 1)
                if asked.by != "month":
                    report.parts.setdefault(getattr(whose, NAMES[asked.by].key), Part()).add(part)
                report.times.setdefault(day // 100 if asked.monthly else day, Part()).add(part)


async def _wasteful(
    db: AsyncSession, asked: ReportRequest, report: ReportData, now_s: int
) -> list[tuple[UsageJob, JobRun]]:
    """Return the user's jobs that started in this time with the most measured and unused GPU time."""
    if not asked.user:
        return []
    since_s, until_s = _bounds(asked)
    unused = UsageJob.gpu_known_s - UsageJob.gpu_used_s
    query = (
        select(UsageJob)
        .where(UsageJob.whose_id.in_(list(report.whose)), unused > 0)
        .where(UsageJob.started_s >= since_s, UsageJob.started_s < until_s)
        .order_by(unused.desc())
        .limit(WASTEFUL)
    )
    return [(job, ledger.held_by(job, now_s)) for job in await db.scalars(query)]


def _bounds(asked: ReportRequest) -> tuple[int, int]:
    """Return the first second of the range, and the first after it."""
    start = datetime(asked.first.year, asked.first.month, asked.first.day, tzinfo=UTC)
    end = datetime(asked.last.year, asked.last.month, asked.last.day, tzinfo=UTC) + timedelta(days=1)
    return int(start.timestamp()), int(end.timestamp())
