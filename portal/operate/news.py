"""Tells administrators' pages that the queue or the nodes have changed; the pages read the data themselves."""

from __future__ import annotations

import json

from portal.events.bus import Bus, Event
from portal.slurm.types import Picture
from portal.slurm.watcher import Watcher


class News:
    def __init__(self, watcher: Watcher, bus: Bus) -> None:
        self._watcher = watcher
        self._bus = bus

    async def run(self) -> None:
        """Follow the watcher forever."""
        last = Picture()
        async for picture in self._watcher.subscribe():
            if picture.jobs is not last.jobs:  # the watcher keeps an unchanged queue
                self._tell("queue", picture)
            if picture.nodes != last.nodes:
                self._tell("nodes", picture)
            last = picture

    def _tell(self, kind: str, picture: Picture) -> None:
        self._bus.publish(Event(kind, json.dumps({"serial": picture.serial})))
