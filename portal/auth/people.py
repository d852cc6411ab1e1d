"""Accounts from the directory, cached briefly.

While the directory does not answer, a cached account stays valid for `STALE_S`. Callers with a cached account do not
wait for a slow directory: a single refresh runs, and its result serves the next call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from portal.directory import Directory, DirectoryUser
from portal.errors import DirectoryUnavailable

FRESH_S = 60.0
STALE_S = 3600.0
PATIENCE_S = 0.25
"""How long the first caller waits for a refresh; a healthy directory answers in milliseconds."""


class People:
    def __init__(self, directory: Directory, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._monotonic = monotonic
        self._known: dict[str, tuple[float, DirectoryUser | None]] = {}
        self._refreshes: dict[str, asyncio.Task[DirectoryUser | None]] = {}

    async def account(self, username: str) -> DirectoryUser | None:
        """Return the account, None if the directory has none. Raises DirectoryUnavailable if nothing is known."""
        known = self._known.get(username)
        age_s = self._monotonic() - known[0] if known else STALE_S
        if known and age_s < FRESH_S:
            return known[1]
        is_first = username not in self._refreshes
        refresh = self._refresh(username)
        if known is None or age_s >= STALE_S:
            return await asyncio.shield(refresh)
        if is_first:
            await asyncio.wait([refresh], timeout=PATIENCE_S)
        if not refresh.done():
            return known[1]
        try:
            return refresh.result()
        except DirectoryUnavailable:
            return known[1]

    async def groups(self, username: str) -> tuple[str, ...]:
        """Return the account's groups; none if the directory does not have the account."""
        account = await self.account(username)
        return () if account is None else tuple(account.groups)

    def oldest_s(self) -> float | None:
        """Return the age of the oldest valid cache entry, in seconds; None if the cache is empty."""
        ages = (self._monotonic() - at for at, _ in self._known.values())
        return max((age for age in ages if age < STALE_S), default=None)

    def _refresh(self, username: str) -> asyncio.Task[DirectoryUser | None]:
        """Return the account's only running refresh."""
        if username not in self._refreshes:
            task = asyncio.create_task(self._ask(username), name=f"account of {username}")
            self._refreshes[username] = task
            task.add_done_callback(lambda done: self._asked(username, done))
        return self._refreshes[username]

    async def _ask(self, username: str) -> DirectoryUser | None:
        began = self._monotonic()
        account = await self._directory.account(username)
        self._known[username] = (began, account)
        return account

    def _asked(self, username: str, done: asyncio.Task[DirectoryUser | None]) -> None:
        del self._refreshes[username]
        if not done.cancelled():
            done.exception()  # mark it as retrieved: waiting callers raise it, and there may be none
