"""How often Slurm may be asked: a fixed rate of readings per minute, with a few saved up for when something happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

#: Readings that a quiet period saves up.
SAVED = 12.0
#: Background readings leave this many of them to what users do, and wait for that at most this long.
RESERVED = 6.0
BACKGROUND_WAIT_S = 60.0


class Budget:
    """A token bucket; each reading takes one token. `clock` returns seconds, like an event loop's."""

    def __init__(self, per_minute: float, clock: Callable[[], float], saved: float = SAVED) -> None:
        self._per_s = per_minute / 60
        self._clock = clock
        self._most = self._saved = saved
        self._at = clock()
        self._queue = asyncio.Lock()
        self._reading: set[asyncio.Task[object] | None] = set()

    async def take(self) -> None:
        """Wait until the next reading is allowed, and take it; first come, first served."""
        async with self._queue:
            await asyncio.sleep(max(0.0, (1 - self.saved) / self._per_s))
            self._saved = self.saved - 1

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Take one reading for all that the current task asks in this block, including nested readings."""
        if asyncio.current_task() not in self._reading:
            await self.take()
        with self.at_once():
            yield

    @asynccontextmanager
    async def background_reading(self) -> AsyncIterator[None]:
        """Take one reading for work that no user waits for, once more than `RESERVED` are saved up."""
        until, wanted = self._clock() + BACKGROUND_WAIT_S, min(1 + RESERVED, self._most)
        while self.saved < wanted and (left_s := until - self._clock()) > 0:  # noqa: ASYNC110 (time fills it, no event)
            await asyncio.sleep(min(left_s, (wanted - self.saved) / self._per_s))
        async with self.reading():
            yield

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let the current task ask in this block without a reading: someone waits for the answer."""
        task = asyncio.current_task()
        outermost = task not in self._reading
        self._reading.add(task)
        try:
            yield
        finally:
            if outermost:
                self._reading.discard(task)

    @property
    def saved(self) -> float:
        now = self._clock()
        self._saved = min(self._most, self._saved + (now - self._at) * self._per_s)
        self._at = now
        return self._saved
