"""A time limit goes down only, of a job that waits as of one that runs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from portal.jobs import limits
from portal.slurm.jobs import Job, JobState
from tests.unit.jobs.rows import row

HOUR_S = 3600


def job(tasks: str = "", state: JobState = JobState.PENDING, limit_s: int | None = HOUR_S) -> Job:
    return Job(id=1, name="train", user="alice", account="", partition="sxm2", qos="", state=state,
               time_limit_s=limit_s, array_job_id=7 if tasks else None, array_tasks=tasks)  # fmt: skip


@pytest.mark.parametrize("state", [JobState.PENDING, JobState.RUNNING])
def test_limit_may_be_lowered_and_not_raised(state: JobState) -> None:
    live = [job(state=state)]
    assert limits.refusal(row(7), live, "", HOUR_S - 60) is None
    assert limits.refusal(row(7), live, "", HOUR_S) is None
    why = limits.refusal(row(7), live, "", HOUR_S + 1)
    assert why is not None
    assert why.startswith("Its time limit is 1 h: you can shorten it, but not extend it.")


def test_job_without_end_may_be_given_one() -> None:
    assert limits.refusal(row(7), [job(limit_s=None)], "", 400 * 86_400) is None


def test_job_that_no_snapshot_has_seen_yet_goes_by_what_it_asked_for() -> None:
    assert limits.refusal(row(7, walltime_s=600), [], "", 600) is None
    assert limits.refusal(row(7, walltime_s=600), [], "", 660) is not None
    assert limits.refusal(row(7, ended_at=datetime(2026, 11, 3, tzinfo=UTC)), [], "", 60) == "It had already ended."


@pytest.mark.parametrize(
    ("task", "allowed_s"),
    [("3", 600), ("9", HOUR_S), ("", 600), ("[3,9]", 600)],
)
def test_task_has_its_own_limit_and_an_array_that_of_its_shortest(task: str, allowed_s: int) -> None:
    live = [job("3", limit_s=600), job("5-9"), job("1", JobState.COMPLETED, 60)]
    assert limits.refusal(row(7), live, task, allowed_s) is None
    assert limits.refusal(row(7), live, task, allowed_s + 60) is not None
