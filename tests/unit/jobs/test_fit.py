"""What the last jobs of a name needed, and what would hold that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.db.engine import make_engine, unit_of_work
from portal.jobs.fit import JOBS, fit
from portal.jobs.models import JobRecord
from portal.jobs.store import JobStore

from .rows import row

BEGAN = datetime(2026, 11, 3, 12, tzinfo=UTC)
GIB = 1024


def ran(minutes: float, memory_mib: int | None = None, state: str = "COMPLETED", **more: Any) -> JobRecord:
    times = {"started_at": BEGAN, "ended_at": BEGAN + timedelta(minutes=minutes)}
    return row(more.pop("job_id", 1), state=state, used_memory_mib=memory_mib, **(times | more))


def test_the_largest_of_the_finished_jobs_counts_with_room_to_spare() -> None:
    found = fit([ran(20, 2 * GIB), ran(50, 3 * GIB), ran(90, 60 * GIB, "FAILED")])
    assert found is not None
    assert (found.jobs, found.peak_mib, found.longest_s) == (2, 3 * GIB, 50 * 60)
    assert (found.memory_mib, found.walltime_s) == (5 * GIB, 90 * 60)


@pytest.mark.parametrize(
    "last",
    [
        [],
        [ran(9, GIB)],
        [ran(60, GIB, "FAILED"), ran(60, GIB, "CANCELLED")],
        [row(1, state="COMPLETED", ended_at=BEGAN)],
    ],
    ids=["none", "short", "none finished", "never started"],
)
def test_jobs_that_show_nothing_suggest_nothing(last: list[JobRecord]) -> None:
    assert fit(last) is None


def test_nothing_is_said_of_what_ran_out() -> None:
    memory = fit([ran(20, GIB), ran(30, 4 * GIB, "OUT_OF_MEMORY")])
    assert memory is not None
    assert (memory.memory_mib, memory.walltime_s) == (None, 1800)
    time = fit([ran(20, GIB), ran(60, GIB, "TIMEOUT")])
    assert time is not None
    assert (time.memory_mib, time.walltime_s) == (2 * GIB, None)
    assert fit([ran(20), ran(60, state="TIMEOUT")]) is None


def test_a_short_job_shows_no_memory_but_its_time() -> None:
    found = fit([ran(2, 8 * GIB), ran(20, None)])
    assert found is not None
    assert (found.peak_mib, found.longest_s) == (None, 1200)


async def test_only_ones_own_single_jobs_of_the_name_are_compared(database: str) -> None:
    engine = make_engine(database)
    store = JobStore(unit_of_work(engine))
    others = [{"owner": "bob"}, {"name": "other"}, {"nodes": 2}, {"array_total": 3}, {"ended_at": None}]
    await store.save([ran(20, GIB, job_id=9 + number, **more) for number, more in enumerate(others)])
    await store.save([ran(20, GIB, job_id=100 + n, submitted_at=BEGAN + timedelta(hours=n)) for n in range(JOBS + 2)])
    last = await store.last("alice", "train", JOBS)
    assert [record.job_id for record in last] == [106, 105, 104, 103, 102]
    await engine.dispose()
