"""Reads and writes session rows. Every change is one transaction, published after its commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.apps.tried import JUPYTER, Tried
from portal.db.base import Base
from portal.db.engine import UnitOfWork
from portal.errors import NotFound
from portal.events.bus import Bus, Event
from portal.idempotency.service import Key
from portal.sessions import endings
from portal.sessions.models import PROGRESS, SessionEvent, SessionRecord, SessionState
from portal.sessions.schemas import SessionOut
from portal.sessions.start_times import StartTimes
from portal.sessions.view import render_event

ENDED = SessionState.ENDED.value
NO_JUPYTER, NO_PROGRAM = "no_jupyter", "no_program"
#: The columns that a filter searches.
SEARCHED = (
    SessionRecord.id,
    SessionRecord.name,
    SessionRecord.owner,
    SessionRecord.app,
    SessionRecord.node,
    SessionRecord.partition,
    SessionRecord.state,
)


#: What else a change writes: the transaction, the changed row, its state before.
Changed = Callable[[AsyncSession, SessionRecord, str], Awaitable[None]]


async def _nothing_else(*_: object) -> None:
    """Write nothing beside a change."""


class Draft:
    """A row being changed, and the event to publish about it."""

    def __init__(self, record: SessionRecord, now: datetime) -> None:
        self.record = record
        self.now = now
        self.events: list[SessionEvent] = []
        self.beside: list[Base] = []
        """Other rows of the same transaction."""
        self.changed = False

    @property
    def state(self) -> SessionState:
        return SessionState(self.record.state)

    @property
    def is_over(self) -> bool:
        return self.state is SessionState.ENDED

    def set(self, **values: object) -> None:
        for field, value in values.items():
            if getattr(self.record, field) != value:
                setattr(self.record, field, value)
                self.changed = True

    def say(self, message: str) -> None:
        self.events.append(
            SessionEvent(session_id=self.record.id, at=self.now, stage=self.record.state, message=message)
        )

    def advance(self, state: SessionState, message: str) -> bool:
        """Advance to `state`. Does nothing if that is a step back, or if the session is stopping or has ended."""
        order = list(PROGRESS)
        if order.index(state) <= order.index(self.state):
            return False
        self.set(state=state.value, reason=None, reason_code=None)
        self.say(message)
        return True

    def end(self, code: str, *, text: str | None = None, exit_code: int | None = None) -> None:
        """Close the row and delete its secrets. A session that has already ended keeps its end."""
        if self.is_over:
            return
        sentence = text or endings.words(code).text
        self.set(
            state=ENDED,
            ended_at=self.now,
            end_code=code,
            end_text=sentence,
            reason=sentence,
            launch_sealed=None,
            secret_hash="",
            agent_key_hash=None,
        )
        if exit_code is not None:
            self.set(exit_code=exit_code)
        self.say(sentence)


class SessionStore:
    def __init__(
        self,
        work: UnitOfWork,
        bus: Bus,
        now: Callable[[], datetime],
        render: Callable[[SessionRecord], SessionOut],
        changed: Changed = _nothing_else,
    ) -> None:
        """`changed` is called in the transaction of each change."""
        self._work = work
        self._changed = changed
        self._bus = bus
        self.now = now
        self._render = render
        self.starts = StartTimes()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def add(
        self, record: SessionRecord, message: str, key: Key | None = None, beside: Iterable[Base] = ()
    ) -> None:
        """Write a new row, its idempotency key and the rows in `beside` in one transaction.

        Publishes nothing until the row changes: Slurm may still refuse the job.
        """
        async with self._work() as db:
            db.add(record)
            await db.flush()
            db.add(SessionEvent(session_id=record.id, at=record.created_at, stage=record.state, message=message))
            db.add_all(beside)
            if key is not None:
                await db.merge(key.row(record.owner, record.id, record.created_at))

    async def known(self, session_id: str) -> SessionRecord | None:
        async with self._work() as db:
            return await db.get(SessionRecord, session_id)

    async def forget(self, session_id: str) -> None:
        """Remove a row whose job was refused: nothing was submitted for it."""
        async with self._work() as db:
            if record := await db.get(SessionRecord, session_id):
                await db.delete(record)

    @asynccontextmanager
    async def change(self, session_id: str) -> AsyncIterator[Draft]:
        """Change one row under its lock, and publish the draft's event after the commit. Raises NotFound."""
        lock = self._locks.setdefault(session_id, asyncio.Lock())
        async with lock:
            async with self._work() as db:
                record = await db.get(SessionRecord, session_id, with_for_update=True)
                if record is None:
                    raise NotFound(f"There is no session {session_id}.")
                draft, before = Draft(record, self.now()), record.state
                yield draft
                if draft.changed:
                    record.revision += 1
                db.add_all([*draft.events, *draft.beside])
                await self._changed(db, record, before)
            if draft.changed or draft.events:
                self._tell(record, draft.events)

    def _tell(self, record: SessionRecord, events: Iterable[SessionEvent]) -> None:
        for event in events:
            self._bus.publish(
                Event(
                    "progress",
                    render_event(event).model_dump_json(),
                    owner=record.owner,
                    session=record.id,
                    seq=event.seq,
                )
            )
        self.tell(record)

    def tell(self, record: SessionRecord) -> None:
        """Publish the session as it is now."""
        data = self._render(record).model_dump_json()
        self._bus.publish(Event("session", data, owner=record.owner, session=record.id, about=record.id))

    async def get(self, session_id: str) -> SessionRecord:
        record = await self.known(session_id)
        if record is None:
            raise NotFound(f"There is no session {session_id}.")
        return record

    async def active(self, owner: str | None = None) -> Sequence[SessionRecord]:
        query = select(SessionRecord).where(SessionRecord.state != ENDED).order_by(SessionRecord.created_at)
        if owner is not None:
            query = query.where(SessionRecord.owner == owner)
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def missed(self, owner: str) -> list[Tried]:
        """Return the environments in which this user's sessions found no Jupyter, or not their app's program.

        Sessions with modules of the user's own are left out: a module can hide what the environment has.
        """
        query = select(
            SessionRecord.environment,
            SessionRecord.environment_version,
            SessionRecord.image,
            SessionRecord.lacks,
            SessionRecord.modules,
        ).where(SessionRecord.owner == owner, SessionRecord.end_code.in_([NO_JUPYTER, NO_PROGRAM]))
        async with self._work() as db:
            return [
                Tried(name, version, image, lacks or JUPYTER)
                for name, version, image, lacks, own in await db.execute(query)
                if not own
            ]

    async def find_active(self, owner: str, server_name: str) -> SessionRecord | None:
        query = select(SessionRecord).where(
            SessionRecord.owner == owner,
            SessionRecord.server_name == server_name,
            SessionRecord.state != ENDED,
        )
        async with self._work() as db:
            return (await db.scalars(query)).first()

    async def progress(self, session_id: str, after: int | None) -> tuple[SessionRecord, Sequence[SessionEvent]]:
        """Return a session with its events after the given one (None: without events). Raises NotFound."""
        async with self._work() as db:
            record = await db.get(SessionRecord, session_id)
            if record is None:
                raise NotFound(f"There is no session {session_id}.")
            return record, [] if after is None else (await db.scalars(_events(session_id, after))).all()

    async def page(
        self, owner: str | None, *, states: str, limit: int, before: datetime | None, query: str = ""
    ) -> Sequence[SessionRecord]:
        """Return sessions of `owner` (None: of all users) that match `query`, newest first."""
        events = select(SessionRecord)
        if owner is not None:
            events = events.where(SessionRecord.owner == owner)
        if query:
            part = query.lower()
            events = events.where(or_(*(func.lower(word).contains(part, autoescape=True) for word in SEARCHED)))
        if states == "active":
            events = events.where(SessionRecord.state != ENDED)
        elif states in ("ended", "unseen"):
            events = events.where(SessionRecord.state == ENDED)
        if states == "unseen":
            events = events.where(SessionRecord.end_seen.is_(False), SessionRecord.end_code.not_in(endings.EXPECTED))
        if before is not None:
            events = events.where(SessionRecord.created_at < before)
        async with self._work() as db:
            return (await db.scalars(events.order_by(SessionRecord.created_at.desc()).limit(limit))).all()

    async def events(self, session_id: str, after: int = 0) -> Sequence[SessionEvent]:
        async with self._work() as db:
            return (await db.scalars(_events(session_id, after))).all()

    async def recently_ended(self, within: timedelta) -> Sequence[tuple[str, int | None]]:
        query = select(SessionRecord.id, SessionRecord.exit_code).where(
            SessionRecord.state == ENDED, SessionRecord.ended_at > self.now() - within
        )
        async with self._work() as db:
            return [(row.id, row.exit_code) for row in await db.execute(query)]


def _events(session_id: str, after: int) -> Select[SessionEvent]:
    return (
        select(SessionEvent)
        .where(SessionEvent.session_id == session_id, SessionEvent.seq > after)
        .order_by(SessionEvent.seq)
    )
