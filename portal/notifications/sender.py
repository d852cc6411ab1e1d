"""Sends what the outbox holds: mail and webhooks each in a loop of their own, so that neither waits for the other.

A mail server that fails is left alone for a while; a webhook that fails makes its owner's other messages wait. So a
receiver that hangs occupies one of `SLOTS` for its timeout, less and less often.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from portal.errors import DirectoryUnavailable
from portal.loops import resting, turn
from portal.notifications.channels import KEY_CHANGED, NO_ADDRESS, Channels
from portal.notifications.mail import Letter, Mailer, address_of
from portal.notifications.models import Channel, Delivery, Shape
from portal.notifications.outbox import Outbox, wait_after
from portal.notifications.outcome import Attempt, Outcome
from portal.notifications.webhook import Post, Poster

#: Between two readings of the outbox: what comes in between is read, sent and settled together.
STEP_S = 1.0
#: How often the outbox is read without anything new: for retries, and what a rolled-back transaction announced.
LOOK_EVERY_S = 15.0
BATCH = 50
SLOTS = 8
LONGEST_PAUSE = timedelta(minutes=5)


class MailSender:
    def __init__(
        self,
        outbox: Outbox,
        channels: Channels,
        mailer: Mailer,
        link: Callable[[Delivery], str],
        now: Callable[[], datetime],
    ) -> None:
        self._outbox = outbox
        self._channels = channels
        self.mailer = mailer
        self._link = link
        self._now = now
        self._failures = 0
        self._not_before: datetime | None = None
        self.trouble: str | None = None
        """What is wrong with the mail server; None if nothing is known to be."""
        self.failing_since: datetime | None = None

    async def run(self) -> None:
        if Channel.MAIL not in self._outbox.channels:
            return
        while True:
            sent = 0
            with turn("notifications.mail_failed"):
                sent = await self.step()
            await _rest(self._outbox.filled[Channel.MAIL], more=sent == BATCH)

    async def step(self) -> int:
        """Send one batch; return how many messages it held."""
        if self._not_before is not None and self._now() < self._not_before:
            return 0
        await self._outbox.count()
        rows = await self._outbox.claim(Channel.MAIL, BATCH)
        if rows:
            await self._outbox.settle(await self._send(rows))
        return len(rows)

    async def _send(self, rows: Sequence[Delivery]) -> dict[int, Attempt]:
        attempts: dict[int, Attempt] = {}
        letters = []
        for row in rows:
            try:
                mail = await self._channels.address(row.owner)
            except DirectoryUnavailable as error:
                attempts[row.id] = Attempt.of(Outcome.LATER, error.message)
                continue
            if mail is None or (to := address_of(mail)) is None:
                attempts[row.id] = Attempt(Outcome.REFUSED, NO_ADDRESS)
                continue
            letters.append(Letter(row.id, to, row.title, row.text, self._link(row), row.at))
        if letters:
            sent, trouble = await self.mailer.send(letters)
            attempts |= sent
            self._note(trouble)
        return attempts

    def _note(self, trouble: str | None) -> None:
        self.trouble = trouble
        if trouble is None:
            self._failures, self._not_before, self.failing_since = 0, None, None
            return
        self._failures += 1
        self.failing_since = self.failing_since or self._now()
        self._not_before = self._now() + min(wait_after(self._failures), LONGEST_PAUSE)


class WebhookSender:
    def __init__(
        self,
        outbox: Outbox,
        channels: Channels,
        poster: Callable[[], Poster],
        link: Callable[[Delivery], str],
        now: Callable[[], datetime],
    ) -> None:
        self._outbox = outbox
        self._channels = channels
        self._make_poster = poster
        self._link = link
        self._now = now
        self._failing: dict[str, tuple[int, datetime]] = {}
        """Owners whose last attempt failed: how often in a row, and until when their messages wait."""
        self._running: dict[asyncio.Task[Attempt], Delivery] = {}

    @property
    def failing(self) -> int:
        """How many users' webhooks failed at the last attempt."""
        return len(self._failing)

    async def run(self) -> None:
        if Channel.WEBHOOK not in self._outbox.channels:
            return
        poster = self._make_poster()
        try:
            while True:
                with turn("notifications.webhooks_failed"):
                    await self.step(poster)
                await _rest(self._outbox.filled[Channel.WEBHOOK], more=bool(self._running))
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)
            self._running.clear()
            await poster.close()

    async def step(self, poster: Poster) -> None:
        """Settle what is done, then start what is due, one message for each owner at a time."""
        await self._settle()
        free = SLOTS - len(self._running)
        if free <= 0:
            return
        now = self._now()
        wait = {owner for owner, (_, until) in self._failing.items() if until > now}
        wait |= {row.owner for row in self._running.values()}
        rows = await self._outbox.claim(Channel.WEBHOOK, free, one_each=True, not_of=wait)
        webhooks = await self._channels.webhooks([row.owner for row in rows]) if rows else {}
        for row in rows:
            task = asyncio.create_task(self._send(poster, row, webhooks), name=f"webhook {row.id}")
            self._running[task] = row

    async def wait(self) -> None:
        """Wait for all that are under way, and settle them."""
        if self._running:
            await asyncio.wait(self._running)
        await self._settle()

    async def _send(self, poster: Poster, row: Delivery, webhooks: dict[str, tuple[str, Shape] | None]) -> Attempt:
        if row.owner not in webhooks:
            return Attempt(Outcome.REFUSED, "The webhook was removed.")
        if (webhook := webhooks[row.owner]) is None:
            return Attempt(Outcome.REFUSED, KEY_CHANGED)
        url, shape = webhook
        post = Post(row.id, row.event, row.at, row.title, row.text, self._link(row), row.session_id)
        return await poster.send(url, shape, post)

    async def _settle(self) -> None:
        done = {task: row for task, row in self._running.items() if task.done()}
        if not done:
            return
        attempts = {}
        for task, row in done.items():
            del self._running[task]
            with turn("notifications.webhook_failed", notification=row.id):
                attempts[row.id] = task.result()
                self._note(row.owner, attempts[row.id].outcome)
        await self._outbox.settle(attempts)

    def _note(self, owner: str, outcome: Outcome) -> None:
        if outcome in (Outcome.SENT, Outcome.REFUSED):  # it answers
            self._failing.pop(owner, None)
            return
        failures = self._failing[owner][0] + 1 if owner in self._failing else 1
        self._failing[owner] = failures, self._now() + wait_after(failures)


async def _rest(filled: asyncio.Event, more: bool) -> None:
    """Rest for a step, so that many messages share their transactions; without more to do, until there is something."""
    with resting():
        if not more:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await filled.wait()
        filled.clear()
        await asyncio.sleep(STEP_S)  # by then, the transaction that filled it is over
