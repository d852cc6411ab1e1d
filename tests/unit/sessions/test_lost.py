"""Sessions whose processes were killed from outside: noticed, and never by silence alone."""

from __future__ import annotations

import pytest

from portal.sessions.models import SessionRecord
from portal.sessions.schemas import AgentReport
from portal.slurm.jobs import JobState

from .conftest import Harness
from .steps import KEY, ready

REPORT = AgentReport(cpu_percent=1.0, memory_mib=100, gpus=[], connections=0)


@pytest.fixture
async def silent(harness: Harness) -> SessionRecord:
    """A session whose agent has not been heard for two minutes."""
    record = await harness.start(gpus=1)
    await ready(harness, record)
    await harness.reconcile(after_s=125)
    return record


async def ended(harness: Harness, record: SessionRecord) -> str | None:
    await harness.reconcile()
    return (await harness.store.get(record.id)).end_code


async def test_a_session_whose_step_is_gone_is_ended_with_the_reason(harness: Harness, silent: SessionRecord) -> None:
    harness.slurm.bare.add(100)
    await harness.reconcile(after_s=30)
    assert harness.slurm.cancelled == [], "Slurm has said it once only."
    await harness.reconcile(after_s=30)
    assert harness.slurm.cancelled == [("alice", 100)]
    assert await ended(harness, silent) == "step_gone"
    row = await harness.store.get(silent.id)
    assert row.state == "ended"
    assert "killed from outside" in (row.end_text or "")


async def test_a_silent_session_whose_step_lives_goes_on(harness: Harness, silent: SessionRecord) -> None:
    for _ in range(10):
        await harness.reconcile(after_s=30)
    assert await harness.state(silent) == "ready"
    assert harness.slurm.asked_for_steps > 5


async def test_nothing_is_ended_while_slurm_does_not_answer(harness: Harness, silent: SessionRecord) -> None:
    harness.slurm.bare.add(100)
    harness.slurm.down = True
    for _ in range(10):
        await harness.reconcile(after_s=30)
    assert await harness.state(silent) == "ready"


async def test_a_session_that_is_heard_again_is_left_alone(harness: Harness, silent: SessionRecord) -> None:
    harness.slurm.bare.add(100)
    await harness.reconcile(after_s=30)
    await harness.agents.report(await harness.agents.authenticate(silent.id, KEY), REPORT)
    asked = harness.slurm.asked_for_steps
    await harness.reconcile(after_s=30)
    assert (await harness.state(silent), harness.slurm.asked_for_steps) == ("ready", asked)


async def test_slurm_is_asked_once_for_all_and_not_with_every_snapshot(harness: Harness) -> None:
    for user in ("alice", "alice", "bob"):
        await ready(harness, await harness.start(user))
    await harness.reconcile(after_s=60)
    assert harness.slurm.asked_for_steps == 0, "They have been heard."
    await harness.reconcile(after_s=65)
    assert harness.slurm.asked_for_steps == 1
    for _ in range(5):
        await harness.reconcile(after_s=5)
    assert harness.slurm.asked_for_steps == 1
    await harness.reconcile(after_s=5)
    assert harness.slurm.asked_for_steps == 2


async def test_steps_are_not_asked_for_while_the_job_waits_or_was_told_to_end(harness: Harness) -> None:
    waiting, stopping = await harness.start(), await harness.start()
    await ready(harness, stopping)
    harness.slurm.becomes(100, JobState.PENDING)
    await harness.service.stop(stopping.id)
    harness.slurm.becomes(101, JobState.RUNNING)
    await harness.reconcile(after_s=125)
    assert harness.slurm.asked_for_steps == 0
    assert await harness.state(waiting) != "ended"
