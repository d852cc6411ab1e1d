"""Samples: one a minute and session, rolled up by the hour without loss, counted once whatever is done twice."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from portal.sessions.schemas import GpuUse, UsageOut
from portal.usage.models import UsageHour, UsageSample
from portal.usage.samples import Measured, measured
from tests.unit.usage.conftest import START_S, Desk, session_row

SESSION = "abcdefghijkm"


async def count(desk: Desk, table: type[UsageSample] | type[UsageHour]) -> int:
    async with desk.work() as db:
        return (await db.execute(select(func.count()).select_from(table))).scalar_one()


async def known(desk: Desk) -> Measured:
    async with desk.work() as db:
        return (await measured(db, [SESSION]))[SESSION]


async def test_the_reports_of_an_interval_are_one_sample(desk: Desk) -> None:
    for cpu, gpu in ((100.0, 20.0), (300.0, 40.0)):
        gpus = [GpuUse(index=0, utilization=gpu, memory_used_mib=500), GpuUse(index=1, utilization=0.0)]
        desk.sampler.note(session_row(SESSION), UsageOut(at=desk.now, cpu_percent=cpu, memory_mib=1000, gpus=gpus))
    desk.pass_(minutes=1)
    await desk.sampler.write()
    await desk.sampler.write()
    async with desk.work() as db:
        (row,) = (await db.scalars(select(UsageSample))).all()
    assert (row.at_s, row.seconds, row.cpu_percent, row.memory_mib) == (START_S, 60, 200, 1000)
    assert (row.gpus, row.gpu_percent, row.gpu_memory_mib) == (2, 15, 500)


@pytest.mark.parametrize("memory_mib", [10**30, 10**12])
@pytest.mark.parametrize("cpu_percent", [100.0, float("inf"), float("nan")])
async def test_one_absurd_report_costs_no_other_session_its_sample(
    desk: Desk, memory_mib: int, cpu_percent: float
) -> None:
    absurd = UsageOut.model_construct(at=desk.now, cpu_percent=cpu_percent, memory_mib=memory_mib, gpus=[])
    desk.sampler.note(session_row("absurdabsurd"), absurd)
    desk.sampler.note(session_row(SESSION), UsageOut(at=desk.now, cpu_percent=100.0, memory_mib=1000, gpus=[]))
    desk.pass_(minutes=1)
    await desk.sampler.write()
    async with desk.work() as db:
        sampled = (await db.scalars(select(UsageSample.session_id))).all()
    assert SESSION in sampled


async def test_a_slice_of_a_gpu_that_tells_nothing_is_unknown_not_idle(desk: Desk) -> None:
    await desk.sample(SESSION, 1, gpu=None)
    measured = await known(desk)
    assert (measured.gpu_known_s, measured.gpu_used_s, measured.cpu_known_s, measured.cpu_used_s) == (0, 0, 60, 240)


async def test_two_portals_and_a_restarted_one_count_an_interval_once(desk: Desk) -> None:
    other = desk.portal()
    use = UsageOut(at=desk.now, cpu_percent=100, memory_mib=1000, gpus=[])
    for sampler in (desk.sampler, other):
        sampler.note(session_row(SESSION), use)
    desk.pass_(minutes=1)
    await asyncio.gather(desk.sampler.write(), other.write())
    assert await count(desk, UsageSample) == 1


async def test_a_database_that_is_away_costs_the_samples_and_nothing_else(desk: Desk) -> None:
    await desk.sample(SESSION, 1)
    async with desk.engine.begin() as db:
        await db.run_sync(UsageSample.__table__.drop)
    await desk.sample(SESSION, 2)
    assert not desk.sampler._sums, "nothing is kept for later: memory stays small"


async def test_a_roll_up_keeps_what_was_measured_and_may_be_done_twice_at_once(desk: Desk) -> None:
    await desk.sample(SESSION, 90, gpu=25.0)
    before = await known(desk)
    assert (before.gpu_known_s, before.gpu_used_s) == (2 * 90 * 60, 2 * 90 * 60 / 4)
    desk.pass_(days=3)
    await asyncio.gather(desk.samples.roll_up(), desk.samples.roll_up())
    await desk.samples.roll_up()
    assert (await count(desk, UsageSample), await count(desk, UsageHour)) == (0, 2)
    assert await known(desk) == before
    async with desk.work() as db:
        first = (await db.scalars(select(UsageHour).order_by(UsageHour.at_s))).first()
    assert first is not None
    assert (first.at_s, first.seconds, first.memory_max_mib, first.gpu_percent) == (START_S, 3600, 2000, 25.0)
    desk.pass_(days=400)
    await desk.samples.roll_up()
    assert await count(desk, UsageHour) == 0


async def test_a_session_is_drawn_over_its_life_with_its_gaps(desk: Desk) -> None:
    assert await desk.samples.points(SESSION) == (0, [])
    await desk.sample(SESSION, 3)
    desk.pass_(minutes=5)
    await desk.sample(SESSION, 1)
    step_s, points = await desk.samples.points(SESSION)
    assert step_s == 60
    assert [(point.at_s - START_S) // 60 for point in points] == [0, 1, 2, 8]
    desk.pass_(days=1)
    await desk.sample(SESSION, 1)
    step_s, points = await desk.samples.points(SESSION)
    assert (step_s, len(points)) == (240, 3), "a day is drawn in few points"
