"""How much space usage takes and how fast its reports are, with a million jobs in three years: on SQLite and
PostgreSQL.

Jobs go through the ledger as accounting's do. Sizes are those of the tables with their indexes, after VACUUM.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args
from unittest.mock import patch

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.testbed import report
from portal.db import migrate
from portal.db.engine import UnitOfWork, make_engine, unit_of_work
from portal.settings import Usage
from portal.slurm.job_runs import SlurmRun
from portal.usage import ledger, sums
from portal.usage.models import UsageSample
from portal.usage.reports import ReportRequest, Reports
from portal.usage.samples import Samples
from portal.usage.schemas import By
from tests.postgresql import cluster

YEARS = 3
USERS, ACCOUNTS = 300, 40
RUNNING = 2000
AT_ONCE = 20_000
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SESSIONS, HOURS = 100, 40
LEDGER = ("usage_jobs", "usage_days", "usage_waits", "usage_months", "usage_month_waits")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench usage", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="default: a million")
    parser.add_argument("-n", type=int, default=20, help="reports of each kind (default: 20)")
    parser.add_argument("--on", choices=("sqlite", "postgresql"), help="default: both")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    result = {}
    for name in [options.on] if options.on else ["sqlite", "postgresql"]:
        with database(name) as url:
            result[name] = asyncio.run(measure(url, options.jobs, options.n))
    print(json.dumps(result, indent=2))
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


@contextmanager
def database(name: str) -> Iterator[str]:
    if name == "sqlite":
        with tempfile.TemporaryDirectory(prefix="bench-usage-") as folder:
            url = f"sqlite+aiosqlite:///{folder}/portal.sqlite"
            migrate.upgrade(url)
            yield url
        return
    with cluster() as server, server.database() as url:
        migrate.upgrade(url)
        yield url


async def measure(url: str, jobs: int, times: int) -> dict[str, Any]:
    engine = make_engine(url)
    work = unit_of_work(engine)
    try:
        result = await weigh_samples(engine, work)
        result["ledger_jobs_per_s"] = round(await fill(work, jobs))
        result["ledger_bytes_per_job"] = round(await size(engine, *LEDGER) / jobs, 1)
        result["reports_ms"] = await time_reports(work, times)
        with patch.object(sums, "whole_months", lambda first, last: None):
            result["reports_from_days_alone_ms"] = await time_reports(work, max(1, times // 5))
        return result
    finally:
        await engine.dispose()


async def weigh_samples(engine: AsyncEngine, work: UnitOfWork) -> dict[str, Any]:
    """Return the bytes that an hour of one session takes, sampled every minute: raw, and rolled up."""
    begin_s = int(NOW.timestamp()) - HOURS * 3600
    pick = random.Random(1)  # noqa: S311  (test data, not secrets)
    rows = [
        {
            "session_id": f"session{number:05}",
            "at_s": begin_s + minute * 60,
            "seconds": 60,
            "cpu_percent": pick.randrange(3200),
            "memory_mib": pick.randrange(384_000),
            "gpus": 4,
            "gpu_percent": pick.randrange(101),
            "gpu_memory_mib": pick.randrange(320_000),
            "gpu_peak_percent": pick.randrange(101),
            "power_w": pick.randrange(2800),
            "kernel_busy_percent": pick.randrange(101),
            "programs": pick.randrange(3),
            "quiet_s": pick.randrange(3600),
            "disk_kib_s": pick.randrange(100_000),
            "network_kib_s": pick.randrange(10_000),
            "sm_percent": pick.randrange(101),
            "bandwidth_percent": pick.randrange(101),
            "pcie_mib_s": pick.randrange(100_000),
            "nvlink_mib_s": pick.randrange(1_000_000),
        }
        for number in range(SESSIONS)
        for minute in range(HOURS * 60)
    ]
    empty = await size(engine, "usage_samples"), await size(engine, "usage_hours")
    began = time.perf_counter()
    async with work() as db:
        await db.execute(insert(UsageSample), rows[:200])
    batch_ms = (time.perf_counter() - began) * 1000
    async with work() as db:
        await db.execute(insert(UsageSample), rows[200:])
    raw = await size(engine, "usage_samples") - empty[0]
    began = time.perf_counter()
    await Samples(work, lambda: NOW + timedelta(days=3), Usage()).roll_up()
    rolled_ms = (time.perf_counter() - began) * 1000
    hourly = await size(engine, "usage_hours") - empty[1]
    return {
        "bytes_per_session_hour_raw": round(raw / SESSIONS / HOURS),
        "bytes_per_session_hour_rolled_up": round(hourly / SESSIONS / HOURS),
        "write_of_200_samples_ms": round(batch_ms, 1),
        f"roll_up_of_{len(rows)}_samples_ms": round(rolled_ms),
    }


async def fill(work: UnitOfWork, jobs: int) -> float:
    """Record jobs as accounting reports them, and settle them; return how many a second."""
    pick = random.Random(2)  # noqa: S311
    began = time.perf_counter()
    now_s = int(NOW.timestamp())
    for first in range(0, jobs, AT_ONCE):
        async with work() as db:
            await ledger.take(db, [job(number, jobs, pick) for number in range(first, first + AT_ONCE)], now_s=now_s)
        more = True
        while more:
            async with work() as db:
                more = await ledger.settle(db, now_s=now_s)
    return jobs / (time.perf_counter() - began)


def job(number: int, jobs: int, pick: random.Random) -> SlurmRun:
    """Return one job of three years; they start in the order of their numbers, and the last ones are running."""
    started = NOW - timedelta(days=YEARS * 365) * (1 - number / jobs)
    user = min(int(pick.expovariate(8 / USERS)), USERS - 1)
    ended = started + timedelta(seconds=pick.lognormvariate(7.5, 1.5))
    gpus = pick.choice((0, 1, 1, 2, 4, 8))
    return SlurmRun(
        job_id=number + 1,
        user=f"user{user:03}",
        account=f"account{user % ACCOUNTS:02}",
        partition=pick.choice(("short", "long", "interactive")),
        gpu_type=pick.choice(("v100", "a100", "h100")) if gpus else "",
        gpus=gpus,
        cpus=8 * max(1, gpus),
        wait_s=0 if pick.random() < 0.5 else round(pick.lognormvariate(6, 2)),
        started_at=started,
        ended_at=None if jobs - number <= RUNNING else min(ended, NOW),
        cpu_used_s=100,
        gpu_percent=pick.uniform(0, 100) if gpus and pick.random() < 0.7 else None,
    )


async def time_reports(work: UnitOfWork, times: int) -> dict[str, dict[str, float]]:
    async def groups(user: str) -> tuple[str, ...]:
        return (f"group{user[-1]}", "everybody")

    reports = Reports(work, lambda: NOW, groups)
    ranges = {"month": date(2026, 11, 1), "year": date(2025, 11, 22), "all": date(2023, 11, 1)}
    results = {}
    for name, first in ranges.items():
        samples = []
        for _ in range(times):
            for by in get_args(By):
                began = time.perf_counter()
                await reports.make(ReportRequest(by, first, NOW.date()))
                samples.append((time.perf_counter() - began) * 1000)
        ordered = sorted(samples)
        results[name] = {
            "median": round(statistics.median(ordered), 1),
            "p95": round(ordered[int(len(ordered) * 0.95)], 1),
        }
    return results


async def size(engine: AsyncEngine, *tables: str) -> int:
    """Return the bytes of tables with their indexes."""
    async with engine.connect() as db:
        db = await db.execution_options(isolation_level="AUTOCOMMIT")
        if engine.dialect.name == "sqlite":
            await db.execute(text("VACUUM"))
            names = "SELECT name FROM sqlite_master WHERE tbl_name = :t"
            query = f"SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN ({names})"  # noqa: S608
        else:
            await db.execute(text("VACUUM FULL"))
            query = "SELECT pg_total_relation_size(CAST(:t AS regclass))"
        return sum([int((await db.execute(text(query), {"t": table})).scalar_one()) for table in tables])


if __name__ == "__main__":
    sys.exit(main())
