"""Notifications in Health: what the last attempts showed; nothing is sent for it."""

from __future__ import annotations

from portal.health.monitor import Check, Finding, State
from portal.notifications.outbox import WAITING_AT_MOST, Outbox
from portal.notifications.sender import MailSender, WebhookSender
from portal.plurals import plural


def check(outbox: Outbox, mail: MailSender, webhooks: WebhookSender) -> Check:
    async def look() -> Finding:
        if not outbox.channels:
            return Finding(State.OFF, "This site sends no mail and allows no webhooks.")
        await outbox.count()
        waiting = f"{outbox.waiting:,} waiting" if outbox.waiting != 1 else "1 waiting"
        if outbox.waiting >= WAITING_AT_MOST:
            return Finding(State.DOWN, f"{waiting}: no more are accepted.", "See what the log says of `notification`.")
        if mail.trouble is not None:
            return Finding(State.DOWN, f"{mail.trouble} Messages: {waiting}.", since=mail.failing_since)
        failing = f"; webhooks of {plural(webhooks.failing, 'user')} fail" if webhooks.failing else ""
        return Finding(State.OK, f"Messages: {waiting}{failing}.")

    return Check(
        "notifications",
        "Notifications",
        look,
        "Run `portal check`; sessions go on, and messages are sent once the server answers.",
    )
