"""Sessions whose processes were killed from outside: noticed, and never by silence alone."""

from __future__ import annotations

import pytest

from portal.sessions.models import SessionRecord
from portal.sessions.schemas import AgentReport
from portal.slurm.jobs import JobState

from .conftest import Desk
from .steps import KEY, ready

REPORT = AgentReport(cpu_percent=1.0, memory_mib=100, gpus=[], connections=0)


@pytest.fixture
async def silent(desk: Desk) -> SessionRecord:
    """A session whose agent has not been heard for two minutes."""
    record = await desk.start(gpus=1)
    await ready(desk, record)
    await desk.reconcile(after_s=125)
    return record


async def ended(desk: Desk, record: SessionRecord) -> str | None:
    await desk.reconcile()
    return (await desk.store.get(record.id)).end_code


async def test_a_session_whose_step_is_gone_is_ended_with_the_reason(desk: Desk, silent: SessionRecord) -> None:
    desk.slurm.bare.add(100)
    await desk.reconcile(after_s=30)
    assert desk.slurm.cancelled == [], "Slurm has said it once only."
    await desk.reconcile(after_s=30)
    assert desk.slurm.cancelled == [("alice", 100)]
    assert await ended(desk, silent) == "step_gone"
    row = await desk.store.get(silent.id)
    assert row.state == "ended"
    assert "killed from outside" in (row.end_text or "")


async def test_a_silent_session_whose_step_lives_goes_on(desk: Desk, silent: SessionRecord) -> None:
    for _ in range(10):
        await desk.reconcile(after_s=30)
    assert await desk.state(silent) == "ready"
    assert desk.slurm.asked_for_steps > 5


async def test_nothing_is_ended_while_slurm_does_not_answer(desk: Desk, silent: SessionRecord) -> None:
    desk.slurm.bare.add(100)
    desk.slurm.down = True
    for _ in range(10):
        await desk.reconcile(after_s=30)
    assert await desk.state(silent) == "ready"


async def test_a_session_that_is_heard_again_is_left_alone(desk: Desk, silent: SessionRecord) -> None:
    desk.slurm.bare.add(100)
    await desk.reconcile(after_s=30)
    await desk.agents.report(await desk.agents.authenticate(silent.id, KEY), REPORT)
    asked = desk.slurm.asked_for_steps
    await desk.reconcile(after_s=30)
    assert (await desk.state(silent), desk.slurm.asked_for_steps) == ("ready", asked)


async def test_slurm_is_asked_once_for_all_and_not_with_every_snapshot(desk: Desk) -> None:
    for user in ("alice", "alice", "bob"):
        await ready(desk, await desk.start(user))
    await desk.reconcile(after_s=60)
    assert desk.slurm.asked_for_steps == 0, "They have been heard."
    await desk.reconcile(after_s=65)
    assert desk.slurm.asked_for_steps == 1
    for _ in range(5):
        await desk.reconcile(after_s=5)
    assert desk.slurm.asked_for_steps == 1
    await desk.reconcile(after_s=5)
    assert desk.slurm.asked_for_steps == 2


async def test_steps_are_not_asked_for_while_the_job_waits_or_was_told_to_end(desk: Desk) -> None:
    waiting, stopping = await desk.start(), await desk.start()
    await ready(desk, stopping)
    desk.slurm.becomes(100, JobState.PENDING)
    await desk.service.stop(stopping.id)
    desk.slurm.becomes(101, JobState.RUNNING)
    await desk.reconcile(after_s=125)
    assert desk.slurm.asked_for_steps == 0
    assert await desk.state(waiting) != "ended"
