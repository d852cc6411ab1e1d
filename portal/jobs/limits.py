"""Users may only lower their time limits; administrators may also raise them.

Slurm lets an owner raise the limit of a pending job past everything that was checked at submission, and that of a
session, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from portal.jobs.models import JobRecord
from portal.policy import formatting
from portal.slurm.jobs import Job


def refusal(record: JobRecord, live: Sequence[Job], task: str, walltime_s: int) -> str | None:
    """Return why a job or array task may not have this limit; None if it may. `live`: its jobs in the snapshot."""
    if record.ended_at is not None:
        return "It had already ended."
    now_s = _shortest(live, task) if live else record.walltime_s
    if now_s is None or _minutes(walltime_s) <= _minutes(now_s):
        return None
    return (
        f"Its time limit is {formatting.duration(now_s)}: you can shorten it, but not extend it. "
        "Ask the administrators for more time."
    )


def _shortest(live: Sequence[Job], task: str) -> int | None:
    jobs = [job for job in live if not job.state.is_over]
    if task.isdigit():  # pending tasks without a record of their own share one
        jobs = [job for job in jobs if job.array_tasks == task] or [
            job for job in jobs if not job.array_tasks.isdigit()
        ]
    return min((job.time_limit_s for job in jobs if job.time_limit_s is not None), default=None)


def _minutes(seconds: int) -> int:
    """Return whole minutes, rounded up: Slurm counts in minutes."""
    return -(-seconds // 60)
