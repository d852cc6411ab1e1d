"""Limits one user's concurrent work: requests, and open streams.

Excess requests wait, and are then refused with a time to try again; nobody else is delayed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response, StreamingResponse

from portal.errors import TooManyRequests

AT_ONCE = 16
WAITING = 128
PATIENCE_S = 10.0
STREAMS = 64
RETRY_S = 5.0


@dataclass(slots=True)
class _Person:
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    waiting: int = 0
    here: int = 0


class ConcurrencyLimit:
    def __init__(self) -> None:
        self.people: dict[str, _Person] = {}
        self._streams: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        """Hold one of the user's slots. Raises TooManyRequests if none becomes free."""
        person = self.people.setdefault(who, _Person())
        person.here += 1
        try:
            await self._wait(person)
            try:
                yield
            finally:
                person.places.release()
        finally:
            person.here -= 1
            if not person.here:
                del self.people[who]

    async def _wait(self, person: _Person) -> None:
        if person.waiting >= WAITING:
            raise _too_many("Too many of your requests are already waiting.")
        person.waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                await person.places.acquire()
        except TimeoutError:
            raise _too_many("Your other requests took too long for this one to start.") from None
        finally:
            person.waiting -= 1

    def counted(self, who: str, response: Response) -> Response:
        """Count a streaming response until it ends. Raises TooManyRequests beyond the limit."""
        if isinstance(response, StreamingResponse):
            if self._streams[who] >= STREAMS:
                raise _too_many("You already have too many pages open.")
            response.body_iterator = self._counting(who, response.body_iterator)
        return response

    async def _counting(self, who: str, pieces: Any) -> AsyncIterator[Any]:
        self._streams[who] += 1
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]


def _too_many(message: str) -> TooManyRequests:
    return TooManyRequests(message, hint="Try again in a few seconds.", retry_after_s=RETRY_S)
