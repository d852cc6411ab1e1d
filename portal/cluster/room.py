"""The wiring of the Cluster page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from portal.cluster.feed import Feed
from portal.cluster.history import History
from portal.cluster.queue import Queue
from portal.cluster.shown import Announcer
from portal.db.engine import UnitOfWork
from portal.events.bus import Bus
from portal.settings import Settings
from portal.slurm.watcher import Watcher


@dataclass(frozen=True)
class ClusterRoom:
    announcer: Announcer
    feed: Feed
    queue: Queue
    history: History


def cluster_room(
    *, settings: Settings, work: UnitOfWork, bus: Bus, watcher: Watcher, now: Callable[[], datetime]
) -> ClusterRoom:
    history = History(work, now, settings.cluster.history_days)
    return ClusterRoom(
        announcer=Announcer(watcher, bus),
        feed=Feed(watcher, history, settings.cluster),
        queue=Queue(),
        history=history,
    )
