"""Slurm that does not answer, rows and jobs that have lost each other."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from portal.errors import OutcomeUnknown, SlurmRefused, SlurmUnavailable
from portal.images.models import ImageRecord, ImageState, Scope
from portal.slurm.jobs import Job, JobState, Submitted
from portal.slurm.snapshot import Reach

from .conftest import Desk


async def test_a_start_is_refused_with_the_reason_while_slurm_is_down(desk: Desk) -> None:
    desk.watcher.snapshot = desk.watcher.snapshot.__class__(state=Reach.DOWN, message="No controller.")
    with pytest.raises(SlurmUnavailable, match="No controller"):
        await desk.start()


async def test_a_submission_without_an_answer_ends_the_row_and_its_job_when_it_appears(desk: Desk) -> None:
    desk.slurm.down = True
    with pytest.raises(SlurmUnavailable):
        await desk.start()
    [row] = await desk.store.page("alice", states="all", limit=10, before=None)
    assert (row.state, row.end_code) == ("ended", "slurm_unavailable")
    desk.slurm.down = False
    desk.slurm.found[7] = Job(7, f"dsp-{row.id}", "alice", "", "sxm2", "", JobState.PENDING)
    await desk.reconcile()
    assert desk.slurm.cancelled == [("alice", 7)]


@pytest.mark.parametrize("down", [False, True], ids=["Slurm took it", "Slurm did not answer"])
async def test_start_that_could_not_be_noted_is_not_told_as_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, down: bool
) -> None:
    """The row is written before Slurm is asked; then the disk is full."""
    submit = desk.slurm.submit

    async def then_the_disk_is_full(*arguments: Any) -> Submitted:
        with monkeypatch.context() as until_then:
            until_then.setattr(desk.slurm, "down", False)
            submitted = await submit(*arguments)
        monkeypatch.setattr(desk.store, "change", full)
        if down:
            raise SlurmUnavailable("Slurm did not answer in time.")
        return submitted

    def full(session_id: str) -> None:
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(desk.slurm, "submit", then_the_disk_is_full)
    with pytest.raises(OutcomeUnknown) as caught:
        await desk.start()
    monkeypatch.undo()
    [row] = await desk.store.active()
    assert row.id in caught.value.hint
    assert ("may have been" in caught.value.message) is down
    assert "is full" in caught.value.message
    await desk.reconcile()
    record = await desk.store.get(row.id)
    assert (record.state, record.job_id) == ("allocated", 100)


async def test_refusal_is_told_as_such_when_the_row_cannot_be_removed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(session_id: str) -> None:
        raise OperationalError("DELETE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(desk.store, "forget", full)
    desk.slurm.error = SlurmRefused("The QOS is not yours.")
    with pytest.raises(SlurmRefused):
        await desk.start()
    await desk.reconcile(after_s=60)
    [row] = await desk.store.page("alice", states="all", limit=10, before=None)
    assert row.end_code == "submit_lost"


async def test_a_stop_while_slurm_is_down_is_done_when_it_is_back(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.down = True
    await desk.service.stop(record.id)
    assert await desk.state(record) == "stopping"
    desk.slurm.down = False
    await desk.reconcile(after_s=30)
    assert desk.slurm.cancelled == [("alice", 100)]
    await desk.reconcile()
    assert await desk.state(record) == "ended"


async def test_a_job_whose_submission_was_never_committed_is_found_by_its_name(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    [row] = await desk.store.active()
    assert (row.state, row.job_id) == ("submitted", None)
    await desk.reconcile()
    record = await desk.store.get(row.id)
    assert (record.state, record.job_id) == ("allocated", 100)
    assert desk.slurm.cancelled == []


async def test_job_that_was_placed_when_its_portal_was_gone_is_not_told_as_a_failure_of_the_app(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    [row] = await desk.store.active()
    desk.slurm.becomes(100, JobState.FAILED)
    await desk.reconcile()
    assert (await desk.store.get(row.id)).end_code == "submit_lost"


async def test_a_row_whose_job_never_came_is_closed_but_not_too_soon(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    desk.slurm.found.clear()
    [row] = await desk.store.active()
    await desk.reconcile(after_s=5)
    assert await desk.state(row) == "submitted"
    await desk.reconcile(after_s=60)
    assert (await desk.store.get(row.id)).end_code == "submit_lost"


async def test_a_job_of_ours_without_a_session_is_ended_in_time_and_others_are_left_alone(desk: Desk) -> None:
    desk.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[8] = Job(8, "dsp-not-an-id", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[9] = Job(9, "train", "bob", "", "sxm2", "", JobState.RUNNING)
    await desk.reconcile()
    await desk.reconcile()
    await desk.reconcile(after_s=60)
    assert desk.slurm.cancelled == [], "Its row may be missing for this moment only."
    await desk.reconcile(after_s=60)
    assert desk.slurm.cancelled == [("bob", 7)]


async def test_job_of_a_pull_is_left_alone_until_the_pull_has_ended(desk: Desk) -> None:
    pull = ImageRecord(id="abcdefghijkm", owner="bob", scope=Scope.USER, title="Tiny", path="/home/bob/tiny.sif")
    pull.state, pull.progress, pull.message, pull.created_at = ImageState.PULLING, 0, "", desk.clock()
    pull.secret_hash = "1" * 64
    async with desk.store._work() as db:
        db.add(pull)
    desk.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    for _ in range(5):
        await desk.reconcile(after_s=60)
    assert desk.slurm.cancelled == []
    async with desk.store._work() as db:
        (await db.merge(pull)).secret_hash = None
    await desk.reconcile()
    assert desk.slurm.cancelled == [("bob", 7)]


async def test_another_users_job_with_the_sessions_name_is_not_taken_for_it(desk: Desk) -> None:
    desk.slurm.lose_answer = True
    with pytest.raises(RuntimeError):
        await desk.start()
    [row] = await desk.store.active()
    desk.slurm.found = {5: Job(5, f"dsp-{row.id}", "bob", "", "sxm2", "", JobState.RUNNING)}
    await desk.reconcile()
    assert (await desk.store.get(row.id)).job_id is None


async def test_a_session_the_hub_has_forgotten_is_handed_back(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await desk.done()
    desk.hub.started.clear()
    desk.hub.servers_.clear()
    await desk.compare(after_s=60)
    assert desk.hub.started == [("alice", record.server_name, record.id)]
