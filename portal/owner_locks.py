"""One lock per user, so that two simultaneous requests of one user do not both slip past a limit; and one for limits
that users share.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar
from weakref import WeakValueDictionary


class Holder(Protocol):
    @property
    def pools(self) -> tuple[object, ...]:
        """The limits that the user shares with others."""
        ...


User = TypeVar("User", bound=Holder)


class OwnerLocks:
    """Shared by sessions and jobs. Held from the check until the row is written, never while Slurm is asked."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._pools = asyncio.Lock()

    @asynccontextmanager
    async def of(self, username: str, read: Callable[[str], Awaitable[User]]) -> AsyncIterator[User]:
        """Lock the limits of a user, and return the user as `read` under the lock."""
        async with self._locks.setdefault(username, asyncio.Lock()):
            user = await read(username)
            if not user.pools:
                yield user
                return
            async with self._pools:
                yield await read(username)
