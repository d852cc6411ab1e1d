"""Messages to users: kept until read, shown at once on all their open pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.engine import UnitOfWork
from portal.events.bus import Bus, Event
from portal.messages.models import Message
from portal.sessions.store import SessionStore

UNREAD_AT_MOST = 20


#: What else a message does: the transaction, the user, the author, the text, the session it is about.
Sent = Callable[[AsyncSession, str, str, str, str | None], Awaitable[None]]


class MessageOut(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)

    id: int
    author: str
    session_id: str | None
    text: str
    at: datetime


class MessageList(BaseModel):
    """Unread messages, oldest first."""

    items: list[MessageOut]


class Messages:
    def __init__(
        self, work: UnitOfWork, bus: Bus, store: SessionStore, now: Callable[[], datetime], sent: Sent
    ) -> None:
        """`sent` is called in the transaction that keeps a message."""
        self._work = work
        self._sent = sent
        self._bus = bus
        self._store = store
        self._now = now

    async def send(
        self, owner: str, text: str, *, author: str, session_ids: Sequence[str] = (), nodes: Sequence[str] = ()
    ) -> None:
        """Send a message to `owner`; the pages of the sessions that it is about show it, too.

        `nodes`: drained ones that it is about, see `nodes_are_back`.
        """
        session_id = session_ids[0] if len(session_ids) == 1 else None
        async with self._work() as db:
            await self._sent(db, owner, author, text, session_id)
            db.add(
                Message(
                    owner=owner,
                    author=author,
                    session_id=session_id,
                    text=text,
                    at=self._now(),
                    nodes=list(nodes) or None,
                )
            )
        for session_id in session_ids:
            async with self._store.change(session_id) as draft:
                if not draft.is_over:
                    draft.say(f"Message from {author}: {text}")
        await self._tell(owner)

    async def unread(self, owner: str) -> MessageList:
        query = (
            select(Message)
            .where(Message.owner == owner, Message.read_at.is_(None))
            .order_by(Message.id)
            .limit(UNREAD_AT_MOST)
        )
        async with self._work() as db:
            return MessageList(items=[MessageOut.model_validate(value) for value in await db.scalars(query)])

    async def read(self, owner: str, message_id: int) -> None:
        """Mark a message of `owner` as read; for another user's or a missing one, do nothing."""
        async with self._work() as db:
            await db.execute(
                update(Message)
                .where(Message.id == message_id, Message.owner == owner, Message.read_at.is_(None))
                .values(read_at=self._now())
            )
        await self._tell(owner)

    async def nodes_are_back(self, nodes: Collection[str]) -> None:
        """Mark messages about drained nodes as read once the last of those nodes, in `nodes`, is back."""
        async with self._work() as db:
            unread = await db.scalars(select(Message).where(Message.nodes.is_not(None), Message.read_at.is_(None)))
            owners = set()
            for message in unread:
                left = [node for node in message.nodes or () if node not in nodes]
                message.nodes = left
                if not left:
                    message.read_at = self._now()
                    owners.add(message.owner)
        for owner in owners:
            await self._tell(owner)

    async def _tell(self, owner: str) -> None:
        self._bus.publish(Event("messages", (await self.unread(owner)).model_dump_json(), owner=owner, about=""))
