"""Limits failed attempts, such as wrong passwords per user and per address; after that, one has to wait.

Only failures count, so that a class of thirty behind one address can log in at once. Concurrent attempts reserve their
failure in advance: a burst does not get more tries than a sequence.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

MAX_KEY_CHARS = 64


class TooManyFailures(Exception):
    """`retry_after_s`: when the next attempt may be made."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__(f"too many failed attempts; try again in {retry_after_s:.0f} s")
        self.retry_after_s = retry_after_s


class Attempt:
    """One attempt with a password or a key."""

    def __init__(self) -> None:
        self.wrong = False

    def failed(self) -> None:
        """Count this attempt: the password or the key was wrong."""
        self.wrong = True


class FailureGate:
    def __init__(self, rate: str) -> None:
        """`rate` in the notation of `limits`, such as "10/minute"; raises ValueError if it is invalid."""
        self._item: RateLimitItem = parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._running: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def attempt(self, *keys: str) -> AsyncIterator[Attempt]:
        """Admit one attempt that counts for each of `keys`. Raises TooManyFailures if one has failed too often."""
        await self._enter(keys)
        attempt = Attempt()
        try:
            yield attempt
        finally:
            await self._leave(keys, wrong=attempt.wrong)

    async def _enter(self, keys: Sequence[str]) -> None:
        async with self._changed:
            while True:
                left = {key: self._left(key) for key in keys}
                if all(left[key] > self._running[key] for key in keys):
                    self._running.update(keys)
                    return
                await self._changed.wait()

    async def _leave(self, keys: Sequence[str], *, wrong: bool) -> None:
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
        """Return the failures still allowed. Raises TooManyFailures if there are none."""
        window = self._limiter.get_window_stats(self._item, key)
        if window.remaining <= 0:
            raise TooManyFailures(max(1.0, window.reset_time - time.time()))
        return window.remaining


class LoginGate(FailureGate):
    def login(self, username: str, address: str) -> AbstractAsyncContextManager[Attempt]:
        """Admit one attempt with a password. Raises TooManyFailures if the user or the address has failed too often."""
        return self.attempt(f"user:{username.strip().lower()[:MAX_KEY_CHARS]}", f"address:{address}")
