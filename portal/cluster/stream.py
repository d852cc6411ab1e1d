"""Sends snapshots to the pages: versions of the board, each with its difference, kept for readers that come late.

A reader names the version it has. It gets the differences since, or the whole board if it was away for too long.
Nothing is kept per reader, and what is sent is built and compressed once for all of them.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from portal.cluster.board import Board, Change
from portal.cluster.history import History
from portal.cluster.wire import Document, Piece, event
from portal.settings.cluster import Cluster
from portal.slices import in_slices
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

#: Differences to keep: three minutes' worth, with a change at every reading.
KEPT = 72


@dataclass(frozen=True, slots=True)
class Difference:
    number: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of running and pending jobs, and a number that changes whenever the queue does."""

    number: int
    running: int
    waiting: int

    def as_json(self) -> dict[str, int]:
        return {"version": self.number, "running": self.running, "waiting": self.waiting}


class ClusterStream:
    """Follows the watcher; `version` names what is shown now."""

    def __init__(self, watcher: Watcher, history: History, settings: Cluster) -> None:
        self._watcher = watcher
        self._history = history
        self._site = {
            "group_by": "rack" if settings.rack_feature else "partition",
            "rack_feature": settings.rack_feature,
        }
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._steps: deque[Difference] = deque(maxlen=KEPT)
        self._whole: tuple[int, Document, Piece] | None = None
        self._changed = asyncio.Condition()
        self._jobs: object = None
        self.counts = Counts(0, 0, 0)
        self.board = Board()
        self.snapshot = Snapshot()
        self.knows_the_nodes = False
        """Whether a whole reading of the nodes has been processed."""
        self.closed = False

    @property
    def version(self) -> str:
        return self._name(self._number)

    async def run(self) -> None:
        """Follow the watcher forever."""
        async for snapshot in self._watcher.subscribe():
            await self.show(snapshot)

    async def show(self, snapshot: Snapshot) -> None:
        """Process a snapshot, and notify readers if anything has changed."""
        change = await in_slices(self.board.take(snapshot))  # only this task writes to the board
        counts = self._count(snapshot)
        self.snapshot = snapshot
        news = bool(change.rows or change.gone or counts != self.counts)
        if not self.knows_the_nodes and snapshot.nodes_as_of is not None:
            self.knows_the_nodes = news = True
        if news:
            await self._tell(change, counts)
        # Last, so that readers need not wait for the database.
        await self._history.take(snapshot, running=counts.running, waiting=counts.waiting)
        if self.board.wants_places:
            self._watcher.kick("places")
            self.board.wants_places = False

    async def _tell(self, change: Change, counts: Counts) -> None:
        async with self._changed:
            self.counts = counts
            self._number += 1
            self._steps.append(Difference(self._number, self._difference(change)))
            self._changed.notify_all()

    def document(self) -> Document:
        """Return the whole board as it is now, built once for each version."""
        return self._now()[0]

    def since(self, version: str | None) -> tuple[str, list[Piece]]:
        """Return the current version, and the pieces that bring a reader from `version` (None: nothing) to it."""
        number = self._number_of(version)
        if number == self._number:
            return self.version, []
        steps = [step.piece for step in self._steps if number is not None and step.number > number]
        if number is None or len(steps) != self._number - number:
            return self.version, [self._now()[1]]
        return self.version, steps

    async def newer(self, version: str, timeout_s: float) -> None:
        """Wait until there is a newer version than this, or the stream is closed. Raises TimeoutError."""
        async with asyncio.timeout(timeout_s), self._changed:
            await self._changed.wait_for(lambda: self.closed or self.version != version)

    def seen(self) -> Piece:
        """Return when Slurm was last read: the age of the data, even if nothing in it has changed."""
        as_of = self.snapshot.jobs_as_of
        return event("seen", json.dumps({"as_of": as_of.isoformat() if as_of else None}))

    async def close(self) -> None:
        """End all readers, so that a shutdown does not wait for open pages."""
        async with self._changed:
            self.closed = True
            self._changed.notify_all()

    def _now(self) -> tuple[Document, Piece]:
        if self._whole is None or self._whole[0] != self._number:
            text = self._text()
            self._whole = (self._number, Document(text, self.version), event("picture", text))
        return self._whole[1], self._whole[2]

    def _text(self) -> str:
        """Return the board as JSON: without nodes, and never read, while the first of them are being processed."""
        if not self.knows_the_nodes:
            return self._head({**self._site, "kinds": [], "nodes": []})
        return self.board.as_json(self._head(self._site)[:-1])

    def _difference(self, change: Change) -> Piece:
        kinds = [kind.as_json() for kind in self.board.kinds[change.kinds_from :]]
        news = {"since": self._name(self._number - 1), "gone": change.gone, "kinds_from": change.kinds_from}
        head = self._head({**news, "kinds": kinds})
        return event("change", f'{head[:-1]},"nodes":[{",".join(change.rows)}]}}')

    def _head(self, more: Mapping[str, object]) -> str:
        as_of = self.snapshot.jobs_as_of if self.knows_the_nodes else None
        head = {"version": self.version, "as_of": as_of.isoformat() if as_of else None}
        return json.dumps({**head, "queue": self.counts.as_json(), **more}, separators=(",", ":"))

    def _count(self, snapshot: Snapshot) -> Counts:
        if snapshot.jobs is self._jobs:
            return self.counts
        self._jobs = snapshot.jobs
        return Counts(self.counts.number + 1, self.board.held.running, self.board.held.waiting)

    def _name(self, number: int) -> str:
        return f"{self._epoch}-{number}"

    def _number_of(self, version: str | None) -> int | None:
        epoch, _, number = (version or "").partition("-")
        known = epoch == self._epoch and number.isascii() and number.isdigit() and len(number) < 16
        return int(number) if known else None
