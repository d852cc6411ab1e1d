"""Users' notification channels: which events go where, test messages, the log of deliveries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from cryptography.fernet import Fernet, InvalidToken
from sqlalchemy import select

from portal.auth.people import People
from portal.db.engine import UnitOfWork
from portal.errors import Conflict, DirectoryUnavailable, InvalidRequest, NotFound, TooManyRequests
from portal.notifications import texts
from portal.notifications.mail import address_of
from portal.notifications.models import Channel, ChannelRecord, Happening, Shape
from portal.notifications.outbox import Outbox
from portal.notifications.schemas import (
    DeliveryList,
    DeliveryOut,
    MailIn,
    MailOut,
    NotificationsOut,
    WebhookIn,
    WebhookOut,
)
from portal.notifications.webhook import host_of
from portal.settings import Notifications

LOG_LENGTH = 50
TESTS, TESTS_WITHIN = 5, timedelta(minutes=10)
NO_ADDRESS = "Your account has no mail address in the directory. Ask the administrators to add one."
NO_DIRECTORY = "This site's logins tell the portal no mail addresses."
KEY_CHANGED = "Your webhook can no longer be read: the site's encryption key was changed. Store it again."


class Channels:
    def __init__(
        self,
        work: UnitOfWork,
        outbox: Outbox,
        people: People,
        cipher: Fernet,
        settings: Notifications,
        now: Callable[[], datetime],
        *,
        federated: bool,
    ) -> None:
        """`federated`: logins come from elsewhere than the directory, so that no account has a mail address."""
        self._work = work
        self._outbox = outbox
        self.people = people
        self._cipher = cipher
        self._settings = settings
        self._now = now
        self._federated = federated

    async def of(self, owner: str) -> NotificationsOut:
        mail, webhook = await self._record(owner, Channel.MAIL), await self._record(owner, Channel.WEBHOOK)
        hosts = self._settings.webhooks
        return NotificationsOut(
            mail=await self._mail(owner, _events(mail)),
            webhook=WebhookOut(
                offered=hosts.on,
                hosts=[*hosts.hosts, *hosts.private_hosts],
                host=webhook.host if webhook else None,
                shape=Shape(webhook.shape) if webhook and webhook.shape else None,
                events=_events(webhook),
                changed_at=webhook.changed_at if webhook else None,
            ),
            ending_minutes=self._settings.ending_minutes,
            idle_minutes=self._settings.idle_minutes,
        )

    async def _mail(self, owner: str, events: list[Happening]) -> MailOut:
        address = why_not = None
        offered = Channel.MAIL in self._outbox.channels
        if offered:
            try:
                address = await self.address(owner)
                why_not = None if address else NO_DIRECTORY if self._federated else NO_ADDRESS
            except DirectoryUnavailable as error:
                why_not = error.message
        return MailOut(offered=offered, address=address, why_not=why_not, events=events)

    async def address(self, owner: str) -> str | None:
        """Return the owner's mail address; None without one. Raises DirectoryUnavailable."""
        account = await self.people.account(owner)
        address = address_of(account.mail) if account is not None and account.mail else None
        return address.addr_spec if address else None

    async def set_mail(self, owner: str, asked: MailIn) -> None:
        self._insist(Channel.MAIL)
        async with self._work() as db:
            await db.merge(
                ChannelRecord(owner=owner, channel=Channel.MAIL, events=_stored(asked.events), changed_at=self._now())
            )

    async def set_webhook(self, owner: str, asked: WebhookIn) -> None:
        """Store the webhook. Raises InvalidRequest without a URL, now or before; WebhookRefused."""
        self._insist(Channel.WEBHOOK)
        async with self._work() as db:
            row = await db.get(ChannelRecord, (owner, Channel.WEBHOOK.value))
            if row is None:
                if asked.url is None:
                    raise InvalidRequest("There is no webhook yet: its URL is missing.")
                row = ChannelRecord(owner=owner, channel=Channel.WEBHOOK)
                db.add(row)
            if asked.url is not None:
                url = asked.url.get_secret_value().strip()
                row.host = host_of(url, self._settings.webhooks)
                row.url_sealed = self._cipher.encrypt(url.encode())
            row.shape, row.events, row.changed_at = asked.shape.value, _stored(asked.events), self._now()

    async def forget_webhook(self, owner: str) -> None:
        async with self._work() as db:
            if (row := await db.get(ChannelRecord, (owner, Channel.WEBHOOK.value))) is not None:
                await db.delete(row)

    async def webhooks(self, owners: Sequence[str]) -> dict[str, tuple[str, Shape] | None]:
        """Return the URL and the format of these owners' webhooks; None for a webhook that can no longer be read."""
        query = ChannelRecord.owner.in_(owners) & (ChannelRecord.channel == Channel.WEBHOOK.value)
        async with self._work() as db:
            rows = (await db.scalars(select(ChannelRecord).where(query))).all()
        return {row.owner: self._unsealed(row) for row in rows}

    def _unsealed(self, row: ChannelRecord) -> tuple[str, Shape] | None:
        try:
            return self._cipher.decrypt(row.url_sealed or b"").decode(), Shape(row.shape or Shape.JSON)
        except InvalidToken:
            return None

    async def test(self, owner: str, channel: Channel) -> DeliveryOut:
        """Put a test message into the outbox. Raises Conflict if it has nowhere to go, TooManyRequests."""
        self._insist(channel)
        if channel is Channel.WEBHOOK and await self._record(owner, channel) is None:
            raise Conflict("You have no webhook yet.", hint="Store its URL first.")
        if channel is Channel.MAIL and (why := (await self._mail(owner, [])).why_not):
            raise Conflict(why)
        now = self._now()
        if await self._outbox.tests_since(owner, now - TESTS_WITHIN) >= TESTS:
            raise TooManyRequests("You have just sent several test messages.", hint="Wait ten minutes.")
        async with self._work() as db:
            row = await self._outbox.put(db, owner, channel.value, texts.test(now))
        if row is None:
            raise TooManyRequests("Too many messages are waiting already.", hint="Try again in an hour.")
        return DeliveryOut.of(row)

    async def log(self, owner: str) -> DeliveryList:
        return DeliveryList(items=[DeliveryOut.of(row) for row in await self._outbox.recent(owner, LOG_LENGTH)])

    async def _record(self, owner: str, channel: Channel) -> ChannelRecord | None:
        async with self._work() as db:
            return await db.get(ChannelRecord, (owner, channel.value))

    def _insist(self, channel: Channel) -> None:
        if channel not in self._outbox.channels:
            raise NotFound(
                "This site sends no mail." if channel is Channel.MAIL else "This site allows no webhooks.",
                hint="Ask the administrators if you need it.",
            )


def _events(row: ChannelRecord | None) -> list[Happening]:
    return [event for event in Happening if row is not None and event.value in row.events]


def _stored(events: Sequence[Happening]) -> list[str]:
    return [event.value for event in Happening if event in events]
