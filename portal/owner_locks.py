"""One lock per user, so that two simultaneous requests of one user do not both slip under a limit."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class OwnerLocks:
    """Shared by sessions and jobs. Held from the check until the row is written, never while Slurm is asked."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, username: str) -> asyncio.Lock:
        return self._locks.setdefault(username, asyncio.Lock())
