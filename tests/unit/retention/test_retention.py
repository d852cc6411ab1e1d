"""Rows past their retention time are deleted in slices; the rest stays, and the audit log records it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import DBAPIError

from portal.audit.models import AuditRecord
from portal.audit.service import Audit
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.idempotency.models import KeyRecord
from portal.idempotency.service import KEPT, IdempotencyKeys
from portal.jobs.models import JobRecord
from portal.jobs.store import JobStore
from portal.retention import service
from portal.retention.service import Retention
from portal.sessions.models import SessionEvent, SessionRecord
from portal.settings.retention import Retention as Days
from portal.usage import ledger
from portal.usage.models import UsageJob, UsageWhose
from tests.unit.http.rows import session_row
from tests.unit.jobs.rows import row
from tests.unit.sessions.conftest import START


@pytest.fixture
async def work(database: str) -> AsyncIterator[UnitOfWork]:
    engine = make_engine(database)
    yield unit_of_work(engine)
    await engine.dispose()


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SLICE", 2)
    monkeypatch.setattr(service, "PAUSE_S", 0)


def retention(work: UnitOfWork, **days: int) -> Retention:
    others = {
        "keys": IdempotencyKeys(work, lambda: START).forget,
        "jobs": partial(JobStore(work).forget, START - timedelta(days=365)),
        "usage_jobs": partial(old_use, work),
    }
    return Retention(work, Audit(work, lambda: START), others, lambda: START, Days(**days))


async def old_use(work: UnitOfWork, at_most: int) -> int:
    async with work() as db:
        return await ledger.forget(db, START - timedelta(days=800), at_most)


async def add_sessions(work: UnitOfWork, ages_days: list[int], *, state: str = "ended") -> None:
    for age in ages_days:
        at = START - timedelta(days=age)
        session = session_row(f"{state[:4]}{age:08}", owner="alice", at=at, state=state, server_name=f"{state}{age}")
        session.ended_at = at if state == "ended" else None
        async with work() as db:
            db.add(session)
            await db.flush()
            db.add_all(SessionEvent(session_id=session.id, at=at, stage=state, message="done") for _ in range(3))


async def test_ended_sessions_go_after_their_time_with_their_events(work: UnitOfWork) -> None:
    await add_sessions(work, [500, 400, 390, 380, 370, 364, 1])
    await add_sessions(work, [600], state="ready")
    result = retention(work, sessions_days=365, events_days=0)
    await result.prune()
    async with work() as db:
        left = {record.id for record in await db.scalars(select(SessionRecord))}
        of_events = set(await db.scalars(select(SessionEvent.session_id)))
    assert left == of_events == {"ende00000364", "ende00000001", "read00000600"}
    assert result.pruned == {"sessions": 5}
    assert result.last_at == {"sessions": START}


async def test_events_go_before_their_sessions(work: UnitOfWork) -> None:
    await add_sessions(work, [200, 100, 10])
    result = retention(work, sessions_days=365, events_days=90)
    await result.prune()
    async with work() as db:
        assert len((await db.scalars(select(SessionRecord))).all()) == 3
        assert set(await db.scalars(select(SessionEvent.session_id))) == {"ende00000010"}
    assert result.pruned == {"events": 6}


async def test_nothing_goes_where_days_are_zero(work: UnitOfWork) -> None:
    await add_sessions(work, [5000])
    result = retention(work, sessions_days=0, events_days=0, audit_days=0)
    await result.prune()
    assert not result.pruned


async def test_keys_of_requests_go_after_their_time(work: UnitOfWork) -> None:
    hour = timedelta(hours=1)
    ages = [KEPT + n * hour for n in range(1, 6)] + [KEPT - hour]
    async with work() as db:
        db.add_all(
            KeyRecord(owner=f"user{n % 2}", key=f"key-{n}", digest="", made="x", at=START - age)
            for n, age in enumerate(ages)
        )
    result = retention(work)
    await result.prune()
    async with work() as db:
        assert [record.key for record in await db.scalars(select(KeyRecord))] == ["key-5"]
    assert result.pruned == {"keys": 5}


async def test_jobs_and_their_use_go_after_their_time(work: UnitOfWork) -> None:
    async with work() as db:
        db.add_all(row(n, ended_at=START - timedelta(days=364 + n)) for n in range(1, 5))
        db.add(row(5, ended_at=None))
        db.add(UsageWhose(id=1, owner="alice", account="a", partition="p", gpu_type=""))
        await db.flush()
        db.add_all(use(n, START - timedelta(days=799 + n), settled=n != 4) for n in range(1, 5))
    result = retention(work)
    await result.prune()
    async with work() as db:
        assert set(await db.scalars(select(JobRecord.job_id))) == {1, 5}
        assert set(await db.scalars(select(UsageJob.job_id))) == {1, 4}, "the last is not in the sums yet"
    assert result.pruned == {"jobs": 3, "usage_jobs": 2}


def use(job_id: int, started: datetime, *, settled: bool) -> UsageJob:
    none = dict.fromkeys(("gpus", "cpus", "gpu_known_s", "gpu_used_s", "cpu_known_s", "cpu_used_s"), 0)
    return UsageJob(job_id=job_id, started_s=int(started.timestamp()), whose_id=1, settled=settled, **none)


async def add_audit(work: UnitOfWork, ages_days: list[int]) -> None:
    async with work() as db:
        db.add_all(
            AuditRecord(
                at=START - timedelta(days=age), actor="alice", action="x", target=str(age), result="ok", address=""
            )
            for age in ages_days
        )


async def test_pruned_audit_says_what_went(work: UnitOfWork) -> None:
    await add_audit(work, [900, 800, 750, 729, 1])
    for _ in range(2):
        await retention(work, audit_days=730).prune()
    async with work() as db:
        rows = (await db.scalars(select(AuditRecord).order_by(AuditRecord.id))).all()
    assert [row.target for row in rows[:-1]] == ["729", "1"]
    assert (rows[-1].actor, rows[-1].action) == ("portal", "audit.prune")
    assert rows[-1].detail == {"records": 3, "days": 730}


async def test_audit_refuses_to_lose_what_no_record_says_was_pruned(work: UnitOfWork) -> None:
    await add_audit(work, [900, 1])
    with pytest.raises(DBAPIError, match="append-only"):
        async with work() as db:
            await db.execute(delete(AuditRecord).where(AuditRecord.target == "900"))
    await retention(work, audit_days=730).prune()
    with pytest.raises(DBAPIError, match="append-only"):
        async with work() as db:
            await db.execute(delete(AuditRecord))


@pytest.mark.parametrize(("set_by", "deleted"), [(timedelta(days=400), 0), (timedelta(0), 1)])
async def test_nothing_is_deleted_by_a_clock_that_has_been_set(
    work: UnitOfWork, monkeypatch: pytest.MonkeyPatch, set_by: timedelta, deleted: int
) -> None:
    await add_sessions(work, [400 if deleted else 1])
    retention = Retention(work, Audit(work, lambda: START), {}, lambda: START + set_by, Days(), lambda: START)

    async def over(_: float) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr("portal.loops.pause", over)
    with pytest.raises(asyncio.CancelledError):
        await retention.run()
    assert retention.pruned["sessions"] == deleted
