"""A question to Slurm that several may ask at once: whoever asks while it waits for its turn is answered with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """`turn` waits until Slurm may be asked (`Watcher.turn`)."""

    def __init__(self, ask: Callable[[], Awaitable[T]], turn: Callable[[], Awaitable[None]]) -> None:
        self._ask = ask
        self._turn = turn
        self._next: asyncio.Task[T] | None = None

    async def __call__(self) -> T:
        """Return an answer to a question that began after this call."""
        if self._next is None:
            self._next = asyncio.create_task(self._answer(), name="shared question")
        return await asyncio.shield(self._next)

    async def _answer(self) -> T:
        await self._turn()
        self._next = None
        return await self._ask()
