"""What users hold, and the GPU-hours of this month (UTC): used, and promised to what has not ended.

Counts sessions and batch jobs, running or queued, wherever the jobs were submitted. A job that waits for another one,
is held, or begins later counts like any other: its user can let it start at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.jobs import arrays, rows
from portal.jobs.models import JobRecord, SubmissionRecord, SubmissionState
from portal.sessions.models import SessionRecord, SessionState

#: Rows that are counted before others get their turn.
SLICE = 500
ZERO = timedelta()

Row = TypeVar("Row", SessionRecord, JobRecord)


@dataclass(slots=True)
class UserHoldings:
    """`gpus` of sessions and jobs; hours in GPU-hours."""

    sessions: int = 0
    gpus: int = 0
    used: float = 0.0
    promised: float = 0.0


async def held(db: AsyncSession, now: datetime, username: str | None = None) -> dict[str, UserHoldings]:
    """Return what each user holds; restricted to `username` if given. Leaves out those who hold and used nothing."""
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    holdings: dict[str, UserHoldings] = {}
    async for row in _rows(db, SessionRecord, month, username):
        mine = holdings.setdefault(row.owner, UserHoldings())
        gpus = row.gpus_counted
        if row.state != SessionState.ENDED.value:
            mine.sessions += 1
            mine.gpus += gpus
        _add(mine, *_session_time(row, month, now), gpus=gpus)
    async for job in _rows(db, JobRecord, month, username):
        if job.gpus:
            mine = holdings.setdefault(job.owner, UserHoldings())
            mine.gpus += job.gpus * _at_once(job)
            _add(mine, *_job_time(job, month, now), gpus=job.gpus)
    asked = select(SubmissionRecord).where(SubmissionRecord.state == SubmissionState.OPEN.value)
    if username is not None:
        asked = asked.where(SubmissionRecord.owner == username)
    for submission in await db.scalars(asked):
        mine = holdings.setdefault(submission.owner, UserHoldings())
        mine.gpus += submission.gpus
        mine.promised += submission.gpu_hours
    return holdings


async def _rows(db: AsyncSession, kind: type[Row], month: datetime, username: str | None) -> AsyncIterator[Row]:
    """Yield what has not ended, or ended this month."""
    query = select(kind).where(or_(kind.ended_at.is_(None), kind.ended_at > month))
    if username is not None:
        query = query.where(kind.owner == username)
    for number, row in enumerate(await db.scalars(query)):
        if number % SLICE == SLICE - 1:
            await asyncio.sleep(0)
        yield row


def _add(mine: UserHoldings, used: timedelta, promised: timedelta, *, gpus: int) -> None:
    mine.used += max(used, ZERO).total_seconds() * gpus / 3600
    mine.promised += max(promised, ZERO).total_seconds() * gpus / 3600


def _session_time(record: SessionRecord, month: datetime, now: datetime) -> tuple[timedelta, timedelta]:
    """Return how long a session ran within the month, and how much longer it may run."""
    whole = timedelta(seconds=record.walltime_s)
    if record.ended_at is not None:
        return (record.ended_at - max(record.started_at, month) if record.started_at else ZERO), ZERO
    if record.started_at is None:
        return ZERO, whole
    asked = timedelta(seconds=record.limit_change["walltime_s"]) - whole if record.limit_change else ZERO
    return now - max(record.started_at, month), (record.ends_at or record.started_at + whole) + max(asked, ZERO) - now


def _at_once(job: JobRecord) -> int:
    """Return how many of a job's tasks are running, or can run at once."""
    if job.ended_at is not None:
        return 0
    if job.array_range is None:
        return 1
    return max(job.array_running, min(_open_tasks(job), job.array_at_once or _open_tasks(job)))


def _open_tasks(job: JobRecord) -> int:
    if job.array_total is None:  # Slurm has not shown it yet
        return arrays.count(job.array_range or "")
    return job.array_pending + job.array_running


def _job_time(job: JobRecord, month: datetime, now: datetime) -> tuple[timedelta, timedelta]:
    """Return how long a job's runs or tasks ran within the month, and how much longer they may run.

    Tasks that ended in an array that has not count as if they had run to their time limit, if it has run that long.
    """
    earlier = sum((run.ended_at - max(run.started_at, month) for run in rows.runs(job) if run.ended_at > month), ZERO)
    whole = timedelta(seconds=job.walltime_s or 0)
    if job.ended_at is not None:
        return earlier + _ended_time(job, job.ended_at, month), ZERO
    ran = now - max(job.started_at, month) if job.started_at is not None else ZERO
    if job.array_range is not None:
        each = min(ran, whole) if job.walltime_s else ran
        left = max(whole - each, ZERO) * job.array_running + whole * (_open_tasks(job) - job.array_running)
        return earlier + each * (job.array_done + job.array_failed + job.array_running), left
    if job.started_at is None:
        return earlier, whole
    return earlier + ran, (job.ends_at or job.started_at + whole) - now


def _ended_time(job: JobRecord, ended_at: datetime, month: datetime) -> timedelta:
    if job.started_at is None:
        return ZERO
    within, span = ended_at - max(job.started_at, month), ended_at - job.started_at
    if job.array_range is None or job.held_cpu_s is None or not job.cpus or not span:
        return within
    # Accounting sums the tasks of an array; they are taken to be spread evenly over its time.
    return timedelta(seconds=job.held_cpu_s / job.cpus) * (within / span)
