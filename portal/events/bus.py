"""One bus with many readers, for changes as they happen.

A reader that falls behind is closed. The newest events are kept, so that a returning reader gets exactly what it
missed; if they are no longer known, it has to read the whole state again. A new reader gets the latest event about each
thing that has just changed: the state it read a moment ago may be older.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from portal.events.recent import Recent
from portal.moment import steady

QUEUE_LIMIT = 500
#: Events kept for returning readers, and their total size in characters.
KEPT = 1000
KEPT_CHARACTERS = 4 << 20


@dataclass(frozen=True, slots=True)
class Event:
    """`kind` names the SSE event, `data` is its JSON text, `owner` who may see it (None: everybody)."""

    kind: str
    data: str
    owner: str | None = None
    session: str | None = None
    seq: int | None = None
    about: str | None = None
    """The id of what it shows the state of (empty if there is only one): the next event about it replaces this one."""
    position: str | None = None
    """Its place among all events, set by the bus."""


class Reader:
    """One reader's queue; iterate over it. Iteration ends when the reader falls behind or the bus closes."""

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
    def __init__(self, now: Callable[[], datetime] = steady) -> None:
        self._readers: set[Reader] = set()
        self._closed = False
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[Event] = deque()
        self._characters = 0
        self._recent: Recent[tuple[str, str | None, str], Event] = Recent(now)

    @property
    def position(self) -> str:
        """The position of a reader that has received every event so far."""
        return f"{self._epoch}-{self._number}"

    @property
    def readers(self) -> int:
        return len(self._readers)

    def is_heard(self, kind: str, owner: str) -> bool:
        """Return whether any reader wants such an event. Ask before building one whose text is expensive."""
        return any(reader.wants(Event(kind, "", owner)) for reader in self._readers)

    def unsaid(self, kind: str, owner: str) -> None:
        """Count an event that was not published because nobody listened: a returning reader has missed it."""
        self._number += 1
        self._keep(Event(kind, "", owner))

    def since(self, position: str, wants: Callable[[Event], bool]) -> list[Event] | None:
        """Return the events that a reader has missed since its position; None if they are no longer known."""
        epoch, _, number = position.partition("-")
        if epoch != self._epoch or not (number.isascii() and number.isdigit() and len(number) < 16):
            return None
        missed = self._number - int(number)
        if not 0 <= missed <= len(self._kept):
            return None
        events = [event for event in islice(self._kept, len(self._kept) - missed, None) if wants(event)]
        return events if all(event.data for event in events) else None

    def recent(self, wants: Callable[[Event], bool]) -> list[Event]:
        """Return the latest event about each thing that has changed within the last minute, oldest first."""
        return [event for event in self._recent.all() if wants(event)]

    def _keep(self, event: Event) -> None:
        self._kept.append(event)
        self._characters += len(event.data)
        while len(self._kept) > KEPT or self._characters > KEPT_CHARACTERS:
            self._characters -= len(self._kept.popleft().data)

    def publish(self, event: Event) -> None:
        self._number += 1
        event = replace(event, position=self.position)
        self._keep(event)
        if event.about is not None:
            self._recent.put((event.kind, event.owner, event.about), event)
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
        """End all readers, current and future: the portal is shutting down."""
        self._closed = True
        for reader in self._readers:
            reader.put(None)
