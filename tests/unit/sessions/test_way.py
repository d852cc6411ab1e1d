"""A session's good way from start to end, and what is refused before it begins."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import Forbidden, InvalidRequest, PolicyRefused, SlurmRefused
from portal.policy.request import ResourceRequest, SessionRequest
from portal.slurm.jobs import JobState

from .conftest import Harness
from .steps import ready


async def test_a_session_goes_from_submitted_to_ready_and_ends_when_stopped(harness: Harness) -> None:
    record = await harness.start(gpus=2)
    assert (record.state, record.job_id, record.node) == ("allocated", 100, "node001")
    await ready(harness, record)
    assert harness.hub.started == [("alice", record.server_name, record.id)]
    await harness.service.stop(record.id)
    assert await harness.state(record) == "stopping"
    await harness.reconcile()
    ended = await harness.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", "stopped")
    stages = [event.stage for event in await harness.store.events(record.id)]
    assert stages == ["submitted", "allocated", "starting", "starting", "ready", "stopping", "ended"]


async def test_a_stop_is_followed_closely_but_one_that_hangs_is_not(harness: Harness) -> None:
    record = await harness.start()
    await ready(harness, record)
    await harness.reconcile()
    assert harness.watcher.kicks_again == 0
    await harness.service.stop(record.id)
    harness.slurm.becomes(100, JobState.RUNNING, nodes="node001")
    kicks = []
    for _ in range(4):
        await harness.reconcile(after_s=5)
        kicks.append(harness.watcher.kicks_again)
    assert kicks == [1, 2, 2, 2]


async def test_a_queued_session_says_why_it_waits_and_starts_when_slurm_starts_it(harness: Harness) -> None:
    harness.slurm.full = True
    record = await harness.start()
    await harness.reconcile()
    queued = await harness.store.get(record.id)
    assert (queued.state, queued.reason_code) == ("queued", "Resources")
    assert queued.reason
    harness.slurm.becomes(100, JobState.RUNNING, nodes="node002")
    await harness.reconcile()
    running = await harness.store.get(record.id)
    assert (running.state, running.node, running.reason) == ("allocated", "node002", None)


async def test_an_ended_session_keeps_no_secret(harness: Harness) -> None:
    record = await harness.start()
    await ready(harness, record)
    await harness.service.stop(record.id)
    await harness.reconcile()
    ended = await harness.store.get(record.id)
    assert (ended.secret_hash, ended.agent_key_hash, ended.launch_sealed) == ("", None, None)


async def test_readers_are_told_of_every_step(harness: Harness) -> None:
    with (
        harness.bus.reader(lambda event: event.owner == "alice") as alices,
        harness.bus.reader(lambda event: event.owner == "bob") as bobs,
    ):
        await harness.start()
        assert [(await alices.next(1)).kind for _ in range(2)] == ["progress", "session"]
        with pytest.raises(TimeoutError):
            await bobs.next(0.01)


async def test_a_refused_submission_leaves_no_row(harness: Harness) -> None:
    harness.slurm.error = SlurmRefused("The QOS is not yours.")
    with harness.bus.reader(lambda event: True) as pages:
        with pytest.raises(SlurmRefused):
            await harness.start()
        with pytest.raises(TimeoutError):
            await pages.next(0.01)
    assert await harness.store.page("alice", states="all", limit=10, before=None) == []


async def test_policy_refuses_before_anything_is_submitted(harness: Harness) -> None:
    with pytest.raises(PolicyRefused):
        await harness.start(gpus=9)
    assert harness.slurm.found == {}


async def test_two_starts_at_once_do_not_slip_under_a_limit(harness: Harness) -> None:
    results = await asyncio.gather(*(harness.start(gpus=4) for _ in range(4)), return_exceptions=True)
    assert sum(isinstance(result, PolicyRefused) for result in results) == 2
    assert len(harness.slurm.found) == 2


async def test_an_environment_that_is_not_installed_is_refused_at_its_field(harness: Harness) -> None:
    harness.missing["base"] = "Base is not installed yet."
    with pytest.raises(InvalidRequest) as caught:
        await harness.start()
    assert [field.field for field in caught.value.fields] == ["environment"]


async def test_someone_the_directory_does_not_know_is_refused(harness: Harness) -> None:
    with pytest.raises(Forbidden):
        await harness.start("mallory")


@pytest.mark.parametrize(
    ("name", "comment"),
    [("bert", "bert"), ("BERT\u00a0\u00a0fine-tune", "BERT fine-tune"), ("portal:abcdefghijkl", "")],
)
async def test_sessions_name_is_its_jobs_comment_but_never_a_batch_jobs_mark(
    harness: Harness, name: str, comment: str
) -> None:
    request = SessionRequest(app="jupyterlab", name=name, resources=ResourceRequest())
    record = await harness.service.start("alice", request, origin="api")
    assert record.job_id is not None
    assert harness.slurm.found[record.job_id].comment == comment
