"""The wiring of the Cluster page."""

from __future__ import annotations

from dataclasses import dataclass

from portal.base import Base
from portal.cluster.feed import Feed
from portal.cluster.history import History
from portal.cluster.queue import Queue
from portal.cluster.shown import Announcer


@dataclass(frozen=True)
class ClusterServices:
    announcer: Announcer
    feed: Feed
    queue: Queue
    history: History


def wire_cluster(base: Base) -> ClusterServices:
    history = History(base.work, base.now, base.settings.cluster.history_days)
    return ClusterServices(
        announcer=Announcer(base.watcher, base.bus),
        feed=Feed(base.watcher, history, base.settings.cluster),
        queue=Queue(),
        history=history,
    )
