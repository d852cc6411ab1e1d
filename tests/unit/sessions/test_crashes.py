"""Slurm that does not answer, rows and jobs that have lost each other."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import SlurmUnavailable
from portal.slurm.types import Job, JobState, Reach

from .conftest import Desk


async def test_a_start_is_refused_with_the_reason_while_slurm_is_down(desk: Desk) -> None:
    desk.watcher.picture = desk.watcher.picture.__class__(state=Reach.DOWN, message="No controller.")
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
    found = await desk.store.get(row.id)
    assert (found.state, found.job_id) == ("allocated", 100)
    assert desk.slurm.cancelled == []


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


async def test_a_job_of_ours_without_a_session_is_ended_and_others_are_left_alone(desk: Desk) -> None:
    desk.slurm.found[7] = Job(7, "dsp-abcdefghijkm", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[8] = Job(8, "dsp-not-an-id", "bob", "", "sxm2", "", JobState.RUNNING)
    desk.slurm.found[9] = Job(9, "train", "bob", "", "sxm2", "", JobState.RUNNING)
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
    await asyncio.sleep(0)
    desk.hub.started.clear()
    desk.hub.servers.clear()
    await desk.reconciler._hub.tend(await desk.store.get(record.id))
    await asyncio.sleep(0)
    assert desk.hub.started == [("alice", record.server_name, record.id)]
