"""The wiring of notifications."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from cryptography.fernet import Fernet

from portal.auth.people import People
from portal.base import Base
from portal.notifications.channels import Channels
from portal.notifications.mail import Mailer
from portal.notifications.models import Delivery
from portal.notifications.outbox import Outbox
from portal.notifications.sender import MailSender, WebhookSender
from portal.notifications.watch import Watch
from portal.notifications.webhook import Poster


@dataclass(frozen=True)
class NotificationServices:
    outbox: Outbox
    channels: Channels
    mail: MailSender
    webhooks: WebhookSender
    watch: Watch


def wire_notifications(base: Base, *, people: People, cipher: Fernet) -> NotificationServices:
    settings, idle = base.settings.notifications, base.settings.idle
    if idle.action != "off":
        settings = settings.model_copy(update={"idle_minutes": idle.after_minutes})
    site = f"{base.settings.server.public_url}{base.settings.server.prefix}"

    def link(row: Delivery) -> str:
        return f"{site}/sessions/{row.session_id}" if row.session_id else f"{site}/notifications"

    outbox = Outbox(base.work, base.bus, settings, base.now)
    channels = Channels(
        base.work,
        outbox,
        people,
        cipher,
        settings,
        base.now,
        federated=bool(base.settings.login.authenticator),
    )
    return NotificationServices(
        outbox=outbox,
        channels=channels,
        mail=MailSender(outbox, channels, Mailer(settings.mail, site), link, base.now),
        webhooks=WebhookSender(outbox, channels, partial(Poster, settings.webhooks), link, base.now),
        watch=Watch(base.work, outbox, settings, base.now, idle=idle.action == "off"),
    )
