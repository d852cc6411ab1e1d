"""The one reader of Slurm: takes one picture of queue, nodes and partitions for everybody.

How often Slurm is asked depends on the settings alone, never on how many users, sessions or pages look at the picture.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from portal.errors import SlurmUnavailable
from portal.settings import Slurm
from portal.slurm.client import SlurmClient
from portal.slurm.types import Picture, Reach

log = structlog.get_logger(__name__)

#: Associations and the version change by an administrator's hand; they are read this many times less than partitions.
RARELY = 5


@dataclass(slots=True)
class _Part:
    """One thing that is read: how, how often, and when next (on the event loop's clock)."""

    name: str
    read: Callable[[], Awaitable[dict[str, Any]]]
    interval_s: float
    due: float = 0.0


class Watcher:
    """Keeps `picture` current while `run` runs; on failure the last picture stays, marked `down`.

    Each part's `…_as_of` is the moment its reading began: whatever happened in Slurm before it is in it.
    """

    def __init__(self, client: SlurmClient, clock: Callable[[], datetime], settings: Slurm) -> None:
        self._client = client
        self._clock = clock
        self._min_gap_s = settings.min_gap_s
        rarely = settings.partitions_interval_s * RARELY
        self._queue = _Part("jobs", self._read_jobs, settings.jobs_interval_s)
        self._others = (
            _Part("nodes", self._read_nodes, settings.nodes_interval_s),
            _Part("partitions", self._read_partitions, settings.partitions_interval_s),
            _Part("associations", self._read_associations, rarely),
            _Part("version", self._read_version, rarely),
        )
        self._picture = Picture()
        self._changed = asyncio.Condition()
        self._kicked = asyncio.Event()
        self.calls: Counter[str] = Counter()
        """Readings begun, by part."""

    @property
    def picture(self) -> Picture:
        return self._picture

    async def subscribe(self, after: int = 0) -> AsyncIterator[Picture]:
        """Yield the current picture if its serial is above `after`, then every newer one.

        A slow reader skips pictures, it never holds up the others.
        """
        while True:
            picture = await self.newer(after)
            after = picture.serial
            yield picture

    async def newer(self, after: int) -> Picture:
        """Wait for a picture whose serial is above `after`."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._picture.serial > after)
            return self._picture

    def kick(self) -> None:
        """Ask for a fresh reading of the queue soon. Many kicks are one reading, and min_gap_s holds."""
        self._kicked.set()

    async def run(self) -> None:
        """Read for ever; ends only when cancelled."""
        while True:
            await self._round()
            await self._rest()

    async def _round(self) -> None:
        """Read the queue, and whatever else is due. When the queue is out of reach the rest would only wait too."""
        now = asyncio.get_running_loop().time()
        self._kicked.clear()
        self._queue.due = now + self._queue.interval_s
        began = self._clock()
        if not await self._read(self._queue, decides=True, began=began):
            return
        for part in self._others:
            if part.due <= now and await self._read(part, decides=False, began=self._clock()):
                part.due = now + part.interval_s

    async def _rest(self) -> None:
        """Sleep until the queue is due, or min_gap_s after the last reading began if somebody kicked."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(self._queue.due):
                await self._kicked.wait()
        except TimeoutError:
            return
        soonest = self._queue.due - self._queue.interval_s + self._min_gap_s
        await asyncio.sleep(max(0.0, min(soonest, self._queue.due) - loop.time()))

    async def _read(self, part: _Part, *, decides: bool, began: datetime) -> bool:
        """Read one part into the picture. The queue `decides` whether Slurm is up."""
        self.calls[part.name] += 1
        try:
            news = await part.read()
        except SlurmUnavailable as error:
            await self._failed(part, error.message, decides=decides)
            return False
        except Exception:
            log.exception("slurm.watcher.failed", part=part.name)
            await self._failed(part, "The portal could not read Slurm's answer.", decides=decides)
            return False
        if part.name != "version":
            news[f"{part.name}_as_of"] = began
        if decides and self._picture.state is not Reach.UP:
            log.info("slurm.up", was=self._picture.state.value)
            news |= {"state": Reach.UP, "since": began, "message": None}
        await self._show(**news)
        return True

    async def _failed(self, part: _Part, message: str, *, decides: bool) -> None:
        log.warning("slurm.unavailable", part=part.name, message=message)
        if decides and (self._picture.state is not Reach.DOWN or self._picture.message != message):
            since = self._picture.since if self._picture.state is Reach.DOWN else self._clock()
            await self._show(state=Reach.DOWN, since=since, message=message)

    async def _show(self, **news: Any) -> None:
        async with self._changed:
            self._picture = replace(self._picture, serial=self._picture.serial + 1, **news)
            self._changed.notify_all()

    async def _read_jobs(self) -> dict[str, Any]:
        return {"jobs": {job.id: job for job in await self._client.jobs()}}

    async def _read_nodes(self) -> dict[str, Any]:
        return {"nodes": tuple(await self._client.nodes())}

    async def _read_partitions(self) -> dict[str, Any]:
        return {"partitions": tuple(await self._client.partitions())}

    async def _read_associations(self) -> dict[str, Any]:
        return {"associations": tuple(await self._client.associations())}

    async def _read_version(self) -> dict[str, Any]:
        return {"version": await self._client.version()}
