"""How much space a year of 1,000 sessions a day takes in SQLite, how fast its lists are, and what pruning costs.

Needs no site: rows are written into a new database (`bench/testbed/year_rows.py`) and read as the pages read them,
through the stores and reports, before and after retention has run to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.testbed import report
from bench.testbed.year_rows import FIRST_DAY, USERS, fill
from portal.audit.service import Audit, AuditFilter
from portal.db import migrate
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.events.bus import Bus
from portal.idempotency.service import IdempotencyKeys
from portal.jobs.store import JobStore
from portal.retention.service import Retention
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import SessionOut
from portal.sessions.store import SessionStore
from portal.settings.retention import Retention as Days
from portal.usage.reports import ReportRequest, Reports

Read = Awaitable[Any]
ROOT = Path(__file__).resolve().parent.parent
EVERY_S = 0.1
"""How often others read and write while rows are deleted."""

#: A portal on the database, in its own process: seconds until it serves, and until it has read the active sessions.
STARTING = """
import asyncio, json, sys, time
began = time.perf_counter()
from pathlib import Path
from portal.app import create_app
from portal.settings.retention import Retention
from tests.unit.http.conftest import settings

async def run(folder, url):
    kept = Retention(sessions_days=0, events_days=0, audit_days=0)
    app = create_app(settings(folder, url).model_copy(update={"retention": kept}))
    async with app.router.lifespan_context(app):
        serves_s = time.perf_counter() - began
        await app.state.portal.sessions.store.active()
        await app.state.portal.jobs.reconciler.load()
        return {"serves_s": round(serves_s, 2), "has_read_s": round(time.perf_counter() - began, 2)}

told = asyncio.run(run(Path(sys.argv[1]), sys.argv[2]))
print(json.dumps(told))
"""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench year", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--days", type=int, default=365, help="default: a year")
    parser.add_argument("--sessions", type=int, default=1000, help="sessions a day, and batch jobs (default: 1000)")
    parser.add_argument("--keep", type=int, default=335, help="days that sessions and audit are kept (default: 335)")
    parser.add_argument("--keep-events", type=int, default=275, help="days that events are kept (default: 275)")
    parser.add_argument("-n", type=int, default=20, help="readings of each list (default: 20)")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    days = Days(sessions_days=options.keep, audit_days=options.keep, events_days=options.keep_events)
    with tempfile.TemporaryDirectory(prefix="bench-year-") as folder:
        url = f"sqlite+aiosqlite:///{folder}/portal.sqlite"
        migrate.upgrade(url)
        result = asyncio.run(measure(url, options.days, options.sessions, days, options.n))
    used = resource.getrusage(resource.RUSAGE_SELF)
    result["cpu_s"] = round(used.ru_utime + used.ru_stime)
    print(json.dumps(result, indent=2))
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


async def measure(url: str, days: int, a_day: int, kept: Days, times: int) -> dict[str, Any]:
    now = FIRST_DAY + timedelta(days=days)
    engine = make_engine(url)
    work = unit_of_work(engine)
    try:
        began = time.perf_counter()
        rows = await fill(url, work, days=days, a_day=a_day)
        print(f"{sum(rows.values())} rows are written ({time.perf_counter() - began:.0f} s)", flush=True)
        result: dict[str, Any] = {"rows": rows, "size": await size(engine)}
        result["start"] = [await asyncio.to_thread(start, url) for _ in range(min(3, times))]
        lists = Lists(work, now, days)
        result["lists_ms"] = await lists.measure(times)
        result["retention"] = await prune(work, now, kept)
        result["lists_after_ms"] = await lists.measure(times)
        result["size_after"] = await size(engine)
        return result
    finally:
        await engine.dispose()


def start(url: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="bench-year-start-") as folder:
        argv = [sys.executable, "-P", "-c", STARTING, folder, url]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(argv, check=False, capture_output=True, text=True, env=environment, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"The portal did not start: {done.stderr[-2000:]}")
    data: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return data


async def size(engine: AsyncEngine) -> dict[str, float]:
    """Return the size of the file in MB, and how much of it is free pages, which later rows take."""
    async with engine.connect() as db:
        values = [
            int((await db.execute(text(f"PRAGMA {name}"))).scalar_one())
            for name in ("page_size", "page_count", "freelist_count")
        ]
    page, pages, free = values
    return {"mb": round(page * pages / 1e6, 1), "free_mb": round(page * free / 1e6, 1)}


class Lists:
    """What pages and loops read, each time for another user and another moment."""

    def __init__(self, work: UnitOfWork, now: datetime, days: int) -> None:
        self._now = now
        self._days = days
        self._pick = random.Random(4)  # noqa: S311  (which rows are read, not secrets)
        sessions = SessionStore(work, Bus(), lambda: now, _unseen)
        jobs, audit = JobStore(work), Audit(work, lambda: now)

        async def groups(user: str) -> tuple[str, ...]:
            return (f"group{user[-1]}",)

        reports = Reports(work, lambda: now, groups)

        def page(owner: str | None, states: str, limit: int = 51, query: str = "", *, old: bool = False) -> Read:
            before = self._moment() if old else None
            return sessions.page(owner, states=states, limit=limit, before=before, query=query)

        def records(before: int | None = None, limit: int = 101, **asked: Any) -> Read:
            return audit.page(AuditFilter(**asked), limit=limit, before=before)

        def week() -> Read:
            since = self._moment()
            return records(since=since, until=since + timedelta(days=7))

        def my_jobs(query: str = "") -> Read:
            return jobs.page(self._user(), state="all", query=query, limit=51, before=None)

        def month(user: str = "") -> Read:
            last = self._moment().date()
            return reports.make(ReportRequest("user", date(last.year, last.month, 1), last, user=user))

        self._lists: dict[str, Callable[[], Read]] = {
            "sessions of a user": lambda: page(self._user(), "all"),
            "sessions of a user: active": lambda: page(self._user(), "active"),
            "sessions of a user: ended, before": lambda: page(self._user(), "ended", old=True),
            "sessions: what the reconciler reads": lambda: sessions.active(),
            "sessions: what a start reads": lambda: sessions.active(self._user()),
            "sessions: what the Hub asks": lambda: sessions.recently_ended(timedelta(hours=1)),
            "sessions of everybody: active": lambda: page(None, "active", 501),
            "sessions of everybody: all, 500": lambda: page(None, "all", 501),
            "sessions of everybody: ended, before, 500": lambda: page(None, "ended", 501, old=True),
            "sessions of everybody: search of a user": lambda: page(None, "all", 501, self._user()),
            "sessions of everybody: search in vain": lambda: page(None, "all", 501, "nowhere"),
            "audit": lambda: records(),
            "audit: before": lambda: records(before=self._pick.randrange(1, self._days * 1000)),
            "audit: actor": lambda: records(actor=self._user()),
            "audit: action": lambda: records(action="job."),
            "audit: action in vain": lambda: records(action="limit."),
            "audit: refused": lambda: records(refused=True),
            "audit: a week": week,
            "audit: the last quarter": lambda: records(since=now - timedelta(days=90)),
            "audit: until a quarter ago": lambda: records(until=now - timedelta(days=90)),
            "audit: target in vain": lambda: records(target="nowhere"),
            "jobs of a user": lambda: my_jobs(),
            "jobs of a user: search in vain": lambda: my_jobs("nowhere"),
            "usage: a month by user": lambda: month(),
            "usage: a month of a user": lambda: month(self._user()),
        }

    def _user(self) -> str:
        return f"user{min(int(self._pick.expovariate(8 / USERS)), USERS - 1):03}"

    def _moment(self) -> datetime:
        return self._now - timedelta(days=self._pick.uniform(0, self._days))

    async def measure(self, times: int) -> dict[str, dict[str, float]]:
        results = {}
        for name, read in self._lists.items():
            samples = []
            for _ in range(times):
                began = time.perf_counter()
                await read()
                samples.append((time.perf_counter() - began) * 1000)
            samples.sort()
            results[name] = {
                "median": round(samples[len(samples) // 2], 1),
                "p95": round(samples[int(len(samples) * 0.95)], 1),
            }
            print(f"{name}: {results[name]}", flush=True)
        return results


@dataclass
class Waits:
    """How long others waited, in milliseconds."""

    samples: list[float] = field(default_factory=list)

    async def repeat(self, act: Callable[[], Read]) -> None:
        while True:
            began = time.perf_counter()
            await act()
            self.samples.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(EVERY_S)

    def told(self) -> dict[str, float]:
        ordered = sorted(self.samples)
        p95 = ordered[int(len(ordered) * 0.95)]
        return {"n": len(ordered), "p95_ms": round(p95, 1), "longest_ms": round(ordered[-1], 1)}


async def prune(work: UnitOfWork, now: datetime, kept: Days) -> dict[str, Any]:
    """Delete expired rows while one user reads a list and another writes audit entries."""
    audit = Audit(work, lambda: now)
    retention = Retention(work, audit, {"keys": IdempotencyKeys(work, lambda: now).forget}, lambda: now, kept)
    store = SessionStore(work, Bus(), lambda: now, _unseen)
    reader, writer = Waits(), Waits()
    others = [
        asyncio.create_task(
            reader.repeat(lambda: store.page("user001", states="all", limit=51, before=None)), name="reader"
        ),
        asyncio.create_task(writer.repeat(lambda: audit.write(_record(now))), name="writer"),
    ]
    began = time.perf_counter()
    await retention.prune()
    took_s = time.perf_counter() - began
    for other in others:
        other.cancel()
        with suppress(asyncio.CancelledError):
            await other
    return {
        "kept_days": kept.model_dump(),
        "rows": dict(retention.pruned),
        "took_s": round(took_s, 1),
        "reader": reader.told(),
        "writer": writer.told(),
    }


def _unseen(record: SessionRecord) -> SessionOut:
    raise NotImplementedError("No session changes here.")


def _record(now: datetime) -> dict[str, Any]:
    common = {"at": now, "actor": "user001", "action": "session.open", "target": "x", "result": "ok"}
    return common | {"address": "", "detail": {}}


if __name__ == "__main__":
    sys.exit(main())
