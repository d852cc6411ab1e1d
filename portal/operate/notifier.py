"""Tells administrators' pages that the queue or the nodes have changed; the pages read the data themselves."""

from __future__ import annotations

import json

from portal.events.bus import Bus, Event
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher


class ChangeNotifier:
    def __init__(self, watcher: Watcher, bus: Bus) -> None:
        self._watcher = watcher
        self._bus = bus

    async def run(self) -> None:
        """Follow the watcher forever."""
        last = Snapshot()
        async for snapshot in self._watcher.subscribe():
            if snapshot.jobs is not last.jobs:  # the watcher keeps an unchanged queue
                self._tell("queue", snapshot)
            if snapshot.nodes != last.nodes:
                self._tell("nodes", snapshot)
            last = snapshot

    def _tell(self, kind: str, snapshot: Snapshot) -> None:
        self._bus.publish(Event(kind, json.dumps({"serial": snapshot.serial}), about=""))
