"""How long a request will probably wait, by the waits of jobs like it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from portal.placement.waits import FEWEST, PastJob, Range, planned, probable, waiting
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Snapshot

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def alone(waits: list[int], gpus: int = 1) -> list[PastJob]:
    """Jobs one after the other, each submitted when nobody waits."""
    return [PastJob(day * 86_400, day * 86_400 + wait, gpus) for day, wait in enumerate(waits)]


def test_range_holds_nine_of_ten_waits_in_whole_minutes() -> None:
    waits = [60 * minutes for minutes in range(1, 41)]
    assert probable(alone(waits), 1, 0) == Range(3 * 60, 38 * 60, 40)
    assert probable(alone([wait + 1 for wait in waits]), 1, 0) == Range(3 * 60, 39 * 60, 40)
    assert probable(alone([3600 + wait for wait in waits]), 1, 0) == Range(60 * 60, 100 * 60, 40)


def test_nothing_is_claimed_of_too_few() -> None:
    assert probable(alone([600] * (FEWEST - 1)), 1, 0) is None
    assert probable(alone([600] * FEWEST), 1, 0) is not None
    assert probable([], 1, 0) is None


@pytest.mark.parametrize(("gpus", "known"), [(0, False), (1, False), (2, True), (3, True), (4, False), (8, False)])
def test_only_jobs_with_a_similar_number_of_gpus_are_like_it(gpus: int, known: bool) -> None:
    assert (probable(alone([600] * 40, gpus=2), gpus, 0) is not None) is known


def test_jobs_that_started_at_once_do_not_count() -> None:
    """The request is known to wait."""
    assert probable(alone([0, 5] * 100 + [1200] * 30), 1, 0) == Range(1200, 1200, 30)


def test_one_rush_does_not_speak_for_all_days() -> None:
    rush = [PastJob(99 * 86_400 + 1 + job, 99 * 86_400 + 5001 + job, 1) for job in range(100)]
    assert probable(rush, 1, 50) is None
    assert probable(alone([600] * 40) + rush[:1], 1, 0) == Range(600, 600, 41)


def test_jobs_behind_a_queue_as_long_count() -> None:
    crowd = [PastJob(day * 86_400, day * 86_400 + 7200, 8) for day in range(100, 130) for _ in range(20)]
    behind = [PastJob(day * 86_400 + 60, day * 86_400 + 9060, 1) for day in range(100, 130)]
    past = alone([600] * 30) + crowd + behind
    assert probable(past, 1, 0) == Range(600, 600, 30)
    assert probable(past, 1, 20) == Range(9000, 9000, 30)
    assert probable(past, 1, 300) is None, "there was never such a queue"


def test_slurms_plan_for_the_jobs_ahead_is_its_last() -> None:
    def job(number: int, partition: str, reason: str, minutes: int | None) -> Job:
        at = None if minutes is None else NOW + timedelta(minutes=minutes)
        return Job(number, "", "bob", "", partition, "", JobState.PENDING, reason=reason, started_at=at)

    line = (
        job(1, "sxm2", "Resources", 10),
        job(2, "debug,sxm2", "Priority", 40),
        job(3, "sxm2", "Priority", None),
        job(4, "sxm2", "JobHeldUser", 90),
        job(5, "debug", "Priority", 120),
    )
    snapshot = Snapshot(jobs={job.id: job for job in line})
    assert planned(snapshot, "sxm2", NOW) == NOW + timedelta(minutes=40)
    assert planned(snapshot, "sxm2", NOW + timedelta(hours=1)) is None, "a plan that has passed is none"
    assert waiting(snapshot, "sxm2") == 4
