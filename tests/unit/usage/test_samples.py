"""Samples: one a minute and session, rolled up by the hour without loss, counted once whatever is done twice."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, insert, select

from portal.gpus.schemas import GpuUse
from portal.sessions.schemas import UsageOut
from portal.settings import Usage
from portal.usage.models import UsageHour, UsageSample
from portal.usage.samples import Measured, Samples, measured
from tests.unit.usage.conftest import START_S, Harness, session_row

SESSION = "abcdefghijkm"


async def count(harness: Harness, table: type[UsageSample] | type[UsageHour]) -> int:
    async with harness.work() as db:
        return (await db.execute(select(func.count()).select_from(table))).scalar_one()


async def known(harness: Harness) -> Measured:
    async with harness.work() as db:
        return (await measured(db, [SESSION]))[SESSION]


async def test_the_reports_of_an_interval_are_one_sample(harness: Harness) -> None:
    for cpu, gpu in ((100.0, 20.0), (300.0, 40.0)):
        gpus = [GpuUse(index=0, utilization=gpu, memory_used_mib=500), GpuUse(index=1, utilization=0.0)]
        harness.sampler.note(
            session_row(SESSION), UsageOut(at=harness.now, cpu_percent=cpu, memory_mib=1000, gpus=gpus)
        )
    harness.pass_(minutes=1)
    await harness.sampler.write()
    await harness.sampler.write()
    async with harness.work() as db:
        (row,) = (await db.scalars(select(UsageSample))).all()
    assert (row.at_s, row.seconds, row.cpu_percent, row.memory_mib) == (START_S, 60, 200, 1000)
    assert (row.gpus, row.gpu_percent, row.gpu_memory_mib) == (2, 15, 500)


@pytest.mark.parametrize("memory_mib", [10**30, 10**12])
@pytest.mark.parametrize("cpu_percent", [100.0, float("inf"), float("nan")])
async def test_one_absurd_report_costs_no_other_session_its_sample(
    harness: Harness, memory_mib: int, cpu_percent: float
) -> None:
    absurd = UsageOut.model_construct(at=harness.now, cpu_percent=cpu_percent, memory_mib=memory_mib, gpus=[])
    harness.sampler.note(session_row("absurdabsurd"), absurd)
    harness.sampler.note(session_row(SESSION), UsageOut(at=harness.now, cpu_percent=100.0, memory_mib=1000, gpus=[]))
    harness.pass_(minutes=1)
    await harness.sampler.write()
    async with harness.work() as db:
        sampled = (await db.scalars(select(UsageSample.session_id))).all()
    assert SESSION in sampled


async def test_a_slice_of_a_gpu_that_tells_nothing_is_unknown_not_idle(harness: Harness) -> None:
    await harness.sample(SESSION, 1, gpu=None)
    measured = await known(harness)
    assert (measured.gpu_known_s, measured.gpu_used_s, measured.cpu_known_s, measured.cpu_used_s) == (0, 0, 60, 240)


async def test_two_portals_and_a_restarted_one_count_an_interval_once(harness: Harness) -> None:
    other = harness.portal()
    use = UsageOut(at=harness.now, cpu_percent=100, memory_mib=1000, gpus=[])
    for sampler in (harness.sampler, other):
        sampler.note(session_row(SESSION), use)
    harness.pass_(minutes=1)
    await asyncio.gather(harness.sampler.write(), other.write())
    assert await count(harness, UsageSample) == 1


async def test_a_database_that_is_away_costs_the_samples_and_nothing_else(harness: Harness) -> None:
    await harness.sample(SESSION, 1)
    async with harness.engine.begin() as db:
        await db.run_sync(UsageSample.__table__.drop)
    await harness.sample(SESSION, 2)
    assert not harness.sampler.sums, "nothing is kept for later: memory stays small"


async def test_a_roll_up_keeps_what_was_measured_and_may_be_done_twice_at_once(harness: Harness) -> None:
    await harness.sample(SESSION, 90, gpu=25.0)
    before = await known(harness)
    assert (before.gpu_known_s, before.gpu_used_s) == (2 * 90 * 60, 2 * 90 * 60 / 4)
    harness.pass_(days=3)
    await asyncio.gather(harness.samples.roll_up(), harness.samples.roll_up())
    await harness.samples.roll_up()
    assert (await count(harness, UsageSample), await count(harness, UsageHour)) == (0, 2)
    assert await known(harness) == before
    async with harness.work() as db:
        first = (await db.scalars(select(UsageHour).order_by(UsageHour.at_s))).first()
    assert first is not None
    assert (first.at_s, first.seconds, first.memory_max_mib, first.gpu_percent) == (START_S, 3600, 2000, 25.0)
    harness.pass_(days=400)
    await harness.samples.roll_up()
    assert await count(harness, UsageHour) == 0


async def test_rows_of_a_session_that_never_ends_are_bounded(harness: Harness) -> None:
    settings = Usage(raw_days=1, hourly_days=3)
    samples = Samples(harness.work, harness.clock, settings)
    counts = []
    for hour in range(5 * 24):
        rows = [
            {"session_id": SESSION, "at_s": START_S + hour * 3600 + minute * 60, "seconds": 60, "gpus": 1}
            for minute in range(60)
        ]
        async with harness.work() as db:
            await db.execute(insert(UsageSample), rows)
        harness.pass_(hours=1)
        await samples.roll_up()
        counts.append((await count(harness, UsageSample), await count(harness, UsageHour)))
    assert counts[-1] == (24 * 60, 2 * 24)
    assert max(counts) == counts[-1]


async def test_a_session_is_drawn_over_its_life_with_its_gaps(harness: Harness) -> None:
    assert await harness.samples.points(SESSION) == (0, [])
    await harness.sample(SESSION, 3)
    harness.pass_(minutes=5)
    await harness.sample(SESSION, 1)
    step_s, points = await harness.samples.points(SESSION)
    assert step_s == 60
    assert [(point.at_s - START_S) // 60 for point in points] == [0, 1, 2, 8]
    harness.pass_(days=1)
    await harness.sample(SESSION, 1)
    step_s, points = await harness.samples.points(SESSION)
    assert (step_s, len(points)) == (240, 3), "a day is drawn in few points"
