"""The waits of recent jobs, from the ledger."""

from __future__ import annotations

from datetime import timedelta

from portal.placement.waits import PastJob
from portal.usage.waits import AGAIN, PastWaits
from tests.unit.usage.conftest import START, START_S, Desk, line

HOUR = timedelta(hours=1)


async def test_waits_are_those_of_one_partition_in_four_weeks(desk: Desk) -> None:
    waits = PastWaits(desk.work, desk.clock)
    began = START - 6 * HOUR
    desk.slurm.output = (
        line("7", began, began + HOUR, eligible=(began - HOUR).isoformat()[:19])
        + line("8", began + HOUR, None, tres="cpu=1,node=1")
        + line("9", began, began + HOUR, partition="debug")
    )
    await desk.read()
    at = START_S - 6 * 3600
    known = [PastJob(at + 3600, at + 3600, 0), PastJob(at - 3600, at, 2)]
    assert list(await waits.of("sxm2")) == known
    assert list(await waits.of("nowhere")) == []

    desk.slurm.output += line("10", START, None)
    desk.pass_(minutes=1)
    await desk.read()
    assert list(await waits.of("sxm2")) == known, "they are read now and then"
    desk.pass_(seconds=AGAIN.total_seconds())
    assert len(await waits.of("sxm2")) == 3
    desk.pass_(weeks=5)
    assert list(await waits.of("sxm2")) == []
