"""What sessions, batch jobs and open submissions hold, and the GPU-hours of the month."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.jobs.models import JobRecord, SubmissionRecord
from portal.limits.holdings import UserHoldings, held
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import START

HOUR = timedelta(hours=1)


def job(**values: Any) -> JobRecord:
    known: dict[str, Any] = {
        "job_id": 7, "owner": "alice", "name": "train", "partition": "sxm2", "account": "", "qos": "",
        "state": "PENDING", "nodes": 1, "node_list": "", "gpus": 2, "cpus": 4, "walltime_s": 4 * 3600,
        "submitted_at": START, "accounted": False, "array_pending": 0, "array_running": 0, "array_done": 0,
        "array_failed": 0, "array_cancelled": 0, "from_portal": True, "notify": False,
    }  # fmt: skip
    return JobRecord(**known | values)


@pytest.fixture
async def work(database: str) -> AsyncIterator[UnitOfWork]:
    engine = make_engine(database)
    yield unit_of_work(engine)
    await engine.dispose()


async def of(work: UnitOfWork, *rows: object) -> UserHoldings:
    async with work() as db:
        db.add_all(rows)
        await db.flush()
        return (await held(db, START)).get("alice", UserHoldings())


@pytest.mark.parametrize(
    ("values", "gpus", "used", "promised"),
    [
        ({}, 2, 0, 8),
        ({"started_at": START - HOUR, "state": "RUNNING"}, 2, 2, 6),
        ({"started_at": START - HOUR, "ends_at": START + HOUR, "state": "RUNNING"}, 2, 2, 2),
        ({"started_at": START - 2 * HOUR, "ended_at": START - HOUR}, 0, 2, 0),
        ({"ended_at": START - HOUR}, 0, 0, 0),
        ({"gpus": 0}, 0, 0, 0),
        ({"array_range": "0-9"}, 20, 0, 80),
        ({"array_range": "0-9", "array_at_once": 3}, 6, 0, 80),
        ({"array_range": "0-9", "array_total": 10, "array_pending": 2, "array_running": 1, "array_done": 7,
          "started_at": START - HOUR}, 6, 16, 22),
        ({"array_range": "0-1", "started_at": START - 2 * HOUR, "ended_at": START, "held_cpu_s": 4 * 3600.0}, 0, 2, 0),
    ],
)  # fmt: skip
async def test_job_holds_gpus_until_it_ends(
    work: UnitOfWork, values: dict[str, Any], gpus: int, used: float, promised: float
) -> None:
    holding = await of(work, job(**values))
    assert (holding.gpus, round(holding.used, 6), round(holding.promised, 6)) == (gpus, used, promised)


async def test_sessions_jobs_and_open_submissions_add_up(work: UnitOfWork) -> None:
    asked = {"owner": "alice", "script": "", "at": START, "traceable": True, "gpus": 3, "gpu_hours": 5.0}
    holding = await of(
        work,
        session_row("aaaaaaaaaaaa", owner="alice", at=START, gpus=1, state="queued"),
        job(),
        job(job_id=8, owner="bob"),
        SubmissionRecord(id="a" * 12, state="open", **asked),
        SubmissionRecord(id="b" * 12, state="submitted", **asked),
    )
    assert (holding.sessions, holding.gpus) == (1, 6)
    assert holding.promised > 13
