"""Totals over time: one sample a minute, rolled up after two days, gaps left as gaps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from portal.cluster.history import RAW_S, ROLLED_S, History
from portal.cluster.models import TotalsRecord
from portal.cluster.totals import Totals, mean, totals_of
from portal.db import migrate
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.slurm.nodes import GpuCount, Node, NodeState
from portal.slurm.snapshot import Reach, Snapshot

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
NODES = (
    Node("a", NodeState.MIXED, cpus=40, cpus_allocated=8, memory_mib=1000, gpus=(GpuCount("v100", 4, 2),)),
    Node("b", NodeState.MIXED, flags=frozenset({"DRAIN"}), cpus=40, memory_mib=1000, gpus=(GpuCount("v100", 4, 1),)),
)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
async def work(tmp_path: Path) -> AsyncIterator[UnitOfWork]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'portal.sqlite'}"
    migrate.upgrade(url)
    engine = make_engine(url)
    yield unit_of_work(engine)
    await engine.dispose()


async def rows(work: UnitOfWork) -> dict[int, int]:
    async with work() as db:
        result = await db.execute(select(TotalsRecord.step_s, func.count()).group_by(TotalsRecord.step_s))
        return {row[0]: row[1] for row in result}


def snapshot(at: datetime, state: Reach = Reach.UP) -> Snapshot:
    return Snapshot(state=state, nodes=NODES, nodes_as_of=at)


def test_what_a_drained_node_still_runs_is_in_use_and_the_rest_of_it_is_down() -> None:
    totals = totals_of(NODES, running=2, waiting=5)
    assert (totals.gpus, totals.gpus_used, totals.gpus_down) == (8, 3, 3)
    assert (totals.cpus, totals.cpus_used, totals.cpus_down) == (80, 8, 40)
    assert (totals.jobs_running, totals.jobs_waiting) == (2, 5)


def test_what_is_free_on_a_reserved_node_counts_as_reserved() -> None:
    reserved = replace(NODES[0], flags=frozenset({"RESERVED"}))
    totals = totals_of([reserved, NODES[1]], running=2, waiting=5)
    assert (totals.gpus, totals.gpus_used, totals.gpus_reserved, totals.gpus_down) == (8, 3, 2, 3)
    assert (totals.cpus_used, totals.cpus_reserved, totals.cpus_down) == (8, 32, 40)
    assert (totals.memory_reserved_mib, totals.memory_down_mib) == (1000, 1000)
    drained = replace(reserved, flags=frozenset({"RESERVED", "DRAIN"}))
    assert totals_of([drained], running=0, waiting=0).gpus_down == 2, "a drained node is no use to a reservation"


def test_a_mean_keeps_whole_gpus_of_what_there_is() -> None:
    both = mean([Totals(gpus=8, gpus_used=1), Totals(gpus=12, gpus_used=2)])
    assert (both.gpus, both.gpus_used) == (12, 1.5)


async def test_one_sample_a_minute_and_none_while_slurm_is_down(work: UnitOfWork) -> None:
    clock = Clock()
    history = History(work, clock, keep_days=400)
    for second in range(0, 300, 5):
        clock.now = START + timedelta(seconds=second)
        down = 120 <= second < 180
        await history.take(snapshot(clock.now, Reach.DOWN if down else Reach.UP), running=1, waiting=0)
    _, step_s, items = await history.read("hour")
    assert step_s == RAW_S
    assert [at.minute for at, _ in items] == [0, 1, 3, 4], "a gap is a gap"
    assert await rows(work) == {RAW_S: 5 - 1}


async def test_a_restarted_portal_does_not_stumble_over_the_minute_it_has_written(work: UnitOfWork) -> None:
    for _ in range(2):
        await History(work, Clock(), keep_days=400).take(snapshot(START), running=1, waiting=0)
    assert await rows(work) == {RAW_S: 1}


async def test_samples_are_rolled_up_after_two_days_and_forgotten_in_the_end(work: UnitOfWork) -> None:
    clock = Clock()
    history = History(work, clock, keep_days=30)
    for minute in range(60):
        clock.now = START + timedelta(minutes=minute)
        await history.take(snapshot(clock.now), running=minute, waiting=0)
    clock.now = START + timedelta(days=3)
    await history.roll_up()
    await history.roll_up()
    assert await rows(work) == {ROLLED_S: 2}
    _, step_s, items = await history.read("week")
    assert step_s == ROLLED_S
    assert [totals.jobs_running for _, totals in items] == [14.5, 44.5]
    assert (await history.read("day"))[2] == []
    assert len((await history.read("month"))[2]) == 1
    clock.now = START + timedelta(days=31)
    await history.roll_up()
    assert await rows(work) == {}
