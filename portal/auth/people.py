"""Accounts as the portal needs them: from the directory, remembered for a short while.

While the directory does not answer, what was last known of an account holds for `STALE_S`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from portal.directory import Account, Directory
from portal.errors import DirectoryUnavailable

FRESH_S = 60.0
STALE_S = 3600.0


class People:
    def __init__(self, directory: Directory, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._monotonic = monotonic
        self._known: dict[str, tuple[float, Account | None]] = {}

    async def account(self, username: str) -> Account | None:
        """Return the account, None if the directory has none. Raises DirectoryUnavailable when nothing is known."""
        known = self._known.get(username)
        now = self._monotonic()
        if known is not None and now - known[0] < FRESH_S:
            return known[1]
        try:
            account = await self._directory.account(username)
        except DirectoryUnavailable:
            if known is not None and now - known[0] < STALE_S:
                return known[1]
            raise
        self._known[username] = (now, account)
        return account

    async def groups(self, username: str) -> tuple[str, ...]:
        """Return the groups of an account; none of one that the directory does not have."""
        account = await self.account(username)
        return () if account is None else tuple(account.groups)
