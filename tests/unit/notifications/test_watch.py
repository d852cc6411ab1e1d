"""Messages that no change of a session causes: its end is near, its GPUs do nothing, an administrator writes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from portal.messages.service import Messages
from portal.sessions.schemas import GpuUse, UsageOut
from tests.unit.notifications.conftest import Desk

SESSION = "abcdefghijkm"


def use(desk: Desk, *percents: float | None) -> UsageOut:
    gpus = [
        GpuUse.model_construct(index=index, utilization=percent, memory_used_mib=1)
        for index, percent in enumerate(percents)
    ]
    return UsageOut.model_construct(at=desk.clock(), cpu_percent=1.0, memory_mib=1, gpus=gpus)


async def test_end_that_is_near_is_told_once_and_again_after_more_time(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    ends_at = desk.clock() + timedelta(hours=1)
    await desk.session(SESSION, name="bert", state="ready", ends_at=ends_at, walltime_s=4 * 3600)
    await desk.services.watch.look()
    assert await desk.log() == []
    desk.clock.pass_(46 * 60)
    for _ in range(2):
        await desk.services.watch.look()
        desk = desk.again()
    (delivery,) = await desk.log()
    assert (delivery.event, delivery.title) == ("ending_soon", "bert ends in 14 min")
    await desk.becomes(SESSION, "ready", ends_at=ends_at + timedelta(hours=1))
    await desk.services.watch.look()
    assert len(await desk.log()) == 1
    desk.clock.pass_(3600)
    await desk.services.watch.look()
    assert len(await desk.log()) == 2


async def test_short_session_is_not_about_to_end_when_it_starts(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    ends_at = desk.clock() + timedelta(minutes=10)
    await desk.session(SESSION, state="ready", ends_at=ends_at, walltime_s=600)
    await desk.services.watch.look()
    assert await desk.log() == []
    desk.clock.pass_(8 * 60)
    await desk.services.watch.look()
    assert len(await desk.log()) == 1


async def test_gpus_that_do_nothing_are_told_once(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    await desk.session(SESSION, name="bert", state="ready")
    for _ in range(61):
        desk.services.watch.note(SESSION, use(desk, 0, 0))
        await desk.services.watch.look()
        desk.clock.pass_(61)
    for _ in range(5):
        desk.services.watch.note(SESSION, use(desk, 0, 0))
        await desk.services.watch.look()
    (delivery,) = await desk.log()
    assert (delivery.event, delivery.title) == ("idle", "bert is not using any of its 2 GPUs")


@pytest.mark.parametrize("percents", [(0, 40), (0, None), (), (None,)])
async def test_gpu_in_use_or_not_measured_is_not_idle(desk: Desk, percents: tuple[float | None, ...]) -> None:
    await desk.wants("alice", mail=True)
    await desk.session(SESSION, state="ready")
    for _ in range(70):
        desk.services.watch.note(SESSION, use(desk, *percents))
        await desk.services.watch.look()
        desk.clock.pass_(61)
    assert await desk.log() == []


async def test_time_without_reports_does_not_count_as_idle(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    await desk.session(SESSION, state="ready")
    desk.services.watch.note(SESSION, use(desk, 0))
    desk.clock.pass_(3700)
    desk.services.watch.note(SESSION, use(desk, 0))
    await desk.services.watch.look()
    assert await desk.log() == []


async def test_administrators_message_goes_out_with_its_text(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    messages = Messages(desk.work, desk.base.bus, desk.store, desk.clock, desk.services.outbox.message)
    await messages.send("alice", "Please save your work\nbefore noon.", author="root")
    assert len((await messages.unread("alice")).items) == 1
    (delivery,) = await desk.log()
    assert (delivery.event, delivery.title) == ("message", "Message from root")


async def test_old_log_is_forgotten(desk: Desk) -> None:
    await desk.wants("alice", mail=True)
    await desk.session(SESSION)
    await desk.becomes(SESSION, "ready")
    desk.clock.pass_(29 * 86_400)
    assert await desk.services.outbox.forget(30, 500) == 0
    desk.clock.pass_(2 * 86_400)
    assert await desk.services.outbox.forget(0, 500) == 0
    assert await desk.services.outbox.forget(30, 500) == 1
    assert await desk.log() == []
