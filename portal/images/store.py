"""Reads and writes image rows. Every change is a short transaction, published to the users who may see the image."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import or_, select

from portal.db.engine import UnitOfWork
from portal.errors import NotFound
from portal.events.bus import Bus, Event
from portal.idempotency.service import Key
from portal.images.models import ImageRecord, ImageState, Scope


class ImageStore:
    def __init__(self, work: UnitOfWork, bus: Bus, now: Callable[[], datetime]) -> None:
        self._work = work
        self._bus = bus
        self.now = now

    async def seen_by(self, username: str) -> list[ImageRecord]:
        """Return the user's own and the site's, newest first."""
        query = (
            select(ImageRecord)
            .where(or_(ImageRecord.owner == username, ImageRecord.scope == Scope.SITE))
            .order_by(ImageRecord.created_at.desc())
        )
        async with self._work() as db:
            return list(await db.scalars(query))

    async def pulling(self) -> list[ImageRecord]:
        async with self._work() as db:
            return list(await db.scalars(select(ImageRecord).where(ImageRecord.state == ImageState.PULLING)))

    async def get(self, image_id: str) -> ImageRecord:
        async with self._work() as db:
            record = await db.get(ImageRecord, image_id)
        if record is None:
            raise NotFound(f"There is no image {image_id}.")
        return record

    async def put(self, record: ImageRecord, key: Key | None = None) -> None:
        """Write a row, new or old, and the idempotency key of its request."""
        async with self._work() as db:
            await db.merge(record)
            if key is not None:
                await db.merge(key.row(record.owner, record.id, record.created_at))
        self._tell(record)

    async def remove(self, record: ImageRecord) -> None:
        async with self._work() as db:
            if (row := await db.get(ImageRecord, record.id)) is not None:
                await db.delete(row)
        self._tell(record)

    @asynccontextmanager
    async def change(self, image_id: str) -> AsyncIterator[ImageRecord]:
        """Yield the row to change. Raises NotFound."""
        async with self._work() as db:
            record = await db.get(ImageRecord, image_id, with_for_update=True)
            if record is None:
                raise NotFound(f"There is no image {image_id}.")
            yield record
        self._tell(record)

    def _tell(self, record: ImageRecord) -> None:
        """Publish the image's progress; clients that see any other change reload the list."""
        news = {"id": record.id, "state": record.state, "progress": record.progress, "message": record.message}
        owner = None if record.scope == Scope.SITE else record.owner
        self._bus.publish(Event("image", json.dumps(news), owner=owner, about=str(record.id)))
