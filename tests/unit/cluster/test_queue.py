"""The queue in pages, and what people may see of each other in it."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime

import pytest

from portal.cluster.queue import Queue, QueueFilter
from portal.cluster.visibility import Viewer, Visibility, viewer_of
from portal.settings import Cluster
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Snapshot

START = datetime(2026, 11, 21, 12, tzinfo=UTC)


def job(number: int, user: str, state: JobState = JobState.RUNNING, **more: object) -> Job:
    values = {"nodes": "node001" if state is JobState.RUNNING else "", "priority": number, **more}
    return Job(number, f"secret-{number}", user, "acc", "sxm2", "", state, **values)  # type: ignore[arg-type]


JOBS = {
    job.id: job
    for job in (
        job(1, "alice", JobState.PENDING),
        job(2, "bob", JobState.PENDING),
        job(3, "carol", JobState.PENDING),
        job(4, "bob"),
        job(5, "alice"),
        job(6, "bob", JobState.COMPLETED, nodes="node001"),
        job(7, "bob", JobState.FAILED),
    )
}
ALL, SOME, NONE = (
    Viewer("alice", visibility) for visibility in (Visibility.JOBS, Visibility.USERS, Visibility.NOTHING)
)


def ids(asked: QueueFilter = QueueFilter(), viewer: Viewer = ALL, offset: int = 0, limit: int = 50) -> list[int]:  # noqa: B008
    return [job.id for job in Queue().page(JOBS, asked, viewer, offset=offset, limit=limit).jobs]


def test_mine_come_first_then_what_runs_then_the_line_in_slurms_order() -> None:
    assert ids() == [5, 1, 4, 3, 2]
    assert ids(QueueFilter("ended")) == [6], "an allocation that was refused never was"
    assert ids(QueueFilter("waiting")) == [1, 3, 2]
    assert ids(QueueFilter("running")) == [5, 4]
    assert ids(QueueFilter(mine=True)) == [5, 1]


def test_pages_are_cut_from_one_list_without_gaps_or_repeats() -> None:
    queue = Queue()
    pages = [queue.page(JOBS, QueueFilter(), ALL, offset=at, limit=2) for at in range(0, 6, 2)]
    assert [job.id for page in pages for job in page.jobs] == [5, 1, 4, 3, 2]
    assert {(page.total, page.mine) for page in pages} == {(5, 2)}


def test_filters_are_applied_together() -> None:
    assert ids(QueueFilter(user="bob")) == [4, 2]
    assert ids(QueueFilter(node="node001")) == [5, 4]
    assert ids(QueueFilter(text="SECRET-4")) == [4]
    assert ids(QueueFilter("waiting", user="carol", partition="sxm2")) == [3]
    assert ids(QueueFilter(partition="nowhere")) == []
    assert ids(QueueFilter(gpu_type="v100")) == []


def test_what_is_hidden_cannot_be_found_either() -> None:
    assert ids(QueueFilter(text="secret-4"), SOME) == []
    assert ids(QueueFilter(text="secret-5"), NONE) == [5], "one's own is always one's own"
    assert ids(QueueFilter(user="bob"), SOME) == [4, 2]
    assert ids(QueueFilter(user="bob"), NONE) == []
    assert ids(QueueFilter(text="bob"), NONE) == []
    assert ids(viewer=NONE) == ids()


def test_one_readers_answer_is_never_anothers() -> None:
    queue = Queue()
    asked = QueueFilter(text="secret-4")
    assert queue.page(JOBS, asked, ALL, offset=0, limit=5).total == 1
    assert queue.page(JOBS, asked, NONE, offset=0, limit=5).total == 0
    bob = Viewer("bob", Visibility.NOTHING)
    assert queue.page(JOBS, asked, bob, offset=0, limit=5).total == 1
    assert [job.id for job in queue.page(JOBS, QueueFilter(), bob, offset=0, limit=2).jobs] == [4, 2]


def test_place_in_line_is_counted_in_the_partition() -> None:
    line = Queue().line(JOBS)
    assert line.places == {3: (1, 3), 2: (2, 3), 1: (3, 3)}
    assert Queue().line(JOBS | {9: job(9, "bob", JobState.PENDING)}).places[9] == (1, 4)


def test_a_job_in_several_partitions_waits_in_each_and_has_the_place_nearest_to_the_front() -> None:
    both = dataclasses.replace(job(9, "bob", JobState.PENDING, priority=0), partition="sxm2,debug")
    assert Queue().line(JOBS | {9: both}).places == {3: (1, 4), 2: (2, 4), 1: (3, 4), 9: (1, 1)}
    for partition in ("sxm2", "debug"):
        page = Queue().page(JOBS | {9: both}, QueueFilter("waiting", partition=partition), ALL, offset=0, limit=9)
        assert 9 in [found.id for found in page.jobs]


@pytest.mark.parametrize(
    "reason", ["JobHeldUser", "JobHeldAdmin", "job_requeued_in_held_state", "DependencyNeverSatisfied", "BeginTime"]
)
def test_a_job_that_waits_for_something_else_has_no_place_and_counts_for_nobody(reason: str) -> None:
    waiting = JOBS | {3: job(3, "carol", JobState.PENDING, reason=reason)}
    assert Queue().line(waiting).places == {2: (1, 2), 1: (2, 2)}


@pytest.mark.parametrize(
    ("others", "private", "admin", "visibility"),
    [
        ("slurm", set(), False, Visibility.JOBS),
        ("slurm", {"jobs"}, False, Visibility.NOTHING),
        ("slurm", {"accounts", "users"}, False, Visibility.NOTHING),
        ("slurm", {"jobs"}, True, Visibility.JOBS),
        ("users", set(), False, Visibility.USERS),
        ("jobs", {"jobs"}, False, Visibility.JOBS),
        ("nothing", set(), False, Visibility.NOTHING),
    ],
)
def test_the_site_says_what_is_seen_and_without_a_word_slurm_does(
    others: str, private: set[str], admin: bool, visibility: Visibility
) -> None:
    snapshot = Snapshot(version="22.05.8", private=frozenset(private))
    settings = Cluster.model_validate({"others": others})
    assert viewer_of("alice", admin=admin, settings=settings, snapshot=snapshot).visibility is visibility


def test_before_slurm_has_spoken_nothing_is_shown_of_others() -> None:
    assert viewer_of("alice", admin=False, settings=Cluster(), snapshot=Snapshot()).visibility is Visibility.NOTHING
