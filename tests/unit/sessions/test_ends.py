"""How sessions end, by their job, their app or their user, and what is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.sessions.schemas import AgentEnded
from portal.slurm.jobs import JobEnd, JobState

from .conftest import Desk
from .steps import becomes, ready


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (JobState.TIMEOUT, "time_limit"),
        (JobState.OUT_OF_MEMORY, "oom"),
        (JobState.NODE_FAIL, "node_failed"),
        (JobState.PREEMPTED, "preempted"),
        (JobState.CANCELLED, "slurm_cancelled"),
        (JobState.COMPLETED, "finished"),
        (JobState.FAILED, "app_failed"),
    ],
)
async def test_the_end_of_the_job_is_told_in_words(desk: Desk, state: JobState, code: str) -> None:
    record = await desk.start()
    await ready(desk, record)
    desk.slurm.becomes(100, state, exit_code=1)
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", code)
    assert ended.end_text
    await becomes(lambda: desk.hub.stopped)
    assert desk.hub.stopped == [("alice", record.server_name)]


async def test_job_that_failed_before_its_agent_spoke_is_not_called_the_apps_failure(desk: Desk) -> None:
    """For example, its node's slurmd was down when the step should have started, so there is no log."""
    record = await desk.start()
    desk.slurm.becomes(100, JobState.FAILED, exit_code=1)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "slurm_failed"


async def test_a_job_slurm_has_dropped_is_looked_up_in_accounting(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.found.clear()
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "oom"


@pytest.mark.parametrize("name", ["nobody", "1000"])
async def test_session_whose_user_the_system_cannot_name_for_a_while_goes_on(desk: Desk, name: str) -> None:
    """squeue says `nobody` while a directory does not answer, pyslurm the account's number."""
    record = await desk.start()
    await ready(desk, record)
    desk.slurm.becomes(100, JobState.RUNNING, user=name)
    await desk.reconcile()
    assert await desk.state(record) == "ready"
    assert desk.slurm.asked_for_ends == []
    desk.slurm.becomes(100, JobState.RUNNING, user="bob")
    await desk.reconcile()
    assert await desk.state(record) == "ended", "Slurm's numbers began anew, and this one is another's."


async def test_many_jobs_that_slurm_has_dropped_are_one_question_to_accounting(desk: Desk) -> None:
    records = [await desk.start() for _ in range(3)]
    desk.slurm.found.clear()
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    desk.slurm.ends[102] = JobEnd(102, JobState.TIMEOUT)
    await desk.reconcile()
    assert [(await desk.store.get(record.id)).end_code for record in records] == ["oom", "job_gone", "time_limit"]
    assert [sorted(asked) for asked in desk.slurm.asked_for_ends] == [[100, 101, 102]]
    await desk.reconcile()
    assert len(desk.slurm.asked_for_ends) == 1, "who has ended is asked for no more"


async def test_nothing_is_concluded_while_accounting_is_down_and_it_is_not_asked_all_the_time(desk: Desk) -> None:
    record = await desk.start()
    desk.slurm.found.clear()
    desk.slurm.accounting_down = True
    desk.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    for _ in range(3):
        await desk.reconcile(after_s=5)
    assert await desk.state(record) != "ended"
    assert len(desk.slurm.asked_for_ends) == 1
    desk.slurm.accounting_down = False
    await desk.reconcile(after_s=30)
    assert (await desk.store.get(record.id)).end_code == "oom"


async def test_an_app_that_ends_gives_its_allocation_back(desk: Desk) -> None:
    record = await desk.start()
    await ready(desk, record)
    await desk.agents.ended(record.id, AgentEnded(exit_code=3, code="app_failed", text="ImportError."))
    await becomes(lambda: desk.slurm.cancelled)
    assert desk.slurm.cancelled == [("alice", 100)]
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert (ended.end_code, ended.exit_code) == ("app_failed", 3)
    assert "ImportError" in ended.end_text


async def test_app_whose_gpu_ran_out_of_memory_ends_with_that_reason(desk: Desk) -> None:
    record = await desk.start()
    await ready(desk, record)
    tail = "torch.OutOfMemoryError: CUDA out of memory. GPU 0 has a total capacity of 15.78 GiB of which 0 is free."
    await desk.agents.ended(record.id, AgentEnded(exit_code=1, code="app_failed", text="It ended.", log_tail=tail))
    await desk.reconcile()
    ended = await desk.store.get(record.id)
    assert ended.end_code == "gpu_oom"
    assert ended.end_text.startswith("GPU 0 ran out of memory: it has 15.8 GB.")


async def test_a_job_whose_agent_never_speaks_is_ended(desk: Desk) -> None:
    record = await desk.start()
    await desk.reconcile(after_s=60)
    assert await desk.state(record) == "allocated"
    await desk.reconcile(after_s=180)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "agent_silent"


async def test_agent_is_not_called_silent_because_the_clock_is_set_ahead(desk: Desk) -> None:
    desk.clock.pass_(3600)  # this portal has run for long
    record = await desk.start()
    await desk.reconcile()
    desk.clock.set(3600)
    await desk.reconcile()
    assert await desk.state(record) == "allocated"
    await desk.reconcile(after_s=200)
    assert (await desk.store.get(record.id)).end_code == "agent_silent"


async def test_cancelling_a_queued_session_says_so(desk: Desk) -> None:
    desk.slurm.full = True
    record = await desk.start()
    await desk.service.stop(record.id)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).end_code == "cancelled"


async def test_session_started_after_the_clock_is_set_back_is_not_called_gone(desk: Desk) -> None:
    desk.clock.set(3600)
    before = desk.watcher.look()
    desk.clock.set(-3600)
    record = await desk.start()
    await desk.reconciler.reconcile(replace(before, serial=before.serial + 1, clock_set=True))  # its nodes were read
    assert await desk.state(record) == "allocated"
