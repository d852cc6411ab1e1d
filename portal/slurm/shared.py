"""A call to Slurm that several callers share: callers that arrive while it waits for the budget get its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from portal.slurm.budget import Budget

T = TypeVar("T")


class Shared(Generic[T]):
    """`budget`: the one that `ask` waits for."""

    def __init__(self, ask: Callable[[], Awaitable[T]], budget: Budget) -> None:
        self._ask = ask
        self._budget = budget
        self._next: asyncio.Task[T] | None = None

    async def __call__(self) -> T:
        """Return the answer to a call made after this point."""
        if self._next is None:
            self._next = asyncio.create_task(self._answer(), name="shared question")
        return await asyncio.shield(self._next)

    async def _answer(self) -> T:
        async with self._budget.reading():
            self._next = None
            return await self._ask()
