"""Which batch jobs a planned maintenance would cut short."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from portal.announcements.schemas import AffectedJobOut
from portal.slurm.client import session_of
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot


def jobs_cut_short(
    snapshot: Snapshot, partitions: Collection[str], starts_at: datetime, now: datetime
) -> list[AffectedJobOut]:
    """Return the batch jobs on `partitions` (empty: all) that run past `starts_at`, or would if they started now.

    Running ones come first. Jobs of sessions and image pulls are left out.
    """
    jobs = [
        job
        for job in snapshot.jobs.values()
        if not job.state.is_over
        and session_of(job.name) is None
        and (not partitions or not set(partitions).isdisjoint(job.partitions))
        and _may_run_at(job, starts_at, now)
    ]
    jobs.sort(key=lambda job: (job.state.waits, job.id))
    return [
        AffectedJobOut(
            id=str(job.id),
            name=job.name,
            owner=job.user,
            partition=job.partition,
            running=not job.state.waits,
            ends_at=None if job.state.waits else job.ends_at,
        )
        for job in jobs
    ]


def _may_run_at(job: Job, moment: datetime, now: datetime) -> bool:
    if not job.state.waits:
        return job.ends_at is None or job.ends_at > moment
    return job.time_limit_s is None or now + timedelta(seconds=job.time_limit_s) > moment
