"""The wiring of usage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from portal.base import Base
from portal.usage.fit import Fits
from portal.usage.gpus import GpuTotals
from portal.usage.reader import UsageReader
from portal.usage.reports import Reports
from portal.usage.sampler import Sampler
from portal.usage.samples import Samples
from portal.usage.waits import PastWaits


@dataclass(frozen=True)
class UsageServices:
    sampler: Sampler
    samples: Samples
    gpus: GpuTotals
    reader: UsageReader
    reports: Reports
    waits: PastWaits
    fits: Fits


def wire_usage(
    base: Base, groups: Callable[[str], Awaitable[Iterable[str]]], meter_key: Callable[[str, str], str]
) -> UsageServices:
    work, now, settings = base.work, base.now, base.settings.usage
    return UsageServices(
        sampler=Sampler(work, now, settings.sample_s),
        samples=Samples(work, now, settings),
        gpus=GpuTotals(work, lambda: base.watcher.snapshot, now, meter_key),
        reader=UsageReader(work, base.slurm, lambda: base.watcher.snapshot, now, settings),
        reports=Reports(work, now, groups),
        waits=PastWaits(work, now),
        fits=Fits(work, now),
    )
