"""The outbox: messages are written in the transaction of what caused them, claimed before they go out, then settled.

A claimed message whose portal dies is claimed again after `LEASE`. So each goes out at least once, and at most
`MAYBE_SENT` times without a known result.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.engine import UnitOfWork
from portal.events.bus import Bus, Event
from portal.notifications import texts
from portal.notifications.models import TEST, Channel, ChannelRecord, Delivery, DeliveryState
from portal.notifications.outcome import Attempt, Outcome
from portal.notifications.schemas import DeliveryOut
from portal.notifications.texts import Told
from portal.plurals import plural
from portal.sessions import endings
from portal.sessions.models import SessionRecord, SessionState
from portal.settings import Notifications

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=120)
MAYBE_SENT = 4
FIRST_WAIT_S, LONGEST_WAIT_S = 15.0, 1800.0
#: After an attempt that may have arrived, the next one waits longer.
UNSURE_FACTOR = 4
#: Waiting messages of the whole site; more are only counted.
WAITING_AT_MOST = 20_000
#: Messages beyond the hourly limit that the log still names, so that a user sees why the others are missing.
NAMED_BEYOND = 3
#: Ends that a user has brought about.
EXPECTED_ENDS = frozenset({"stopped", "cancelled", "finished"})
PENDING = DeliveryState.PENDING.value


class Outbox:
    def __init__(self, work: UnitOfWork, bus: Bus, settings: Notifications, now: Callable[[], datetime]) -> None:
        self._work = work
        self._bus = bus
        self._settings = settings
        self._now = now
        self.channels = [
            channel
            for channel, on in ((Channel.MAIL, settings.mail.server), (Channel.WEBHOOK, settings.webhooks.on))
            if on
        ]
        """What the site has switched on."""
        self.filled = {channel: asyncio.Event() for channel in Channel}
        """Set when a message was written; its transaction may not be over yet."""
        self.counts: Counter[tuple[str, str]] = Counter()
        """Messages since the start, by channel and state."""
        self.waiting: int = 0
        """Waiting messages when last counted, and those written since."""

    # --- writing ---

    async def session_changed(self, db: AsyncSession, record: SessionRecord, before: str) -> None:
        """Write what a session's change tells its owner, in the transaction that changes it."""
        if not self.channels or record.state == before:
            return
        at = self._now()
        if record.state == SessionState.READY.value:
            await self.write(db, record.owner, texts.ready(record.name, record.id, record.node, at))
        elif record.state == SessionState.ENDED.value and record.end_code not in EXPECTED_ENDS:
            end = endings.words(record.end_code or "")
            text = record.end_text or end.text
            await self.write(db, record.owner, texts.ended_badly(record.name, record.id, text, end.advice, at))

    async def message(self, db: AsyncSession, owner: str, author: str, text: str, session_id: str | None) -> None:
        """Write an administrator's message to a user, in the transaction that keeps it."""
        if self.channels:
            await self.write(db, owner, texts.message(author, text, session_id, self._now()))

    async def write(self, db: AsyncSession, owner: str, reading: Told) -> None:
        """Write a message to each channel that its owner wants it on."""
        for record in await db.scalars(select(ChannelRecord).where(ChannelRecord.owner == owner)):
            if record.channel in self.channels and reading.event in record.events:
                await self.put(db, owner, record.channel, reading)

    async def put(self, db: AsyncSession, owner: str, channel: str, reading: Told) -> Delivery | None:
        """Write one message; None if there are too many already."""
        now = self._now()
        recent = await db.scalar(
            select(func.count()).where(Delivery.owner == owner, Delivery.at > now - timedelta(hours=1))
        )
        beyond = (recent or 0) - self._settings.hourly_per_user
        if beyond >= NAMED_BEYOND or self.waiting >= WAITING_AT_MOST:
            self.counts[channel, DeliveryState.DROPPED.value] += 1
            return None
        row = Delivery(
            owner=owner,
            channel=channel,
            event=reading.event,
            session_id=reading.session_id,
            title=reading.title,
            text=reading.text,
            at=now,
            state=PENDING,
            next_at=now,
            expires_at=reading.until,
            result="",
        )
        if beyond >= 0:
            self._close(
                row, DeliveryState.DROPPED, f"More than {plural(self._settings.hourly_per_user, 'message')} in an hour."
            )
        else:
            self.waiting += 1
            self.filled[Channel(channel)].set()
        db.add(row)
        await db.flush()
        return row

    # --- sending ---

    async def claim(
        self, channel: Channel, at_most: int, *, one_each: bool = False, not_of: Collection[str] = ()
    ) -> Sequence[Delivery]:
        """Return due messages, counted as attempted; with `one_each`, the oldest of each owner. Close what is too old.

        Messages of the owners in `not_of` are left alone.
        """
        now = self._now()
        due: ColumnElement[bool] = (
            (Delivery.channel == channel.value) & (Delivery.state == PENDING) & (Delivery.next_at <= now)
        )
        if not_of:
            due &= Delivery.owner.not_in(not_of)
        async with self._work() as db:
            if one_each:
                firsts = select(func.min(Delivery.id)).where(due).group_by(Delivery.owner).limit(at_most)
                due = Delivery.id.in_(firsts.scalar_subquery())
            rows = (await db.scalars(select(Delivery).where(due).order_by(Delivery.id).limit(at_most))).all()
            for row in rows:
                if row.expires_at <= now:
                    why = f" Last attempt: {row.result}" if row.result else ""
                    self._close(row, DeliveryState.DROPPED, f"Too old to be sent.{why}")
                    continue
                if row.maybe_sent >= MAYBE_SENT:  # the portal died at each attempt
                    self._close(row, DeliveryState.FAILED, "It may have arrived: its sending was interrupted.")
                    continue
                row.attempts += 1
                row.maybe_sent += 1
                row.next_at = now + LEASE
        self._tell(rows)
        return [row for row in rows if row.state == PENDING]

    async def settle(self, attempts: Mapping[int, Attempt]) -> None:
        """Record the outcomes of delivery attempts."""
        async with self._work() as db:
            rows = (await db.scalars(select(Delivery).where(Delivery.id.in_(attempts)))).all()
            for row in rows:
                self._settle(row, attempts[row.id])
        self._tell(rows)

    def _settle(self, row: Delivery, attempt: Attempt) -> None:
        if attempt.outcome is Outcome.UNTRIED:
            row.attempts -= 1
            row.maybe_sent -= 1
            row.next_at = self._now()
            return
        if attempt.outcome is Outcome.SENT:
            self._close(row, DeliveryState.SENT, attempt.result)
            return
        unsure = attempt.outcome is Outcome.UNSURE
        if not unsure:
            row.maybe_sent -= 1
        if attempt.outcome is Outcome.REFUSED or row.maybe_sent >= MAYBE_SENT:
            self._close(row, DeliveryState.FAILED, attempt.result)
            return
        self.counts[row.channel, "retried"] += 1
        row.result = attempt.result
        row.next_at = self._now() + wait_after(row.attempts) * (UNSURE_FACTOR if unsure else 1)

    def _close(self, row: Delivery, state: DeliveryState, result: str) -> None:
        row.state, row.result, row.done_at = state.value, result, self._now()
        self.counts[row.channel, state.value] += 1
        if state is not DeliveryState.SENT:
            log.info("notification.not_sent", notification=row.id, state=state.value, channel=row.channel)

    def _tell(self, rows: Sequence[Delivery]) -> None:
        """Show the owners' open pages what has changed."""
        for row in rows:
            shown = DeliveryOut.of(row).model_dump_json()
            self._bus.publish(Event("notification", shown, owner=row.owner, about=str(row.id)))

    async def count(self) -> None:
        """Count what waits."""
        async with self._work() as db:
            self.waiting = await db.scalar(select(func.count()).where(Delivery.state == PENDING)) or 0

    # --- reading and pruning ---

    async def recent(self, owner: str, limit: int) -> Sequence[Delivery]:
        query = select(Delivery).where(Delivery.owner == owner).order_by(Delivery.at.desc(), Delivery.id.desc())
        async with self._work() as db:
            return (await db.scalars(query.limit(limit))).all()

    async def tests_since(self, owner: str, since: datetime) -> int:
        tests = (Delivery.owner == owner) & (Delivery.event == TEST) & (Delivery.at > since)
        async with self._work() as db:
            return await db.scalar(select(func.count()).where(tests)) or 0

    async def forget(self, days: int, at_most: int) -> int:
        """Delete some messages older than `days`; return how many."""
        if not days:
            return 0
        before = self._now() - timedelta(days=days)
        async with self._work() as db:
            # Ids grow with time, so no index on the time is needed.
            oldest = await db.execute(select(Delivery.id, Delivery.at).order_by(Delivery.id).limit(at_most))
            ids = [row.id for row in oldest if row.at < before]
            if ids:
                await db.execute(delete(Delivery).where(Delivery.id.in_(ids)))
            return len(ids)


def wait_after(attempts: int) -> timedelta:
    """Return the pause after that many attempts: 15 s, doubled each time, half an hour at most."""
    return timedelta(seconds=min(FIRST_WAIT_S * 2 ** min(attempts - 1, 10), LONGEST_WAIT_S))
