"""How SQLite finds rows in tables where nearly everything is over: by an index, from where the answer begins."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from portal.audit.service import Audit, AuditFilter
from portal.db import migrate
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.events.bus import Bus
from portal.idempotency.service import IdempotencyKeys
from portal.retention.service import Retention
from portal.sessions.store import SessionStore
from portal.settings.retention import Retention as Days
from portal.usage import ledger
from tests.unit.http.rows import session_row

NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    url = f"sqlite+aiosqlite:///{tmp_path}/portal.sqlite"
    migrate.upgrade(url)
    engine = make_engine(url)
    yield engine
    await engine.dispose()


def page(states: str, before: datetime | None = None) -> Callable[[UnitOfWork], Awaitable[Any]]:
    return lambda work: store(work).page(None, states=states, limit=9, before=before)


def store(work: UnitOfWork) -> SessionStore:
    def render(record: Any) -> Any:
        raise AssertionError("nothing is told here")

    return SessionStore(work, Bus(), lambda: NOW, render)


async def old_sessions(work: UnitOfWork) -> None:
    row = session_row("ended0000000", owner="alice", at=NOW - timedelta(days=500), state="ended")
    row.ended_at = row.created_at
    async with work() as db:
        db.add(row)
    await Retention(work, Audit(work, lambda: NOW), {}, lambda: NOW, Days()).prune()


async def open_jobs(work: UnitOfWork) -> None:
    async with work() as db:
        await ledger.settle(db, now_s=0)
        await ledger.measure(db)


async def old_keys(work: UnitOfWork) -> None:
    await IdempotencyKeys(work, lambda: NOW).forget(9)


async def audit_of_a_day(work: UnitOfWork) -> None:
    audit, day = Audit(work, lambda: NOW), timedelta(days=1)
    asked = AuditFilter(since=NOW - day, until=NOW + day)
    assert await audit.page(asked, limit=10) == []
    await audit.record(actor="alice", action="x", target="")
    assert len(await audit.page(asked, limit=10)) == 1


@pytest.mark.parametrize(
    ("table", "index", "read"),
    [
        ("sessions", "ix_sessions_active", lambda work: store(work).active()),
        ("sessions", "ix_sessions_active", page("active")),
        ("sessions", "ix_sessions_created_at", page("all")),
        (
            "sessions",
            "ix_sessions_created_at",
            page("ended", NOW),
        ),
        ("sessions", "ix_sessions_ended_at", lambda work: store(work).recently_ended(timedelta(hours=1))),
        ("sessions", "ix_sessions_ended_at", old_sessions),
        ("usage_jobs", "ix_usage_jobs_open", open_jobs),
        ("idempotency_keys", "autoindex_idempotency_keys_1 (owner=? AND key=?)", old_keys),
        ("audit", "PRIMARY KEY", audit_of_a_day),
    ],
    ids=[
        "active",
        "page-active",
        "page-all",
        "page-ended",
        "recently-ended",
        "retention",
        "open-jobs",
        "old-keys",
        "audit",
    ],
)
async def test_rows_are_found_by_an_index_and_not_sorted(
    engine: AsyncEngine, table: str, index: str, read: Callable[[UnitOfWork], Awaitable[Any]]
) -> None:
    asked: list[tuple[str, Any]] = []

    @event.listens_for(engine.sync_engine, "before_cursor_execute")
    def _heard(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        asked.append((statement, parameters))

    await read(unit_of_work(engine))
    plans = []
    async with engine.connect() as db:
        for statement, parameters in [value for value in asked if f"FROM {table}" in value[0]]:
            result = await db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.append([row[3] for row in result])
    assert any(index in step for plan in plans for step in plan), plans
    assert not [plan for plan in plans if any("TEMP B-TREE" in step or step == f"SCAN {table}" for step in plan)]
