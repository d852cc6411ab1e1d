"""Slurm that does not answer, rows and jobs that have lost each other."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from portal.errors import OutcomeUnknown, SlurmRefused, SlurmUnavailable
from portal.images.models import ImageRecord, ImageState, Scope
from portal.slurm.jobs import Job, JobState, Submitted
from portal.slurm.snapshot import Reach

from .conftest import Harness


async def test_a_start_is_refused_with_the_reason_while_slurm_is_down(harness: Harness) -> None:
    harness.watcher.snapshot = harness.watcher.snapshot.__class__(state=Reach.DOWN, message="No controller.")
    with pytest.raises(SlurmUnavailable, match="No controller"):
        await harness.start()


async def test_a_submission_without_an_answer_ends_the_row_and_its_job_when_it_appears(harness: Harness) -> None:
    harness.slurm.down = True
    with pytest.raises(SlurmUnavailable):
        await harness.start()
    [row] = await harness.store.page("alice", states="all", limit=10, before=None)
    assert (row.state, row.end_code) == ("ended", "slurm_unavailable")
    harness.slurm.down = False
    harness.slurm.found[7] = Job(7, f"dsp-{row.id}", "alice", "", "sxm2", "", JobState.PENDING)
    await harness.reconcile()
    assert harness.slurm.cancelled == [("alice", 7)]


async def test_session_that_the_door_could_not_submit_ends_with_what_the_door_said(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended with "Slurm did not answer", though Slurm had never been asked."""
    said = "The portal's door could not be used: sudo: a password is required."

    async def submit(*_: object) -> Submitted:
        raise SlurmUnavailable(said)

    monkeypatch.setattr(harness.slurm, "submit", submit)
    with pytest.raises(SlurmUnavailable):
        await harness.start()
    [row] = await harness.store.page("alice", states="all", limit=10, before=None)
    assert (row.state, row.end_code, row.end_text) == (
        "ended",
        "slurm_unavailable",
        f"It could not be submitted. {said}",
    )


@pytest.mark.parametrize("down", [False, True], ids=["Slurm took it", "Slurm did not answer"])
async def test_start_that_could_not_be_noted_is_not_told_as_nothing(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, down: bool
) -> None:
    """The row is written before Slurm is asked; then the disk is full."""
    submit = harness.slurm.submit

    async def then_the_disk_is_full(*arguments: Any) -> Submitted:
        with monkeypatch.context() as until_then:
            until_then.setattr(harness.slurm, "down", False)
            submitted = await submit(*arguments)
        monkeypatch.setattr(harness.store, "change", full)
        if down:
            raise SlurmUnavailable("Slurm did not answer in time.")
        return submitted

    def full(session_id: str) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(harness.slurm, "submit", then_the_disk_is_full)
    with pytest.raises(OutcomeUnknown) as caught:
        await harness.start()
    monkeypatch.undo()
    [row] = await harness.store.active()
    assert row.id in caught.value.hint
    assert ("may have been" in caught.value.message) is down
    assert "is full" in caught.value.message
    await harness.reconcile()
    record = await harness.store.get(row.id)
    assert (record.state, record.job_id) == ("allocated", 100)


async def test_refusal_is_told_as_such_when_the_row_cannot_be_removed(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(session_id: str) -> None:
        raise OperationalError("DELETE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(harness.store, "forget", full)
    harness.slurm.error = SlurmRefused("The QOS is not yours.")
    with pytest.raises(SlurmRefused):
        await harness.start()
    await harness.reconcile(after_s=60)
    [row] = await harness.store.page("alice", states="all", limit=10, before=None)
    assert row.end_code == "submit_lost"


async def test_a_stop_while_slurm_is_down_is_done_when_it_is_back(harness: Harness) -> None:
    record = await harness.start()
    harness.slurm.down = True
    await harness.service.stop(record.id)
    assert await harness.state(record) == "stopping"
    harness.slurm.down = False
    await harness.reconcile(after_s=30)
    assert harness.slurm.cancelled == [("alice", 100)]
    await harness.reconcile()
    assert await harness.state(record) == "ended"


async def test_a_job_whose_submission_was_never_committed_is_found_by_its_name(harness: Harness) -> None:
    harness.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await harness.start()
    [row] = await harness.store.active()
    assert (row.state, row.job_id) == ("submitted", None)
    await harness.reconcile()
    record = await harness.store.get(row.id)
    assert (record.state, record.job_id) == ("allocated", 100)
    assert harness.slurm.cancelled == []


async def test_job_that_was_placed_when_its_portal_was_gone_is_not_told_as_a_failure_of_the_app(
    harness: Harness,
) -> None:
    harness.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await harness.start()
    [row] = await harness.store.active()
    harness.slurm.becomes(100, JobState.FAILED)
    await harness.reconcile()
    assert (await harness.store.get(row.id)).end_code == "submit_lost"


async def test_a_row_whose_job_never_came_is_closed_but_not_too_soon(harness: Harness) -> None:
    harness.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await harness.start()
    harness.slurm.found.clear()
    [row] = await harness.store.active()
    await harness.reconcile(after_s=5)
    assert await harness.state(row) == "submitted"
    await harness.reconcile(after_s=60)
    assert (await harness.store.get(row.id)).end_code == "submit_lost"


async def test_a_job_of_ours_without_a_session_is_ended_in_time_and_others_are_left_alone(harness: Harness) -> None:
    harness.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    harness.slurm.found[8] = Job(8, "dsp-not-an-id", "bob", "", "sxm2", "", JobState.RUNNING)
    harness.slurm.found[9] = Job(9, "train", "bob", "", "sxm2", "", JobState.RUNNING)
    await harness.reconcile()
    await harness.reconcile()
    await harness.reconcile(after_s=60)
    assert harness.slurm.cancelled == [], "Its row may be missing for this moment only."
    await harness.reconcile(after_s=60)
    assert harness.slurm.cancelled == [("bob", 7)]


async def test_job_of_a_pull_is_left_alone_until_the_pull_has_ended(harness: Harness) -> None:
    pull = ImageRecord(id="abcdefghijkm", owner="bob", scope=Scope.USER, title="Tiny", path="/home/bob/tiny.sif")
    pull.state, pull.progress, pull.message, pull.created_at = ImageState.PULLING, 0, "", harness.clock()
    pull.secret_hash = "1" * 64
    async with harness.work() as db:
        db.add(pull)
    harness.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    for _ in range(5):
        await harness.reconcile(after_s=60)
    assert harness.slurm.cancelled == []
    async with harness.work() as db:
        (await db.merge(pull)).secret_hash = None
    await harness.reconcile()
    assert harness.slurm.cancelled == [("bob", 7)]


async def test_another_users_job_with_the_sessions_name_is_not_taken_for_it(harness: Harness) -> None:
    harness.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await harness.start()
    [row] = await harness.store.active()
    harness.slurm.found = {5: Job(5, f"dsp-{row.id}", "bob", "", "sxm2", "", JobState.RUNNING)}
    await harness.reconcile()
    assert (await harness.store.get(row.id)).job_id is None


async def test_a_session_the_hub_has_forgotten_is_handed_back(harness: Harness) -> None:
    harness.slurm.full = True
    record = await harness.start()
    await harness.done()
    harness.hub.started.clear()
    harness.hub.servers_.clear()
    await harness.compare(after_s=60)
    assert harness.hub.started == [("alice", record.server_name, record.id)]
