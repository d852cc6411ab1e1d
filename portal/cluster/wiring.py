"""The wiring of the Cluster page."""

from __future__ import annotations

from dataclasses import dataclass

from portal.base import Base
from portal.cluster.history import History
from portal.cluster.queue import Queue
from portal.cluster.shown import Announcer
from portal.cluster.stream import ClusterStream


@dataclass(frozen=True)
class ClusterServices:
    announcer: Announcer
    stream: ClusterStream
    queue: Queue
    history: History


def wire_cluster(base: Base) -> ClusterServices:
    history = History(base.work, base.now, base.settings.cluster.history_days)
    return ClusterServices(
        announcer=Announcer(base.watcher, base.bus),
        stream=ClusterStream(base.watcher, history, base.settings.cluster),
        queue=Queue(),
        history=history,
    )
