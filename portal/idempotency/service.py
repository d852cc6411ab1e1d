"""Makes repeated requests harmless: `Idempotency-Key`, kept with the row that the first request created.

The key is written in the same transaction as that row, so neither exists without the other.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated
from weakref import WeakValueDictionary

from fastapi import Depends, Header, Request
from sqlalchemy import delete, select, tuple_

from portal.db.engine import UnitOfWork
from portal.errors import InvalidRequest
from portal.idempotency.models import KeyRecord

#: How long a key is kept: far longer than anybody retries a request.
KEPT = timedelta(days=7)


class KeyReused(InvalidRequest):
    code = "key_reused"
    hint = "Use a new Idempotency-Key for another request."


@dataclass(frozen=True, slots=True)
class Key:
    text: str
    digest: str

    def row(self, owner: str, made: str, at: datetime) -> KeyRecord:
        """Return the row to write along with the row `made`."""
        return KeyRecord(owner=owner, key=self.text, digest=self.digest, made=made, at=at)


async def _key(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=8,
            max_length=255,
            pattern=r"^[!-~]+$",
            description="Chosen by the client, such as a UUID: a repeated request with the same key takes effect once.",
        ),
    ] = None,
) -> Key | None:
    if idempotency_key is None:
        return None
    asked = request.url.path.encode() + b"\n" + await request.body()
    return Key(idempotency_key, hashlib.sha256(asked).hexdigest())


IdempotencyKey = Annotated[Key | None, Depends(_key)]


class IdempotencyKeys:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime]) -> None:
        self._work = work
        self._now = now
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def once(self, owner: str, key: Key | None) -> AsyncIterator[str | None]:
        """Give the id of what this request has already created, or None; concurrent repeats wait for each other.

        Raises KeyReused for the key of another request.
        """
        if key is None:
            yield None
            return
        lock = self._locks.setdefault((owner, key.text), asyncio.Lock())
        async with lock:
            async with self._work() as db:
                known = await db.get(KeyRecord, (owner, key.text))
            if known is not None and known.at < self._now() - KEPT:
                known = None
            if known is not None and known.digest != key.digest:
                raise KeyReused("This Idempotency-Key was used for another request.")
            yield known.made if known else None

    async def forget(self, at_most: int) -> int:
        """Delete some expired keys; return how many."""
        key = KeyRecord.owner, KeyRecord.key
        old = select(*key).where(KeyRecord.at < self._now() - KEPT).limit(at_most)
        async with self._work() as db:
            gone = delete(KeyRecord).where(tuple_(*key).in_(old)).returning(KeyRecord.key)
            return len((await db.scalars(gone)).all())
