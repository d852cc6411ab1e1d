"""A session's good way from start to end, and what is refused before it begins."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import Forbidden, InvalidRequest, PolicyRefused, SlurmRefused
from portal.policy.request import ResourceRequest, SessionRequest
from portal.slurm.jobs import JobState

from .conftest import Desk
from .steps import ready


async def test_a_session_goes_from_submitted_to_ready_and_ends_when_stopped(desk: Desk) -> None:
    record = await desk.start(gpus=2)
    assert (record.state, record.job_id, record.node) == ("allocated", 100, "node001")
    await ready(desk, record)
    assert desk.hub.started == [("alice", record.server_name, record.id)]
    await desk.service.stop(record.id)
    assert await desk.state(record) == "stopping"
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", "stopped")
    stages = [event.stage for event in await desk.store.events(record.id)]
    assert stages == ["submitted", "allocated", "starting", "starting", "ready", "stopping", "ended"]


async def test_a_queued_session_says_why_it_waits_and_starts_when_slurm_starts_it(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await desk.reconcile()
    queued = await desk.store.get(record.id)
    assert (queued.state, queued.reason_code) == ("queued", "Resources")
    assert queued.reason
    desk.slurm.becomes(100, JobState.RUNNING, nodes="node002")
    await desk.reconcile()
    running = await desk.store.get(record.id)
    assert (running.state, running.node, running.reason) == ("allocated", "node002", None)


async def test_an_ended_session_keeps_no_secret(desk: Desk) -> None:
    record = await desk.start()
    await ready(desk, record)
    await desk.service.stop(record.id)
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.secret_hash, ended.agent_key_hash, ended.launch_sealed) == ("", None, None)


async def test_readers_are_told_of_every_step(desk: Desk) -> None:
    with (
        desk.bus.reader(lambda event: event.owner == "alice") as alices,
        desk.bus.reader(lambda event: event.owner == "bob") as bobs,
    ):
        await desk.start()
        assert [(await alices.next(1)).kind for _ in range(2)] == ["progress", "session"]
        with pytest.raises(TimeoutError):
            await bobs.next(0.01)


async def test_a_refused_submission_leaves_no_row(desk: Desk) -> None:
    desk.slurm.error = SlurmRefused("The QOS is not yours.")
    with desk.bus.reader(lambda event: True) as pages:
        with pytest.raises(SlurmRefused):
            await desk.start()
        with pytest.raises(TimeoutError):
            await pages.next(0.01)
    assert await desk.store.page("alice", states="all", limit=10, before=None) == []


async def test_policy_refuses_before_anything_is_submitted(desk: Desk) -> None:
    with pytest.raises(PolicyRefused):
        await desk.start(gpus=9)
    assert desk.slurm.found == {}


async def test_two_starts_at_once_do_not_slip_under_a_limit(desk: Desk) -> None:
    results = await asyncio.gather(*(desk.start(gpus=4) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(result, PolicyRefused) for result in results) == 2
    assert len(desk.slurm.found) == 2


async def test_an_environment_that_is_not_installed_is_refused_at_its_field(desk: Desk) -> None:
    desk.missing["base"] = "Base is not installed yet."
    with pytest.raises(InvalidRequest) as caught:
        await desk.start()
    assert [field.field for field in caught.value.fields] == ["environment"]


async def test_someone_the_directory_does_not_know_is_refused(desk: Desk) -> None:
    with pytest.raises(Forbidden):
        await desk.start("mallory")


@pytest.mark.parametrize(
    ("name", "comment"),
    [("bert", "bert"), ("BERT\u00a0\u00a0fine-tune", "BERT fine-tune"), ("portal:abcdefghijkl", "")],
)
async def test_sessions_name_is_its_jobs_comment_but_never_a_batch_jobs_mark(
    desk: Desk, name: str, comment: str
) -> None:
    request = SessionRequest(app="jupyterlab", name=name, resources=ResourceRequest())
    record = await desk.service.start("alice", request, origin="api")
    assert record.job_id is not None
    assert desk.slurm.found[record.job_id].comment == comment
