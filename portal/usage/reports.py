"""Makes reports: the days' sums of what is settled, and the open rows of what runs, by whose they are.

Whatever the range, the database adds up: what comes back is a row for each owner, account, partition and GPU type that
there is, and one for each day or month.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Integer, Select, func, literal_column, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.engine import UnitOfWork
from portal.usage import ledger, spread
from portal.usage.models import UsageDay, UsageJob, UsageSource, UsageWait, UsageWhose
from portal.usage.schemas import By
from portal.usage.spread import Held, Sums, Waits

NO_GROUP = ""
#: Lines of a longer range have a point a month.
DAYS_AT_MOST = 92
WASTEFUL = 10
ASK_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """A report's question; days are inclusive, in UTC. An empty name asks for all."""

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


@dataclass(slots=True)
class Part:
    sums: Sums = field(default_factory=Sums)
    waits: Waits = field(default_factory=Waits)

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
class Found:
    """What the ledger holds for a question: by whose it is, and by day or month (as numbers)."""

    parts: dict[int, Part]
    times: dict[int, Part]
    whose: dict[int, Whose]
    wasteful: list[tuple[UsageJob, Held]]
    source: UsageSource | None


@dataclass(slots=True)
class Report:
    asked: Asked
    rows: dict[str, Part]
    total: Part
    series: dict[int, Part]
    found: Found


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

    async def make(self, asked: Asked) -> Report:
        """Answer one question. By group it asks the directory; a member of several groups counts in each."""
        async with self._work() as db:
            found = await _find(db, asked, int(self._now().timestamp()))
        total = Part()
        for part in found.parts.values():
            total.add(part)
        return Report(asked, await self._rows(asked, found), total, found.times, found)

    async def _rows(self, asked: Asked, found: Found) -> dict[str, Part]:
        if asked.by == "month":
            months: dict[str, Part] = {}
            for number, part in sorted(found.times.items()):
                month = number if asked.monthly else number // 100
                months.setdefault(f"{month // 100}-{month % 100:02}", Part()).add(part)
            return months
        groups = await self._of(found) if asked.by == "group" else {}
        rows: dict[str, Part] = {}
        for whose_id, part in found.parts.items():
            whose = found.whose[whose_id]
            keys = groups.get(whose.owner) or [NO_GROUP] if asked.by == "group" else [_key(asked.by, whose)]
            for key in keys:
                rows.setdefault(key, Part()).add(part)
        return dict(sorted(rows.items(), key=lambda row: (-row[1].sums.gpu_s, -row[1].sums.cpu_s, row[0])))

    async def _of(self, found: Found) -> dict[str, list[str]]:
        """Ask the directory for the groups of everybody in the report, a few at a time."""
        turn = asyncio.Semaphore(ASK_AT_ONCE)

        async def one(owner: str) -> tuple[str, list[str]]:
            async with turn:
                return owner, sorted(await self._groups(owner))

        owners = {found.whose[whose_id].owner for whose_id in found.parts}
        return dict(await asyncio.gather(*map(one, sorted(owners))))


def _key(by: By, whose: Whose) -> str:
    return {"user": whose.owner, "account": whose.account, "partition": whose.partition, "gpu_type": whose.gpu_type}[by]


async def _find(db: AsyncSession, asked: Asked, now_s: int) -> Found:
    source = await _source(db)
    whose = {
        row.id: Whose(row.owner, row.account, row.partition, row.gpu_type)
        for row in await db.execute(_narrowed(asked, select(UsageWhose.__table__)))
    }
    found = Found({}, {}, whose, [], source)
    await _settled(db, asked, found)
    await _open(db, asked, found, now_s if source is None or source.failing_since_s is None else source.read_to_s)
    found.wasteful = await _wasteful(db, asked, found, now_s)
    return found


async def _source(db: AsyncSession) -> UsageSource | None:
    """Return the source that was read last."""
    query = select(UsageSource).order_by(UsageSource.read_to_s.desc()).limit(1)
    return (await db.scalars(query)).first()


def _narrowed(asked: Asked, query: Select[Any]) -> Select[Any]:
    for column, value in (
        (UsageWhose.owner, asked.user),
        (UsageWhose.account, asked.account),
        (UsageWhose.partition, asked.partition),
        (UsageWhose.gpu_type, asked.gpu_type),
    ):
        query = query.where(column == value) if value else query
    return query


async def _settled(db: AsyncSession, asked: Asked, found: Found) -> None:
    """Let the database add up what is settled: by whose it is, and over time."""
    sums = [func.sum(getattr(UsageDay, name)).label(name) for name in spread.NAMES]
    for into, day, wait_day in (
        (found.parts, UsageDay.whose_id, UsageWait.whose_id),
        (found.times, _time(asked, UsageDay.day), _time(asked, UsageWait.day)),
    ):
        query = _within(asked, UsageDay, select(day.label("key"), *sums)).group_by(day)
        for key, *values in await db.execute(query):
            into.setdefault(key, Part()).sums = Sums(*map(int, values))
        jobs = func.sum(UsageWait.jobs)
        query = _within(asked, UsageWait, select(wait_day.label("key"), UsageWait.bucket, jobs)).group_by(
            wait_day, UsageWait.bucket
        )
        for key, bucket, count in await db.execute(query):
            into.setdefault(key, Part()).waits.add(bucket, int(count))


def _time(asked: Asked, day: Any) -> Any:
    # A literal: PostgreSQL must see that what is grouped by is what is selected.
    return day // literal_column("100", Integer) if asked.monthly else day


def _within(asked: Asked, table: type[UsageDay] | type[UsageWait], query: Select[Any]) -> Select[Any]:
    query = query.where(table.day >= spread.number(asked.first), table.day <= spread.number(asked.last))
    if asked.user or asked.account or asked.partition or asked.gpu_type:
        query = query.where(table.whose_id.in_(_narrowed(asked, select(UsageWhose.id))))
    return query


async def _open(db: AsyncSession, asked: Asked, found: Found, now_s: int) -> None:
    """Add what runs, and what has just ended: few rows, spread here."""
    first, last = spread.number(asked.first), spread.number(asked.last)
    _, until_s = _bounds(asked)
    query = select(UsageJob).where(UsageJob.settled.is_(False), UsageJob.started_s < until_s)
    for job in await db.scalars(query):
        if job.whose_id not in found.whose:
            continue
        started = spread.number_of(job.started_s)
        for day, sums in spread.days(ledger.held_by(job, now_s)):
            if first <= day <= last:
                part = Part(sums)
                if day == started and sums.jobs and job.wait_s is not None:
                    part.waits.add(spread.bucket(job.wait_s), 1)
                found.parts.setdefault(job.whose_id, Part()).add(part)
                found.times.setdefault(day // 100 if asked.monthly else day, Part()).add(part)


async def _wasteful(db: AsyncSession, asked: Asked, found: Found, now_s: int) -> list[tuple[UsageJob, Held]]:
    """Return the jobs of one user that began in this time with the most GPU time that was measured and not used."""
    if not asked.user:
        return []
    since_s, until_s = _bounds(asked)
    unused = UsageJob.gpu_known_s - UsageJob.gpu_used_s
    query = (
        select(UsageJob)
        .where(UsageJob.whose_id.in_(list(found.whose)), unused > 0)
        .where(UsageJob.started_s >= since_s, UsageJob.started_s < until_s)
        .order_by(unused.desc())
        .limit(WASTEFUL)
    )
    return [(job, ledger.held_by(job, now_s)) for job in await db.scalars(query)]


def _bounds(asked: Asked) -> tuple[int, int]:
    """Return the first second of the range, and the first after it."""
    start = datetime(asked.first.year, asked.first.month, asked.first.day, tzinfo=UTC)
    end = datetime(asked.last.year, asked.last.month, asked.last.day, tzinfo=UTC) + timedelta(days=1)
    return int(start.timestamp()), int(end.timestamp())
