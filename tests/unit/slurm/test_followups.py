"""Readings follow what happens here until the new job runs, and never for long."""

from __future__ import annotations

from portal.slurm.followups import MOST, FollowUps
from portal.slurm.jobs import Job, JobState


def job(number: int, state: JobState) -> Job:
    return Job(number, "x", "alice", "", "sxm2", "", state)


OLD = {1: job(1, JobState.PENDING)}
WAITS = {**OLD, 2: job(2, JobState.PENDING)}
RUNS = {**OLD, 2: job(2, JobState.RUNNING)}


def test_nothing_follows_a_reading_that_nobody_asked_for() -> None:
    assert not FollowUps().wanted(OLD, WAITS)


def test_one_reading_follows_always_and_more_until_the_new_job_runs() -> None:
    follow = FollowUps()
    follow.begin()
    assert [follow.wanted(OLD, WAITS), follow.wanted(WAITS, WAITS), follow.wanted(WAITS, RUNS)] == [True, True, False]
    follow.begin()
    assert [follow.wanted(RUNS, RUNS), follow.wanted(RUNS, RUNS)] == [True, False], "an old job that waits is no reason"


def test_a_job_that_waits_for_long_is_not_followed_for_ever() -> None:
    follow = FollowUps()
    follow.begin()
    answers = [follow.wanted(OLD, WAITS)] + [follow.wanted(WAITS, WAITS) for _ in range(10)]
    assert answers == [True] * MOST + [False] * (11 - MOST)
