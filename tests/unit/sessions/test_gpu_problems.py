"""Xid errors and slowed clocks of a session's GPUs, in words, to its owner and to administrators."""

from __future__ import annotations

from portal.gpus import problems
from portal.gpus.schemas import GpuUse
from portal.sessions.schemas import AgentReport
from tests.unit.sessions.conftest import Harness
from tests.unit.sessions.steps import ready


def test_each_error_is_said_once_and_what_to_do() -> None:
    gpu = GpuUse(index=1, xids=[79, 79, 4711])
    first, second = problems.in_words([GpuUse(index=0), gpu])
    assert first.startswith("GPU 1: Xid 79, the GPU has fallen off the bus. The hardware is at fault")
    assert second == f"GPU 1: Xid 4711, {problems.UNKNOWN}"
    to_admin = problems.in_words([gpu.model_copy(update={"uuid": "GPU-5c"})], admin=True)[0]
    assert to_admin.startswith("GPU-5c: Xid 79, the GPU has fallen off the bus. The hardware is at fault: drain the")


def test_clocks_that_heat_slows_are_said_unless_it_is_hardly_any_time() -> None:
    slowed = [GpuUse(index=0, slowed_percent=percent, slowed_by="heat") for percent in (4.0, 40.0)]
    (text,) = problems.in_words(slowed)
    assert text == "GPU 0: slowed down by heat 40 % of the time. The administrators should look at the node's cooling."
    (text,) = problems.in_words(slowed, admin=True)
    assert text == "GPU 0: slowed down by heat 40 % of the time. Look at the node's cooling."


async def test_an_error_becomes_part_of_the_sessions_progress_once(harness: Harness) -> None:
    record = await harness.start(gpus=1)
    await ready(harness, record)
    record = await harness.store.get(record.id)
    for xids in ([], [31], [31], [31, 79]):
        await harness.agents.report(record, AgentReport(gpus=[GpuUse(index=0, xids=xids)]))
    said = [event.message for event in await harness.store.events(record.id) if "Xid" in event.message]
    assert [text[:14] for text in said] == ["GPU 0: Xid 31,", "GPU 0: Xid 79,"]
    usage = harness.live.usage(record.id)
    assert usage is not None
    assert len(usage.gpu_problems) == 2
    assert harness.agents.xids == {("node001", 31): 1, ("node001", 79): 1}


async def test_errors_from_before_the_portals_restart_are_not_said_again(harness: Harness) -> None:
    record = await harness.start(gpus=1)
    await ready(harness, record)
    record = await harness.store.get(record.id)
    await harness.agents.report(record, AgentReport(gpus=[GpuUse(index=0, xids=[31])]))
    harness.live.forget_all_but([])
    harness.agents.xids.clear()
    await harness.agents.report(record, AgentReport(gpus=[GpuUse(index=0, xids=[31])]))
    assert harness.agents.xids == {}
    await harness.agents.report(record, AgentReport(gpus=[GpuUse(index=0, xids=[31, 79])]))
    said = [event.message for event in await harness.store.events(record.id) if "Xid" in event.message]
    assert [text[:14] for text in said] == ["GPU 0: Xid 31,", "GPU 0: Xid 79,"]
    assert harness.agents.xids == {("node001", 79): 1}
