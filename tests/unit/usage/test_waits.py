"""The waits of recent jobs, from the ledger."""

from __future__ import annotations

from datetime import timedelta

from portal.placement.waits import PastJob
from portal.usage.waits import AGAIN, PastWaits
from tests.unit.usage.conftest import START, START_S, Harness, line

HOUR = timedelta(hours=1)


async def test_waits_are_those_of_one_partition_in_four_weeks(harness: Harness) -> None:
    waits = PastWaits(harness.work, harness.clock)
    began = START - 6 * HOUR
    harness.slurm.output = (
        line("7", began, began + HOUR, eligible=(began - HOUR).isoformat()[:19])
        + line("8", began + HOUR, None, tres="cpu=1,node=1")
        + line("9", began, began + HOUR, partition="debug")
    )
    await harness.read()
    at = START_S - 6 * 3600
    known = [PastJob(at + 3600, at + 3600, 0), PastJob(at - 3600, at, 2)]
    assert list(await waits.of("sxm2")) == known
    assert list(await waits.of("nowhere")) == []

    harness.slurm.output += line("10", START, None)
    harness.pass_(minutes=1)
    await harness.read()
    assert list(await waits.of("sxm2")) == known, "they are read now and then"
    harness.pass_(seconds=AGAIN.total_seconds())
    assert len(await waits.of("sxm2")) == 3
    harness.pass_(weeks=5)
    assert list(await waits.of("sxm2")) == []
