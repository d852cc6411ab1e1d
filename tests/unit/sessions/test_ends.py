"""How sessions end, by their job, their app or their user, and what is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.sessions.schemas import AgentEnded
from portal.slurm.jobs import JobEnd, JobState

from .conftest import Harness
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
async def test_the_end_of_the_job_is_told_in_words(harness: Harness, state: JobState, code: str) -> None:
    record = await harness.start()
    await ready(harness, record)
    harness.slurm.becomes(100, state, exit_code=1)
    await harness.reconcile()
    ended = await harness.store.get(record.id)
    assert (ended.state, ended.end_code) == ("ended", code)
    assert ended.end_text
    await becomes(lambda: harness.hub.stopped)
    assert harness.hub.stopped == [("alice", record.server_name)]


async def test_job_that_failed_before_its_agent_spoke_is_not_called_the_apps_failure(harness: Harness) -> None:
    """For example, its node's slurmd was down when the step should have started, so there is no log."""
    record = await harness.start()
    harness.slurm.becomes(100, JobState.FAILED, exit_code=1)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).end_code == "slurm_failed"


async def test_a_job_slurm_has_dropped_is_looked_up_in_accounting(harness: Harness) -> None:
    record = await harness.start()
    harness.slurm.found.clear()
    harness.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).end_code == "oom"


@pytest.mark.parametrize("name", ["nobody", "1000"])
async def test_session_whose_user_the_system_cannot_name_for_a_while_goes_on(harness: Harness, name: str) -> None:
    """squeue says `nobody` while a directory does not answer, pyslurm the account's number."""
    record = await harness.start()
    await ready(harness, record)
    harness.slurm.becomes(100, JobState.RUNNING, user=name)
    await harness.reconcile()
    assert await harness.state(record) == "ready"
    assert harness.slurm.asked_for_ends == []
    harness.slurm.becomes(100, JobState.RUNNING, user="bob")
    await harness.reconcile()
    assert await harness.state(record) == "ended", "Slurm's numbers began anew, and this one is another's."


async def test_many_jobs_that_slurm_has_dropped_are_one_question_to_accounting(harness: Harness) -> None:
    records = [await harness.start() for _ in range(3)]
    harness.slurm.found.clear()
    harness.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    harness.slurm.ends[102] = JobEnd(102, JobState.TIMEOUT)
    await harness.reconcile()
    assert [(await harness.store.get(record.id)).end_code for record in records] == ["oom", "job_gone", "time_limit"]
    assert [sorted(asked) for asked in harness.slurm.asked_for_ends] == [[100, 101, 102]]
    await harness.reconcile()
    assert len(harness.slurm.asked_for_ends) == 1, "who has ended is asked for no more"


async def test_nothing_is_concluded_while_accounting_is_down_and_it_is_not_asked_all_the_time(harness: Harness) -> None:
    record = await harness.start()
    harness.slurm.found.clear()
    harness.slurm.accounting_down = True
    harness.slurm.ends[100] = JobEnd(100, JobState.OUT_OF_MEMORY)
    for _ in range(3):
        await harness.reconcile(after_s=5)
    assert await harness.state(record) != "ended"
    assert len(harness.slurm.asked_for_ends) == 1
    harness.slurm.accounting_down = False
    await harness.reconcile(after_s=30)
    assert (await harness.store.get(record.id)).end_code == "oom"


async def test_an_app_that_ends_gives_its_allocation_back(harness: Harness) -> None:
    record = await harness.start()
    await ready(harness, record)
    await harness.agents.ended(record.id, AgentEnded(exit_code=3, code="app_failed", text="ImportError."))
    await becomes(lambda: harness.slurm.cancelled)
    assert harness.slurm.cancelled == [("alice", 100)]
    await harness.reconcile()
    ended = await harness.store.get(record.id)
    assert (ended.end_code, ended.exit_code) == ("app_failed", 3)
    assert "ImportError" in ended.end_text


@pytest.mark.parametrize(
    ("code", "said", "text"),
    [
        ("time_limit", "The session reached its time limit.", "It reached its time limit."),
        ("stopped", "The session was stopped.", "The job was cancelled in Slurm."),
    ],
)
async def test_an_end_is_not_said_twice(harness: Harness, code: str, said: str, text: str) -> None:
    record = await harness.start()
    await harness.agents.ended(record.id, AgentEnded(exit_code=0, code=code, text=said))
    assert (await harness.store.get(record.id)).end_text == text


async def test_app_whose_gpu_ran_out_of_memory_ends_with_that_reason(harness: Harness) -> None:
    record = await harness.start()
    await ready(harness, record)
    tail = "torch.OutOfMemoryError: CUDA out of memory. GPU 0 has a total capacity of 15.78 GiB of which 0 is free."
    await harness.agents.ended(record.id, AgentEnded(exit_code=1, code="app_failed", text="It ended.", log_tail=tail))
    await harness.reconcile()
    ended = await harness.store.get(record.id)
    assert ended.end_code == "gpu_oom"
    assert ended.end_text.startswith("GPU 0 ran out of memory: it has 15.8 GB.")


async def test_a_job_whose_agent_never_speaks_is_ended(harness: Harness) -> None:
    record = await harness.start()
    await harness.reconcile(after_s=60)
    assert await harness.state(record) == "allocated"
    await harness.reconcile(after_s=180)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).end_code == "agent_silent"


async def test_agent_is_not_called_silent_because_the_clock_is_set_ahead(harness: Harness) -> None:
    harness.clock.pass_(3600)  # this portal has run for long
    record = await harness.start()
    await harness.reconcile()
    harness.clock.set(3600)
    await harness.reconcile()
    assert await harness.state(record) == "allocated"
    await harness.reconcile(after_s=200)
    assert (await harness.store.get(record.id)).end_code == "agent_silent"


async def test_cancelling_a_queued_session_says_so(harness: Harness) -> None:
    harness.slurm.full = True
    record = await harness.start()
    await harness.service.stop(record.id)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).end_code == "cancelled"


async def test_session_started_after_the_clock_is_set_back_is_not_called_gone(harness: Harness) -> None:
    harness.clock.set(3600)
    before = harness.watcher.look()
    harness.clock.set(-3600)
    record = await harness.start()
    await harness.reconciler.reconcile(replace(before, serial=before.serial + 1, clock_set=True))  # its nodes were read
    assert await harness.state(record) == "allocated"
