"""HTTP of notifications: a user's channels, test messages, and the log of what was sent."""

from __future__ import annotations

from typing import Annotated

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.notifications.channels import Channels
from portal.notifications.models import Channel
from portal.notifications.schemas import DeliveryList, DeliveryOut, MailIn, NotificationsOut, WebhookIn
from portal.provided import provided
from portal.routing import Router

router = Router(prefix="/notifications", tags=["notifications"])

UserChannels = Annotated[Channels, provided(Channels)]


@router.get("")
async def mine(user: CurrentUser, channels: UserChannels) -> NotificationsOut:
    """Return your channels and the events that each notifies you about. A webhook's URL is never shown."""
    return await channels.of(user.username)


@router.put("/mail", responses={404: {"description": "This site sends no mail."}})
async def set_mail(asked: MailIn, user: CurrentUser, audit: AuditLog, channels: UserChannels) -> NotificationsOut:
    """Choose which events you get mail about, at your address in the directory."""
    async with audit.noted(user, "notifications.mail", user.username, events=asked.events):
        await channels.set_mail(user.username, asked)
    return await channels.of(user.username)


@router.put("/webhook", responses={404: {"description": "This site allows no webhooks."}})
async def set_webhook(asked: WebhookIn, user: CurrentUser, audit: AuditLog, channels: UserChannels) -> NotificationsOut:
    """Store your webhook, encrypted, and choose its events. Without `url`, the stored webhook stays."""
    async with audit.noted(user, "notifications.webhook", user.username, events=asked.events, shape=asked.shape):
        await channels.set_webhook(user.username, asked)
    return await channels.of(user.username)


@router.delete("/webhook", status_code=204)
async def forget_webhook(user: CurrentUser, audit: AuditLog, channels: UserChannels) -> None:
    """Remove your webhook."""
    async with audit.noted(user, "notifications.webhook_remove", user.username):
        await channels.forget_webhook(user.username)


@router.post(
    "/{channel}/test", status_code=202, responses={409: {"description": "The channel has nowhere to send it."}}
)
async def test(channel: Channel, user: CurrentUser, channels: UserChannels) -> DeliveryOut:
    """Send yourself a test message; the log says how it went."""
    return await channels.test(user.username, channel)


@router.get("/log")
async def log(user: CurrentUser, channels: UserChannels) -> DeliveryList:
    """Return your latest messages on all channels and how each went, newest first."""
    return await channels.log(user.username)
