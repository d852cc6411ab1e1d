"""Limits wrong passwords per user and per address; after that, logins have to wait.

Only failures count, so that a class of thirty behind one address can log in at once. Concurrent attempts reserve their
failure in advance: a burst does not get more tries than a sequence.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

MAX_KEY_CHARS = 64


class TooManyLogins(Exception):
    """`retry_after_s`: when the next attempt may be made."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__(f"too many failed logins; try again in {retry_after_s:.0f} s")
        self.retry_after_s = retry_after_s


class Attempt:
    """One attempt with a password."""

    def __init__(self) -> None:
        self.wrong = False

    def failed(self) -> None:
        """Count this attempt: the password was wrong."""
        self.wrong = True


class LoginGate:
    def __init__(self, rate: str) -> None:
        """`rate` in the notation of `limits`, such as "10/minute"; raises ValueError if it is invalid."""
        self._item: RateLimitItem = parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._running: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def attempt(self, username: str, address: str) -> AsyncIterator[Attempt]:
        """Admit one attempt. Raises TooManyLogins if the user or the address has failed too often."""
        keys = [f"user:{username.strip().lower()[:MAX_KEY_CHARS]}", f"address:{address}"]
        await self._enter(keys)
        attempt = Attempt()
        try:
            yield attempt
        finally:
            await self._leave(keys, wrong=attempt.wrong)

    async def _enter(self, keys: list[str]) -> None:
        async with self._changed:
            while True:
                left = {key: self._left(key) for key in keys}
                if all(left[key] > self._running[key] for key in keys):
                    self._running.update(keys)
                    return
                await self._changed.wait()

    async def _leave(self, keys: list[str], *, wrong: bool) -> None:
        if wrong:
            for key in keys:
                self._limiter.hit(self._item, key)
        async with self._changed:
            self._running.subtract(keys)
            for key in keys:
                if not self._running[key]:
                    del self._running[key]
            self._changed.notify_all()

    def _left(self, key: str) -> int:
        """Return the failures still allowed. Raises TooManyLogins if there are none."""
        window = self._limiter.get_window_stats(self._item, key)
        if window.remaining <= 0:
            raise TooManyLogins(max(1.0, window.reset_time - time.time()))
        return window.remaining
