"""One bus, many readers: what changed, as it changes.

A reader that falls behind is closed, and reads the whole state again when it comes back;
nothing is ever kept for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

QUEUE_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Event:
    """`kind` names the SSE event, `data` is its JSON text, `owner` who may see it (None: everybody)."""

    kind: str
    data: str
    owner: str | None = None
    session: str | None = None
    seq: int | None = None


class Reader:
    """One reader's queue; iterate over it. Iteration ends when the reader fell behind or the bus closed."""

    def __init__(self, wants: Callable[[Event], bool]) -> None:
        self.wants = wants
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._closed = False

    def put(self, event: Event | None) -> None:
        if self._closed:
            return
        if event is None or self._queue.qsize() >= QUEUE_LIMIT:
            self._closed = True
            event = None
        self._queue.put_nowait(event)

    async def next(self, timeout_s: float | None = None) -> Event | None:
        """Return the next event; None when closed. Raises TimeoutError."""
        async with asyncio.timeout(timeout_s):
            return await self._queue.get()

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._queue.get()) is not None:
            yield event


class Bus:
    def __init__(self) -> None:
        self._readers: set[Reader] = set()
        self._closed = False

    @property
    def readers(self) -> int:
        return len(self._readers)

    def is_heard(self, kind: str, owner: str) -> bool:
        """Whether somebody reads such events; for those whose text is much work."""
        return any(reader.wants(Event(kind, "", owner)) for reader in self._readers)

    def publish(self, event: Event) -> None:
        for reader in self._readers:
            if reader.wants(event):
                reader.put(event)

    @contextmanager
    def reader(self, wants: Callable[[Event], bool]) -> Iterator[Reader]:
        """Read the events that `wants` accepts, from now on, until the block ends."""
        reader = Reader(wants)
        self._readers.add(reader)
        if self._closed:
            reader.put(None)
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    def close(self) -> None:
        """End all readers, and each that comes later: the portal is going down."""
        self._closed = True
        for reader in self._readers:
            reader.put(None)
