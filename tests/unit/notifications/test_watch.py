"""Messages that no change of a session causes: its end is near, its GPUs do nothing, an administrator writes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from portal.gpus.schemas import GpuUse
from portal.messages.service import Messages
from portal.sessions.schemas import UsageOut
from tests.unit.notifications.conftest import Harness

SESSION = "abcdefghijkm"


def use(harness: Harness, *percents: float | None) -> UsageOut:
    gpus = [
        GpuUse.model_construct(index=index, utilization=percent, memory_used_mib=1)
        for index, percent in enumerate(percents)
    ]
    return UsageOut.model_construct(at=harness.clock(), cpu_percent=1.0, memory_mib=1, gpus=gpus)


async def test_end_that_is_near_is_told_once_and_again_after_more_time(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    ends_at = harness.clock() + timedelta(hours=1)
    await harness.session(SESSION, name="bert", state="ready", ends_at=ends_at, walltime_s=4 * 3600)
    await harness.services.watch.look()
    assert await harness.log() == []
    harness.clock.pass_(46 * 60)
    for _ in range(2):
        await harness.services.watch.look()
        harness = harness.again()
    (delivery,) = await harness.log()
    assert (delivery.event, delivery.title) == ("ending_soon", "bert ends in 14 min")
    await harness.becomes(SESSION, "ready", ends_at=ends_at + timedelta(hours=1))
    await harness.services.watch.look()
    assert len(await harness.log()) == 1
    harness.clock.pass_(3600)
    await harness.services.watch.look()
    assert len(await harness.log()) == 2


async def test_short_session_is_not_about_to_end_when_it_starts(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    ends_at = harness.clock() + timedelta(minutes=10)
    await harness.session(SESSION, state="ready", ends_at=ends_at, walltime_s=600)
    await harness.services.watch.look()
    assert await harness.log() == []
    harness.clock.pass_(8 * 60)
    await harness.services.watch.look()
    assert len(await harness.log()) == 1


async def test_gpus_that_do_nothing_are_told_once(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION, name="bert", state="ready")
    for _ in range(61):
        harness.services.watch.note(SESSION, use(harness, 0, 0))
        await harness.services.watch.look()
        harness.clock.pass_(61)
    for _ in range(5):
        harness.services.watch.note(SESSION, use(harness, 0, 0))
        await harness.services.watch.look()
    (delivery,) = await harness.log()
    assert (delivery.event, delivery.title) == ("idle", "bert is not using any of its 2 GPUs")


@pytest.mark.parametrize("percents", [(0, 40), (0, None), (), (None,)])
async def test_gpu_in_use_or_not_measured_is_not_idle(harness: Harness, percents: tuple[float | None, ...]) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION, state="ready")
    for _ in range(70):
        harness.services.watch.note(SESSION, use(harness, *percents))
        await harness.services.watch.look()
        harness.clock.pass_(61)
    assert await harness.log() == []


async def test_time_without_reports_does_not_count_as_idle(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION, state="ready")
    harness.services.watch.note(SESSION, use(harness, 0))
    harness.clock.pass_(3700)
    harness.services.watch.note(SESSION, use(harness, 0))
    await harness.services.watch.look()
    assert await harness.log() == []


async def test_administrators_message_goes_out_with_its_text(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    messages = Messages(harness.work, harness.base.bus, harness.store, harness.clock, harness.services.outbox.message)
    await messages.send("alice", "Please save your work\nbefore noon.", author="root")
    assert len((await messages.unread("alice")).items) == 1
    (delivery,) = await harness.log()
    assert (delivery.event, delivery.title) == ("message", "Message from root")


async def test_old_log_is_forgotten(harness: Harness) -> None:
    await harness.wants("alice", mail=True)
    await harness.session(SESSION)
    await harness.becomes(SESSION, "ready")
    harness.clock.pass_(29 * 86_400)
    assert await harness.services.outbox.forget(30, 500) == 0
    harness.clock.pass_(2 * 86_400)
    assert await harness.services.outbox.forget(0, 500) == 0
    assert await harness.services.outbox.forget(30, 500) == 1
    assert await harness.log() == []
