"""The wiring of usage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from portal.db.engine import UnitOfWork
from portal.settings import Settings
from portal.slurm.commands import SlurmCommands
from portal.slurm.watcher import Watcher
from portal.usage.feed import Feed
from portal.usage.reports import Reports
from portal.usage.sampler import Sampler
from portal.usage.samples import Samples


@dataclass(frozen=True)
class UsageRoom:
    sampler: Sampler
    samples: Samples
    feed: Feed
    reports: Reports


def usage_room(
    *,
    settings: Settings,
    work: UnitOfWork,
    slurm: SlurmCommands,
    watcher: Watcher,
    groups: Callable[[str], Awaitable[Iterable[str]]],
    now: Callable[[], datetime],
) -> UsageRoom:
    return UsageRoom(
        sampler=Sampler(work, now, settings.usage.sample_s),
        samples=Samples(work, now, settings.usage),
        feed=Feed(work, slurm, lambda: watcher.snapshot, now, settings.usage),
        reports=Reports(work, now, groups),
    )
