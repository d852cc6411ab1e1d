"""What a session's owner reads of its position in the queue."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from portal.sessions.view import is_suspended, queue_of
from portal.slurm.jobs import Factor, Job, JobState, Priority
from portal.slurm.snapshot import Snapshot
from tests.unit.http.rows import session_row

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def waiting(job_id: int, priority: int, minute: int) -> Job:
    return Job(
        id=job_id,
        name=f"job{job_id}",
        user="alice",
        account="",
        partition="sxm2",
        qos="",
        state=JobState.PENDING,
        reason="Priority",
        priority=priority,
        submitted_at=NOON + timedelta(minutes=minute),
    )


OWN = Priority(1_200, {Factor.AGE: 200, Factor.FAIR_SHARE: 1_000})
RICH = Priority(9_000, {Factor.AGE: 0, Factor.FAIR_SHARE: 1_000, Factor.QOS: 8_000})


@pytest.mark.parametrize(
    ("priorities", "order"),
    [
        ({}, "The job ahead came later but has a higher priority in Slurm, for example through fair share or QOS."),
        (
            {7: OWN, 8: RICH},
            "The job ahead came later but has a higher priority in Slurm, through QOS."
            " Its priority is 1,200: fair share 1,000, waiting time 200.",
        ),
        (
            {7: Priority(1, {}), 8: Priority(1, {})},
            "The job ahead came later but has a higher priority in Slurm, for example through fair share or QOS.",
        ),
    ],
)
def test_position_in_the_queue_says_what_decides(priorities: dict[int, Priority], order: str) -> None:
    jobs = {job.id: job for job in (waiting(7, 1_200, 0), waiting(8, 9_000, 5))}
    record = session_row("k3f9k3f9k3f9", owner="alice", at=NOON, state="queued", job_id=7)
    line = queue_of(record, Snapshot(jobs=jobs, priorities=priorities, jobs_as_of=NOON))
    assert line is not None
    assert (line.position, line.of, line.order) == (2, 2, order)


def test_of_several_partitions_the_queue_nearest_to_its_front_counts() -> None:
    both = dataclasses.replace(waiting(7, 1_200, 0), partition="sxm2,debug")
    jobs = {7: both, 8: waiting(8, 9_000, 5)}
    record = session_row("k3f9k3f9k3f9", owner="alice", at=NOON, state="queued", job_id=7)
    line = queue_of(record, Snapshot(jobs=jobs, jobs_as_of=NOON))
    assert line is not None
    assert (line.position, line.of) == (1, 1)


@pytest.mark.parametrize(
    ("priorities", "order"),
    [({}, ""), ({7: OWN}, "Its priority is 1,200: fair share 1,000, waiting time 200.")],
)
def test_the_first_in_the_queue_is_not_told_so_twice(priorities: dict[int, Priority], order: str) -> None:
    record = session_row("k3f9k3f9k3f9", owner="alice", at=NOON, state="queued", job_id=7)
    line = queue_of(record, Snapshot(jobs={7: waiting(7, 1_200, 0)}, priorities=priorities, jobs_as_of=NOON))
    assert line is not None
    assert (line.position, line.of, line.order) == (1, 1, order)


@pytest.mark.parametrize("reason", ["JobHeldUser", "JobHeldAdmin", "Dependency", "BeginTime"])
def test_job_that_does_not_wait_for_its_turn_has_no_position_and_takes_none(reason: str) -> None:
    held = dataclasses.replace(waiting(7, 9_000, 0), reason=reason)
    snapshot = Snapshot(jobs={7: held, 8: waiting(8, 1_200, 5)}, jobs_as_of=NOON)
    lines = [
        queue_of(session_row(name, owner="alice", at=NOON, state="queued", job_id=job_id), snapshot)
        for name, job_id in (("k3f9k3f9k3f9", 7), ("m4g2m4g2m4g2", 8))
    ]
    assert lines[0] is None
    assert lines[1] is not None
    assert (lines[1].position, lines[1].of) == (1, 1)


@pytest.mark.parametrize(
    ("state", "job_state", "suspended"),
    [
        ("ready", JobState.SUSPENDED, True),
        ("starting", JobState.STOPPED, True),
        ("ready", JobState.RUNNING, False),
        ("ended", JobState.SUSPENDED, False),
    ],
)
def test_session_is_suspended_while_slurm_has_stopped_its_processes(
    state: str, job_state: JobState, suspended: bool
) -> None:
    job = dataclasses.replace(waiting(7, 1_200, 0), state=job_state, reason="")
    record = session_row("k3f9k3f9k3f9", owner="alice", at=NOON, state=state, job_id=7)
    assert is_suspended(record, Snapshot(jobs={7: job}, jobs_as_of=NOON)) is suspended
