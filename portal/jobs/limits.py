"""Time limits at the users' own doors go down only; administrators may do both.

Slurm lets an owner raise that of a job that waits, past all that was looked at when it was submitted, and that of a
session, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from portal.jobs.models import JobRecord
from portal.policy import words
from portal.slurm.types import Job


def refusal(record: JobRecord, live: Sequence[Job], task: str, walltime_s: int) -> str | None:
    """Say why a job, or a task of it, may not have this limit; None when it may. `live`: what the picture has of it."""
    if record.ended_at is not None:
        return "It had ended already."
    now_s = _shortest(live, task) if live else record.walltime_s
    if now_s is None or _minutes(walltime_s) <= _minutes(now_s):
        return None
    return (
        f"Its time limit is {words.duration(now_s)}: you can shorten it, not extend it. "
        "Ask the administrators for more time."
    )


def _shortest(live: Sequence[Job], task: str) -> int | None:
    jobs = [job for job in live if not job.state.is_over]
    if task.isdigit():  # what waits is one job for all the tasks that have none of their own
        jobs = [job for job in jobs if job.array_tasks == task] or [
            job for job in jobs if not job.array_tasks.isdigit()
        ]
    return min((job.time_limit_s for job in jobs if job.time_limit_s is not None), default=None)


def _minutes(seconds: int) -> int:
    """Slurm counts in minutes, and what is left over is one more."""
    return -(-seconds // 60)
