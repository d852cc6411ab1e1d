"""Sums by day and month: whatever is asked, they equal the jobs added up one by one."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, time, timedelta
from typing import get_args

import pytest

from portal.slurm.job_runs import SlurmRun
from portal.usage import ledger, spread
from portal.usage.reports import Part, ReportRequest
from portal.usage.schemas import By
from portal.usage.sums import whole_months
from tests.unit.usage.conftest import START, Harness

JOBS = 150
SINCE = START - timedelta(days=500)
RANGES = [
    (date(2025, 7, 9), START.date()),  # all
    (date(2026, 1, 1), date(2026, 8, 31)),  # whole months alone
    (date(2026, 2, 1), date(2026, 2, 28)),
    (date(2026, 1, 31), date(2026, 3, 1)),  # a month between two days
    (date(2026, 3, 31), date(2026, 4, 1)),  # a border alone
    (date(2025, 12, 15), date(2026, 11, 20)),
    (date(2026, 5, 2), date(2026, 6, 29)),  # no whole month
]


def job(number: int, pick: random.Random) -> SlurmRun:
    """Some last a minute, some go over several months; the last ones still run."""
    started = SINCE + timedelta(seconds=pick.randrange(500 * 86_400 - 7200))
    ended = started + timedelta(seconds=round(pick.lognormvariate(10, 3)) % (100 * 86_400))
    gpus = pick.choice((0, 1, 4))
    return SlurmRun(
        job_id=number,
        user=pick.choice(("alice", "bob", "carol")),
        account=pick.choice(("physics", "chemistry")),
        partition=pick.choice(("long", "short")),
        gpu_type="v100" if gpus else "",
        gpus=gpus,
        cpus=pick.choice((1, 8)),
        wait_s=pick.choice((None, 0, 7, 3600, 86_400)),
        started_at=started,
        ended_at=None if number > JOBS - 5 else min(ended, START - timedelta(hours=1)),
        cpu_used_s=pick.choice((None, 50)),
        gpu_percent=pick.choice((None, 33.3)) if gpus else None,
    )


def one_by_one(jobs: list[SlurmRun], first: date, last: date, now: datetime) -> tuple[tuple[int, ...], Counter[int]]:
    """Count jobs, GPU-seconds and core-seconds of these days, second by second, and waits of those that began."""
    begin = datetime.combine(first, time(), UTC).timestamp()
    end = datetime.combine(last, time(), UTC).timestamp() + 86_400
    started, gpu_s, cpu_s = 0, 0, 0
    waits: Counter[int] = Counter()
    for job in jobs:
        from_s, until_s = int(job.started_at.timestamp()), int((job.ended_at or now).timestamp())
        seconds = int(max(0, min(end, until_s) - max(begin, from_s)))
        gpu_s, cpu_s = gpu_s + seconds * job.gpus, cpu_s + seconds * job.cpus
        if begin <= from_s < end:
            started += 1
            if job.wait_s is not None:
                waits[spread.bucket(job.wait_s)] += 1
    return (started, gpu_s, cpu_s), waits


def keys_of(by: By, use: SlurmRun, groups: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if by == "group":
        return groups.get(use.user) or ("",)
    return (str(getattr(use, by)),)


def figures(part: Part) -> tuple[tuple[int, ...], Counter[int]]:
    return (part.sums.jobs, part.sums.gpu_s, part.sums.cpu_s), Counter(part.waits.counts)


async def tell(harness: Harness, jobs: list[SlurmRun]) -> None:
    async with harness.work() as db:
        await ledger.take(db, jobs, now_s=int(harness.now.timestamp()))
    async with harness.work() as db:
        await ledger.settle(db, now_s=int(harness.now.timestamp()))


@pytest.fixture
async def jobs(harness: Harness) -> list[SlurmRun]:
    """Told as accounting does: some long after their months are settled, some twice."""
    pick = random.Random(5)  # noqa: S311  (a shuffled history, no secret)
    made = [job(number, pick) for number in range(1, JOBS + 1)]
    order = pick.sample(made, len(made))
    for at in range(0, len(order), 40):
        await tell(harness, order[max(0, at - 15) : at + 40])
        harness.pass_(minutes=20)
    return made


async def test_reports_equal_the_jobs_added_up_one_by_one(harness: Harness, jobs: list[SlurmRun]) -> None:
    for first, last in RANGES:
        for by in get_args(By):
            await equals(harness, jobs, ReportRequest(by, first, last))


async def equals(harness: Harness, jobs: list[SlurmRun], asked: ReportRequest) -> None:
    first, last = asked.first, asked.last
    report = await harness.reports.make(asked)
    assert figures(report.total) == one_by_one(jobs, first, last, harness.now), asked
    if asked.by == "month":
        for month in sorted({(first + timedelta(n)).replace(day=1) for n in range((last - first).days + 1)}):
            end = (month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
            expected = one_by_one(jobs, max(first, month), min(last, end), harness.now)
            assert figures(report.rows.get(f"{month:%Y-%m}", Part())) == expected, (asked, month)
        return
    of: defaultdict[str, list[SlurmRun]] = defaultdict(list)
    for job in jobs:
        for key in keys_of(asked.by, job, harness.groups):
            of[key].append(job)
    rows = {key: one_by_one(some, first, last, harness.now) for key, some in of.items()}
    results = {key: figures(part) for key, part in report.rows.items()}
    assert results == {key: row for key, row in rows.items() if any(row[0])}, asked


async def test_what_is_narrowed_equals_its_jobs_and_what_was_used_adds_up(
    harness: Harness, jobs: list[SlurmRun]
) -> None:
    first, last = RANGES[0]
    some = [job for job in jobs if (job.user, job.partition) == ("alice", "long")]
    report = await harness.reports.make(ReportRequest("account", first, last, user="alice", partition="long"))
    assert figures(report.total) == one_by_one(some, first, last, harness.now)
    for by in get_args(By):
        report = await harness.reports.make(ReportRequest(by, first, last))
        pieces = [await harness.reports.make(ReportRequest(by, day, day)) for day in (first, last)]
        pieces.append(
            await harness.reports.make(ReportRequest(by, first + timedelta(days=1), last - timedelta(days=1)))
        )
        added = Part()
        for piece in pieces:
            added.add(piece.total)
        assert report.total == added, "known and used, too: a whole is its parts"
        assert report.total.sums.gpu_used_s > 0
        over_time = Part()
        for part in report.series.values():
            over_time.add(part)
        assert over_time.sums == report.total.sums


def test_whole_months_are_those_within_the_days() -> None:
    assert whole_months(date(2026, 1, 1), date(2026, 1, 31)) == (date(2026, 1, 1), date(2026, 1, 31))
    assert whole_months(date(2025, 11, 2), date(2026, 2, 27)) == (date(2025, 12, 1), date(2026, 1, 31))
    assert whole_months(date(2026, 1, 2), date(2026, 2, 27)) is None
    assert whole_months(date(2026, 2, 1), date(2026, 2, 27)) is None
    assert whole_months(date(2024, 1, 31), date(2024, 2, 29)) == (date(2024, 2, 1), date(2024, 2, 29))
