"""What the wiring of each domain starts from. Services get what they use, never this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from portal.db.engine import UnitOfWork
from portal.events.bus import Bus
from portal.settings import Settings
from portal.slurm.commands import SlurmCommands
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    settings: Settings
    work: UnitOfWork
    bus: Bus
    tasks: Tasks
    slurm: SlurmCommands
    watcher: Watcher
    now: Callable[[], datetime]
