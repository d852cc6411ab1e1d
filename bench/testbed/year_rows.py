"""Writes many days of a site's rows into a SQLite database: one day through the models, the others as its copies.

Nothing crosses midnight, so that each day has the same sums of use.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, Table, create_engine, insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from portal.audit.models import AuditRecord
from portal.db.base import Base, UtcDateTime
from portal.db.engine import UnitOfWork
from portal.idempotency.models import KeyRecord
from portal.jobs.models import JobRecord
from portal.sessions.models import SessionEvent, SessionRecord
from portal.slurm.job_runs import SlurmRun
from portal.usage import ledger
from portal.usage.models import UsageDay, UsageHour, UsageJob, UsageWait

FIRST_DAY = datetime(2025, 11, 23, tzinfo=UTC)
USERS = 300
DAY_S = 86_400
ACTIVE = 60
"""Sessions that are not over at the end."""
RAW_DAYS = 2
STAGES = ("submitted", "queued", "allocated", "starting", "ready", "ended")
TABLES = (SessionRecord, SessionEvent, AuditRecord, JobRecord, UsageHour, UsageJob, UsageDay, UsageWait, KeyRecord)
SCRIPT = "#!/bin/bash\n#SBATCH --gpus=1 --cpus-per-task=8 --time=8:00:00\n" + "python train.py --fold $FOLD\n" * 20
NUMBERED = {"seq", "id", "intent_id", "job_id"}
SECONDS = {"at_s", "started_s", "ended_s"}
OF_SESSION = {("sessions", "id"), ("idempotency_keys", "made"), ("audit", "target")}


@dataclass(frozen=True, slots=True)
class Stay:
    """A session or a job of the day: its owner, and its times."""

    number: int
    owner: str
    asked: datetime
    started: datetime
    ended: datetime
    gpus: int

    @property
    def session_id(self) -> str:
        """Return seven random digits, as all ids begin, and five for the day."""
        return f"{self.number * 7_919_993 % 16**7:07x}00000"


async def fill(url: str, work: UnitOfWork, *, days: int, a_day: int) -> dict[str, int]:
    """Write `a_day` sessions and as many jobs for each of `days` days; return rows by table."""
    pick = random.Random(3)  # noqa: S311  (test rows, not secrets)
    stays = [_stay(number, a_day, pick) for number in range(2 * a_day)]
    async with work() as db:
        await _one_day(db, stays[:a_day], stays[a_day:], pick)
    engine = create_engine(url.replace("+aiosqlite", ""))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as plain:
        for statement in ("PRAGMA synchronous=OFF", "PRAGMA cache_size=-262144", "BEGIN"):
            plain.execute(text(statement))
        for model in TABLES:
            _copy(plain, model.metadata.tables[model.__tablename__], days, 2 * a_day)
        _finish(plain, days)
        plain.execute(text("COMMIT"))
        counts = {name: plain.scalar(text(f'SELECT count(*) FROM "{name}"')) or 0 for name in Base.metadata.tables}  # noqa: S608
    engine.dispose()
    return {name: count for name, count in sorted(counts.items()) if count}


def _stay(number: int, a_day: int, pick: random.Random) -> Stay:
    """Make one of a day's stays; they start in the order of their numbers, and few users have most of them."""
    asked = FIRST_DAY + timedelta(seconds=(number % a_day) / a_day * 0.95 * DAY_S)
    started = asked + timedelta(seconds=min(pick.lognormvariate(3, 1.5), 1800))
    midnight = FIRST_DAY + timedelta(seconds=DAY_S - 1)
    ended = min(started + timedelta(seconds=pick.lognormvariate(8.7, 1)), midnight)
    owner = f"user{min(int(pick.expovariate(8 / USERS)), USERS - 1):03}"
    return Stay(number, owner, asked, started, ended, pick.choice((0, 1, 1, 2, 4)))


async def _one_day(db: AsyncSession, sessions: Sequence[Stay], jobs: Sequence[Stay], pick: random.Random) -> None:
    await db.execute(insert(SessionRecord), [_session(session) for session in sessions])
    events = [event for session in sessions for event in _events(session)]
    await db.execute(insert(SessionEvent), _in_order(events, "at"))
    await db.execute(insert(AuditRecord), _audit(sessions, jobs))
    await db.execute(insert(JobRecord), [_job(job) for job in jobs])
    keys = [
        {"owner": s.owner, "key": s.session_id, "digest": "0" * 64, "made": s.session_id, "at": s.asked}
        for s in sessions
    ]
    await db.execute(insert(KeyRecord), keys)
    await db.execute(insert(UsageHour), [hour for session in sessions for hour in _hours(session, pick)])
    now_s = int((FIRST_DAY + timedelta(days=2)).timestamp())
    await ledger.take(db, [_run(stay) for stay in (*sessions, *jobs)], now_s=now_s)
    while await ledger.settle(db, now_s=now_s):
        pass


def _session(stay: Stay) -> dict[str, Any]:
    return {
        "id": stay.session_id,
        "owner": stay.owner,
        "name": f"Experiment {stay.number % 50}",
        "server_name": f"s-{stay.session_id[:7]}",
        "app": "jupyterlab",
        "environment": "base",
        "environment_version": "2026-03-01",
        "options": {},
        "modules": ["cuda/12.4"],
        "origin": "web",
        "state": "ended",
        "partition": "sxm2",
        "account": f"account{int(stay.owner[4:]) % 40:02}",
        "nodes": 1,
        "gpus": stay.gpus,
        "gpu_type": "v100" if stay.gpus else None,
        "cpus": 8,
        "memory_mib": 49_152,
        "walltime_s": 28_800,
        "job_id": stay.number + 1,
        "node": f"node{stay.number % 64:03}",
        "server_url": f"https://node{stay.number % 64:03}:{40_000 + stay.number}",
        "base_url": f"/user/{stay.owner}/s-{stay.session_id[:7]}/",
        "created_at": stay.asked,
        "submitted_at": stay.asked,
        "queued_at": stay.asked,
        "started_at": stay.started,
        "hello_at": stay.started,
        "ready_at": stay.started,
        "ends_at": stay.started + timedelta(hours=8),
        "ended_at": stay.ended,
        "end_code": "stopped",
        "end_text": "You stopped it.",
        "reason": "You stopped it.",
        "exit_code": 0,
        "secret_hash": "",
    }


def _events(stay: Stay) -> list[dict[str, Any]]:
    times = (stay.asked, stay.asked, stay.started, stay.started, stay.started, stay.ended)
    return [
        {"session_id": stay.session_id, "at": at, "stage": stage, "message": f"Session {stage}: job {stay.number + 1}."}
        for stage, at in zip(STAGES, times, strict=True)
    ]


def _audit(sessions: Sequence[Stay], jobs: Sequence[Stay]) -> list[dict[str, Any]]:
    """Write a start and a stop of each session, and the submission of each job, each as an intent and its outcome."""
    acts = [(session.asked, session.owner, "session.start", session.session_id) for session in sessions]
    acts += [(session.ended, session.owner, "session.stop", session.session_id) for session in sessions]
    acts += [(job.asked, job.owner, "job.submit", f"job {job.number + 1}") for job in jobs]
    records = []
    for number, (at, actor, action, target) in enumerate(sorted(acts)):
        result = "policy_refused" if number % 50 == 0 else "ok"
        common = {"at": at, "actor": actor, "action": action, "target": target, "address": "10.20.30.40"}
        common["detail"] = {"job": number + 1, "owner": actor}
        intent_id = 2 * number + 1
        records.append({"id": intent_id, "result": "unknown", "intent_id": None, **common})
        records.append({"id": intent_id + 1, "result": result, "intent_id": intent_id, **common})
    return records


def _job(stay: Stay) -> dict[str, Any]:
    return {
        "job_id": stay.number + 1,
        "owner": stay.owner,
        "name": f"train-{stay.number % 100}",
        "partition": "sxm2",
        "account": f"account{int(stay.owner[4:]) % 40:02}",
        "qos": "normal",
        "state": "COMPLETED",
        "nodes": 1,
        "node_list": f"node{stay.number % 64:03}",
        "gpus": stay.gpus,
        "cpus": 8,
        "walltime_s": 28_800,
        "submitted_at": stay.asked,
        "started_at": stay.started,
        "ended_at": stay.ended,
        "exit_code": 0,
        "accounted": True,
        "array_pending": 0,
        "array_running": 0,
        "array_done": 0,
        "array_failed": 0,
        "from_portal": True,
        "notify": False,
        "script": SCRIPT,
        "workdir": f"/home/{stay.owner}",
        "stdout": f"/home/{stay.owner}/slurm-{stay.number + 1}.out",
    }


def _hours(stay: Stay, pick: random.Random) -> list[dict[str, Any]]:
    first, last = (int(at.timestamp()) // 3600 * 3600 for at in (stay.started, stay.ended))
    return [
        {
            "session_id": stay.session_id,
            "at_s": at_s,
            "seconds": 3600,
            "cpu_percent": pick.randrange(800),
            "memory_mib": pick.randrange(49_000),
            "memory_max_mib": 49_000,
            "gpu_seconds": 3600 * stay.gpus,
            "gpu_percent": pick.randrange(101),
            "gpu_memory_mib": pick.randrange(32_000),
        }
        for at_s in range(first, last + 1, 3600)
    ]


def _run(stay: Stay) -> SlurmRun:
    return SlurmRun(
        job_id=stay.number + 1,
        user=stay.owner,
        account=f"account{int(stay.owner[4:]) % 40:02}",
        partition="sxm2",
        gpu_type="v100" if stay.gpus else "",
        gpus=stay.gpus,
        cpus=8,
        wait_s=int((stay.started - stay.asked).total_seconds()),
        started_at=stay.started,
        ended_at=stay.ended,
        cpu_used_s=100,
        gpu_percent=40.0 if stay.gpus else None,
    )


def _in_order(rows: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: row[key])


def _copy(db: Connection, table: Table, days: int, numbers: int) -> None:
    """Copy the first day's rows to all the others."""
    db.execute(text(f"CREATE TEMP TABLE first_day AS SELECT * FROM main.{table.name}"))  # noqa: S608
    rows = db.scalar(text("SELECT count(*) FROM temp.first_day")) or 0
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    there = ", ".join(_there(column, max(rows, numbers)) for column in table.columns)
    copy = text(f"INSERT INTO main.{table.name} ({columns}) SELECT {there} FROM temp.first_day")  # noqa: S608
    for day in range(1, days):
        date = FIRST_DAY + timedelta(days=day)
        db.execute(copy, {"day": day, "days": f"+{day} days", "date": int(f"{date:%Y%m%d}")})
    db.execute(text("DROP TABLE temp.first_day"))


def _there(column: Column[Any], numbers: int) -> str:
    """Return the SQL that shifts a column of the first day to another one."""
    name, table = column.name, column.table.name
    if isinstance(column.type, UtcDateTime):
        return f"strftime('%Y-%m-%d %H:%M:%f', {name}, :days) || '000'"
    if name == "session_id" or (table, name) in OF_SESSION:
        moved = f"substr({name}, 1, 7) || printf('%05x', :day)"
        return moved if table != "audit" else f"CASE WHEN action = 'job.submit' THEN {name} ELSE {moved} END"
    if name in SECONDS:
        return f"{name} + :day * {DAY_S}"
    if name == "day":
        return ":date"
    if table == "idempotency_keys" and name == "key":
        return "key || '-' || :day"
    if name == "server_name":
        return f"{name} || printf('%05x', :day)"
    return f"{name} + :day * {numbers}" if name in NUMBERED else f'"{name}"'


def _finish(db: Connection, days: int) -> None:
    """Leave some sessions running, the last days' samples as taken, and the months as the sums of their days."""
    last_s = int(FIRST_DAY.timestamp()) + (days - RAW_DAYS) * DAY_S
    for statement in (
        "UPDATE sessions SET state = 'ready', ended_at = NULL, end_code = NULL"
        " WHERE id IN (SELECT id FROM sessions ORDER BY created_at DESC LIMIT :active)",
        "WITH RECURSIVE minutes(m) AS (SELECT 0 UNION ALL SELECT m + 1 FROM minutes WHERE m < 59)"
        " INSERT INTO usage_samples (session_id, at_s, seconds, cpu_percent, memory_mib, gpus, gpu_percent,"
        " gpu_memory_mib) SELECT session_id, at_s + 60 * m, 60, cpu_percent, memory_mib, 1, gpu_percent,"
        " gpu_memory_mib FROM usage_hours, minutes WHERE at_s >= :last_s",
        "DELETE FROM usage_hours WHERE at_s >= :last_s",
        "DELETE FROM usage_months",
        "INSERT INTO usage_months (whose_id, month, jobs, gpu_s, cpu_s, gpu_known_s, gpu_used_s, cpu_known_s,"
        " cpu_used_s) SELECT whose_id, day / 100, sum(jobs), sum(gpu_s), sum(cpu_s), sum(gpu_known_s),"
        " sum(gpu_used_s), sum(cpu_known_s), sum(cpu_used_s) FROM usage_days GROUP BY 1, 2",
        "DELETE FROM usage_month_waits",
        "INSERT INTO usage_month_waits (whose_id, bucket, month, jobs)"
        " SELECT whose_id, bucket, day / 100, sum(jobs) FROM usage_waits GROUP BY 1, 2, 3",
    ):
        asked = text(statement)
        values = {"active": ACTIVE, "last_s": last_s}
        db.execute(asked, {name: values[name] for name in asked.compile().params})
