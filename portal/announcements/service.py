"""Makes, changes and ends announcements, pushes them to open pages, and says when maintenance closes partitions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

import structlog
from sqlalchemy import or_, select

from portal.announcements.models import Announcement, AnnouncementKind
from portal.announcements.schemas import AnnouncementIn, AnnouncementList, AnnouncementOut, AnnouncementRow, State
from portal.db.engine import UnitOfWork
from portal.errors import Conflict, FieldProblem, InvalidRequest, NotFound
from portal.events.bus import Bus, Event
from portal.loops import resting, turn
from portal.policy.closures import Closure
from portal.slurm.snapshot import Snapshot

log = structlog.get_logger()

KEPT_IN_VIEW = 200
#: Upper bound on a wait, so that setting the clock cannot hide an announcement for ever.
LONGEST_SLEEP_S = 60.0


class Announcements:
    def __init__(
        self, work: UnitOfWork, bus: Bus, snapshot: Callable[[], Snapshot], now: Callable[[], datetime]
    ) -> None:
        self._work = work
        self._bus = bus
        self._snapshot = snapshot
        self._now = now
        self._changed = asyncio.Event()

    # --- current announcements ---

    async def shown(self, *, on_login: bool = False) -> list[AnnouncementOut]:
        """Return the current announcements, maintenance first; with `on_login` those of the login page."""
        announcements = [
            announcement for announcement in await self._not_over() if announcement.shown_from <= self._now()
        ]
        if on_login:
            announcements = [announcement for announcement in announcements if announcement.on_login]
        announcements.sort(
            key=lambda announcement: (
                announcement.kind != AnnouncementKind.MAINTENANCE,
                announcement.starts_at or announcement.shown_from,
            )
        )
        return [AnnouncementOut.model_validate(announcement) for announcement in announcements]

    async def closures(self) -> list[Closure]:
        """Return planned and current maintenance, announced yet or not."""
        return [
            Closure(
                announcement.starts_at,
                announcement.ends_at,
                frozenset(announcement.partitions) or None,
                announcement.text,
            )
            for announcement in await self._not_over()
            if announcement.kind == AnnouncementKind.MAINTENANCE
            and announcement.starts_at is not None
            and announcement.ends_at is not None
        ]

    async def _not_over(self) -> Sequence[Announcement]:
        query = select(Announcement).where(
            Announcement.withdrawn_at.is_(None),
            or_(Announcement.ends_at.is_(None), Announcement.ends_at > self._now()),
        )
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def run(self) -> None:
        """Tell open pages when the current announcements change, whether by an administrator or with time."""
        notified: str | None = None
        while True:
            self._changed.clear()
            wait = LONGEST_SLEEP_S
            with turn("announcements.failed"):
                shown = AnnouncementList(items=await self.shown()).model_dump_json()
                if notified is not None and shown != notified:
                    self._bus.publish(Event("announcements", shown, about=""))
                notified = shown
                wait = await self._until_due()
            with resting(), suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._changed.wait()

    async def _until_due(self) -> float:
        now = self._now()
        due = [
            moment
            for announcement in await self._not_over()
            for moment in (announcement.shown_from, announcement.ends_at)
            if moment is not None and moment > now
        ]
        soonest = min(((moment - now).total_seconds() for moment in due), default=LONGEST_SLEEP_S)
        return min(max(soonest, 0.05), LONGEST_SLEEP_S)

    # --- for administrators ---

    async def rows(self) -> list[AnnouncementRow]:
        """Return all announcements, newest first."""
        query = select(Announcement).order_by(Announcement.id.desc()).limit(KEPT_IN_VIEW)
        async with self._work() as db:
            return [self._row(announcement) for announcement in await db.scalars(query)]

    async def make(self, asked: AnnouncementIn, author: str) -> AnnouncementRow:
        """Create an announcement. Raises InvalidRequest for unknown partitions, or if it would have ended already."""
        self._sound(asked)
        now = self._now()
        record = Announcement(created_by=author, created_at=now, **self._values(asked, now))
        async with self._work() as db:
            db.add(record)
        self._changed.set()
        return self._row(record)

    async def change(self, announcement_id: int, asked: AnnouncementIn) -> AnnouncementRow:
        """Change an announcement that has not ended. Raises NotFound, Conflict, InvalidRequest."""
        self._sound(asked)
        async with self._work() as db:
            record = await self._open(await db.get(Announcement, announcement_id), announcement_id)
            for field, value in self._values(asked, record.shown_from).items():
                setattr(record, field, value)
        self._changed.set()
        return self._row(record)

    async def end(self, announcement_id: int) -> AnnouncementRow:
        """End an announcement now; ending it twice is fine. Raises NotFound."""
        async with self._work() as db:
            record = await db.get(Announcement, announcement_id)
            if record is None:
                raise NotFound(f"There is no announcement {announcement_id}.")
            if self._state(record) != "over":
                record.withdrawn_at = self._now()
        self._changed.set()
        return self._row(record)

    async def _open(self, record: Announcement | None, announcement_id: int) -> Announcement:
        if record is None:
            raise NotFound(f"There is no announcement {announcement_id}.")
        if self._state(record) == "over":
            raise Conflict("This announcement has ended.", hint="Create a new one.")
        return record

    def _sound(self, asked: AnnouncementIn) -> None:
        if asked.ends_at is not None and asked.ends_at <= self._now():
            raise InvalidRequest(
                "The announcement would already have ended.",
                fields=[FieldProblem("ends_at", "This time is in the past; choose a later one.")],
            )
        known = {partition.name for partition in self._snapshot().partitions}
        unknown = [name for name in asked.partitions if name not in known]
        if known and unknown:
            text = f"There is no partition “{unknown[0]}”. Choose one of: {', '.join(sorted(known))}."
            raise InvalidRequest(text, fields=[FieldProblem("partitions", text)])

    @staticmethod
    def _values(asked: AnnouncementIn, shown_from: datetime) -> dict[str, object]:
        return {
            "kind": asked.kind.value,
            "text": asked.text,
            "partitions": list(dict.fromkeys(asked.partitions)),
            "on_login": asked.on_login,
            "shown_from": asked.shown_from or shown_from,
            "starts_at": asked.starts_at,
            "ends_at": asked.ends_at,
        }

    def _row(self, record: Announcement) -> AnnouncementRow:
        shown = AnnouncementOut.model_validate(record).model_dump()
        return AnnouncementRow(
            **shown,
            on_login=record.on_login,
            shown_from=record.shown_from,
            created_by=record.created_by,
            created_at=record.created_at,
            withdrawn_at=record.withdrawn_at,
            state=self._state(record),
        )

    def _state(self, record: Announcement) -> State:
        now = self._now()
        if record.withdrawn_at is not None or (record.ends_at is not None and record.ends_at <= now):
            return "over"
        if record.starts_at is not None and record.starts_at <= now:
            return "under_way"
        return "shown" if record.shown_from <= now else "planned"
