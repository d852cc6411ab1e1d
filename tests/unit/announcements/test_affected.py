"""Which batch jobs a planned maintenance would cut short."""

from __future__ import annotations

from datetime import timedelta

from portal.announcements.affected import jobs_cut_short
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Snapshot
from tests.unit.sessions.conftest import START

HOUR = timedelta(hours=1)
STARTS = START + 4 * HOUR


def job(number: int, state: JobState = JobState.RUNNING, partition: str = "sxm2", **more: object) -> Job:
    return Job(number, f"job{number}", "bob", "vision", partition, "normal", state, **more)  # type: ignore[arg-type]


def cut_short(*jobs: Job, partitions: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    snapshot = Snapshot(jobs={job.id: job for job in jobs}, jobs_as_of=START)
    return [(job.id, job.running) for job in jobs_cut_short(snapshot, partitions, STARTS, START)]


def test_jobs_that_run_past_the_start_are_named_running_ones_first() -> None:
    pending = job(1, JobState.PENDING, time_limit_s=5 * 3600)
    fits = job(2, JobState.PENDING, time_limit_s=3600)
    running = job(3, ends_at=START + 5 * HOUR)
    ends_before = job(4, ends_at=START + HOUR)
    endless = job(5)
    over = job(6, JobState.COMPLETED, ends_at=START + 5 * HOUR)
    assert cut_short(pending, fits, running, ends_before, endless, over) == [("3", True), ("5", True), ("1", False)]


def test_jobs_of_other_partitions_and_of_sessions_are_left_out() -> None:
    session = Job(7, "dsp-abcdefghijkl", "bob", "vision", "sxm2", "normal", JobState.RUNNING)
    jobs = (session, job(8, partition="debug"), job(9, JobState.PENDING, "debug,sxm2"))
    assert cut_short(*jobs, partitions=("sxm2",)) == [("9", False)]
    assert cut_short(*jobs) == [("8", True), ("9", False)]
