"""The directory's users and groups for the administrators' lists, cached for a minute.

While the directory does not answer, the last values stay, and the lists say since when.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from portal.directory import DirectoryUser, Listing
from portal.errors import DirectoryUnavailable

FRESH_S = 60.0
#: The pause after a directory did not answer: otherwise every reader would wait for it.
RETRY_S = 15.0
NOBODY = Listing()


class Lister(Protocol):
    async def listing(self) -> Listing: ...

    async def accounts(self, usernames: Sequence[str]) -> list[DirectoryUser | None]: ...


@dataclass(frozen=True, slots=True)
class CachedListing:
    listing: Listing = NOBODY
    as_of: datetime | None = None
    silent_since: datetime | None = None
    message: str | None = None


class DirectoryCache:
    def __init__(
        self, directory: Lister, now: Callable[[], datetime], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._directory = directory
        self._now = now
        self._monotonic = monotonic
        self._known = CachedListing()
        self._due = 0.0
        self._lock = asyncio.Lock()

    async def read(self) -> CachedListing:
        """Return what is known about the directory. Never raises."""
        async with self._lock:  # simultaneous readers share one request
            if self._monotonic() < self._due:
                return self._known
            try:
                listing = await self._directory.listing()
            except DirectoryUnavailable as error:
                since = self._known.silent_since or self._now()
                self._known = replace(self._known, silent_since=since, message=error.message)
                self._due = self._monotonic() + RETRY_S
            else:
                self._known = CachedListing(listing, self._now())
                self._due = self._monotonic() + FRESH_S
            return self._known

    async def accounts(self, usernames: Sequence[str]) -> dict[str, DirectoryUser]:
        """Return these users' accounts with their groups, as a login would; empty while the directory does not
        answer.
        """
        if self._known.silent_since is not None or not usernames:
            return {}
        try:
            users = await self._directory.accounts(usernames)
        except DirectoryUnavailable:
            self._due = 0.0  # the next reader finds out since when
            return {}
        return {user.username: user for user in users if user is not None}
