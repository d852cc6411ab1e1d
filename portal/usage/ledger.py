"""Records what each job held: takes a source's records, and adds each ended job to the sums exactly once.

Any record may arrive again, after a crash or from two portals at once. Each run of a job is one row, and it is added to
the sums in the same transaction that marks the row as settled.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Table, bindparam, delete, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db import upsert
from portal.sessions.models import SessionRecord
from portal.slurm.job_runs import SlurmRun
from portal.usage import spread, sums
from portal.usage.gpus import SAME_S, Total, totals
from portal.usage.models import OPEN, UsageGpu, UsageJob, UsageWhose
from portal.usage.samples import measured
from portal.usage.spread import JobRun, Sums

#: A job's use may arrive some time after its end: the agent's last samples, slurmdbd's last message.
SETTLE_AFTER_S = 600
AT_ONCE = 2000

Key = tuple[int, int]
Whose = tuple[str, str, str, str]


async def take(db: AsyncSession, runs: Sequence[SlurmRun], *, now_s: int) -> None:
    """Write a source's records of jobs; settled rows stay unchanged."""
    if not runs:
        return
    whose = await _whose(db, {_whose_of(use) for use in runs})
    sessions = await _sessions(db, runs)
    rows = [_row(use, whose[_whose_of(use)], sessions.get(_key(use)), now_s) for use in runs]
    await _write(db, await _news(db, rows))


async def close_missing(db: AsyncSession, seen: Collection[Key], *, at_s: int) -> None:
    """End the rows of open jobs that the source no longer knows, at the time they were last seen."""
    going = select(UsageJob.job_id, UsageJob.started_s).where(OPEN, UsageJob.ended_s.is_(None))
    gone = [tuple(key) for key in await db.execute(going) if tuple(key) not in seen]
    if gone:
        await db.execute(
            _by_key().values(ended_s=bindparam("at_s")),
            [{"key_id": job_id, "key_s": started_s, "at_s": max(at_s, started_s)} for job_id, started_s in gone],
        )


async def measure(db: AsyncSession) -> None:
    """Copy what was measured into unsettled rows: from the samples of sessions, and of batch jobs from their meters."""
    sessions = select(UsageJob).where(OPEN, UsageJob.session_id.is_not(None))
    held = (await db.scalars(sessions)).all()
    known = await measured(db, [job.session_id for job in held if job.session_id is not None])
    for job in held:
        if (use := known.get(job.session_id or "")) is None:
            continue
        if use.gpu_known_s:
            job.gpu_known_s, job.gpu_used_s = round(use.gpu_known_s), round(use.gpu_used_s)
        if use.cpu_known_s and (job.ended_s is None or not job.cpu_known_s):  # Slurm's own figure is better
            job.cpu_known_s, job.cpu_used_s = round(use.cpu_known_s) * job.cpus, round(use.cpu_used_s)
    await _meter(db)


async def _meter(db: AsyncSession) -> None:
    """Add up the GPUs of each run. A row of another owner's is ignored: agents and meters run as users."""
    runs = (
        await db.execute(
            select(UsageJob, UsageWhose.owner)
            .join(UsageWhose, UsageWhose.id == UsageJob.whose_id)
            .where(OPEN, UsageJob.gpus > 0)
        )
    ).all()
    numbers = sorted({job.job_id for job, _ in runs})
    totals_of: dict[tuple[int, str], list[Total]] = {}
    for at in range(0, len(numbers), AT_ONCE):
        for total in await totals(db, numbers[at : at + AT_ONCE]):
            totals_of.setdefault((total.job_id, total.owner), []).append(total)
    for job, owner in runs:
        near = [
            total for total in totals_of.get((job.job_id, owner), ()) if abs(total.started_s - job.started_s) <= SAME_S
        ]
        if not near:
            continue
        job.energy_j = sum(total.energy_j for total in near)
        known_s = sum(total.known_s for total in near)
        if job.session_id is None and known_s:
            job.gpu_known_s, job.gpu_used_s = round(known_s), round(sum(total.used_s for total in near))


async def settle(db: AsyncSession, *, now_s: int) -> bool:
    """Add ended jobs to the sums; return True if there are more of them. Uses the caller's transaction.

    Jobs are claimed by an UPDATE, so that of two portals one gets each job and the other waits for it.
    """
    due = (OPEN, UsageJob.ended_s < now_s - SETTLE_AFTER_S)
    some = select(UsageJob.job_id).where(*due).order_by(UsageJob.job_id).limit(AT_ONCE).subquery()
    taken = (
        update(UsageJob)
        .where(*due, UsageJob.job_id <= select(func.max(some.c.job_id)).scalar_subquery())
        .values(settled=True)
        .returning(UsageJob)
        .execution_options(synchronize_session=False)
    )
    jobs = (await db.scalars(taken)).all()
    held: dict[tuple[int, int], Sums] = {}
    waits: dict[tuple[int, int, int], int] = {}
    for job in jobs:
        for day, part in spread.days(held_by(job, now_s)):
            held.setdefault((day, job.whose_id), Sums()).add(part)
        if job.wait_s is not None:
            key = (spread.number_of(job.started_s), job.whose_id, spread.bucket(job.wait_s))
            waits[key] = waits.get(key, 0) + 1
    await sums.add(db, held, waits)
    return len(jobs) >= AT_ONCE


async def forget(db: AsyncSession, before: datetime, at_most: int) -> int:
    """Delete the figures of up to `at_most` settled jobs, whose sums stay; return how many."""
    key = UsageJob.job_id, UsageJob.started_s
    old = select(*key).where(UsageJob.settled.is_(True), UsageJob.started_s < int(before.timestamp())).limit(at_most)
    gone = delete(UsageJob).where(tuple_(*key).in_(old)).returning(UsageJob.job_id)
    await db.execute(delete(UsageGpu).where(UsageGpu.reported_s < int(before.timestamp())))
    return len((await db.scalars(gone)).all())


def held_by(job: UsageJob, now_s: int) -> JobRun:
    """Return what a job holds, until now if it is open. Its known use never exceeds what it held."""
    until_s = max(job.started_s, now_s if job.ended_s is None else job.ended_s)
    seconds = until_s - job.started_s
    gpu_known_s = min(job.gpu_known_s, seconds * job.gpus)
    cpu_known_s = min(job.cpu_known_s, seconds * job.cpus)
    return JobRun(
        started_s=job.started_s,
        until_s=until_s,
        gpus=job.gpus,
        cpus=job.cpus,
        gpu_known_s=gpu_known_s,
        gpu_used_s=min(job.gpu_used_s, gpu_known_s),
        cpu_known_s=cpu_known_s,
        cpu_used_s=min(job.cpu_used_s, cpu_known_s),
        energy_j=job.energy_j,
    )


def _whose_of(use: SlurmRun) -> Whose:
    return (use.user[:255], use.account[:255], use.partition[:255], use.gpu_type[:255])


def _key(use: SlurmRun) -> Key:
    return (use.job_id, int(use.started_at.timestamp()))


async def _whose(db: AsyncSession, wanted: Collection[Whose]) -> dict[Whose, int]:
    names = ("owner", "account", "partition", "gpu_type")
    # Always in the same order, so that two portals do not deadlock.
    rows = [dict(zip(names, key, strict=True)) for key in sorted(wanted)]
    await db.execute(upsert.insert(db, UsageWhose).on_conflict_do_nothing(), rows)
    result = await db.execute(
        select(UsageWhose.owner, UsageWhose.account, UsageWhose.partition, UsageWhose.gpu_type, UsageWhose.id)
    )
    return {(owner, account, partition, gpu_type): number for owner, account, partition, gpu_type, number in result}


async def _sessions(db: AsyncSession, runs: Sequence[SlurmRun]) -> dict[Key, str]:
    """Return which of the jobs are sessions."""
    by_job: dict[int, list[SlurmRun]] = {}
    for use in runs:
        by_job.setdefault(use.job_id, []).append(use)
    names: dict[Key, str] = {}
    numbers = sorted(by_job)
    for at in range(0, len(numbers), AT_ONCE):
        query = select(SessionRecord.job_id, SessionRecord.id, SessionRecord.owner, SessionRecord.started_at).where(
            SessionRecord.job_id.in_(numbers[at : at + AT_ONCE])
        )
        for job_id, session_id, owner, started_at in await db.execute(query):
            for use in by_job.get(job_id or 0, ()):
                apart = None if started_at is None else abs((use.started_at - started_at).total_seconds())
                if use.user == owner and apart is not None and apart <= SAME_S:
                    names[_key(use)] = session_id
    return names


def _row(use: SlurmRun, whose_id: int, session_id: str | None, now_s: int) -> dict[str, Any]:
    job_id, started_s = _key(use)
    ended_s = None if use.ended_at is None else max(started_s, int(use.ended_at.timestamp()))
    seconds = max(0, (now_s if ended_s is None else ended_s) - started_s)
    gpu_known_s = 0 if use.gpu_percent is None else seconds * use.gpus
    return {
        "job_id": job_id,
        "started_s": started_s,
        "ended_s": ended_s,
        "whose_id": whose_id,
        "session_id": session_id,
        "gpus": use.gpus,
        "cpus": use.cpus,
        "wait_s": use.wait_s,
        "gpu_known_s": gpu_known_s,
        "gpu_used_s": round(gpu_known_s * (use.gpu_percent or 0) / 100),
        "cpu_known_s": 0 if use.cpu_used_s is None else seconds * use.cpus,
        "cpu_used_s": use.cpu_used_s or 0,
        "settled": False,
    }


async def _news(db: AsyncSession, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop the rows that are already in the table unchanged: most running jobs."""
    query = select(UsageJob.job_id, UsageJob.started_s, UsageJob.gpus, UsageJob.cpus, UsageJob.session_id).where(
        OPEN, UsageJob.ended_s.is_(None)
    )
    going = {tuple(row) for row in await db.execute(query)}
    same = ("job_id", "started_s", "gpus", "cpus", "session_id")
    return [
        row
        for row in rows
        if row["ended_s"] is not None or row["gpu_known_s"] or tuple(row[name] for name in same) not in going
    ]


async def _write(db: AsyncSession, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        return
    insert = upsert.insert(db, UsageJob)
    news = {name: insert.excluded[name] for name in rows[0] if name not in ("job_id", "started_s", "settled")}
    await db.execute(
        insert.on_conflict_do_update(
            index_elements=["job_id", "started_s"], set_=news, where=UsageJob.settled.is_(False)
        ),
        sorted(rows, key=lambda row: (row["job_id"], row["started_s"])),
    )


def _by_key() -> Any:
    # On the table, not the class: many rows by key, each with values of its own.
    jobs = cast(Table, UsageJob.__table__)
    return update(jobs).where(jobs.c.job_id == bindparam("key_id"), jobs.c.started_s == bindparam("key_s"))
