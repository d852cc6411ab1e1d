"""Request and response bodies of notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StrictBool

from portal.notifications.models import Channel, Delivery, DeliveryState, Happening, Shape

URL_LENGTH = 1000
Events = Annotated[list[Happening], Field(max_length=len(Happening))]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MailIn(Wire):
    events: Events


class WebhookIn(Wire):
    """A new webhook, or with `url` left out the stored one with other events or another shape."""

    url: Annotated[SecretStr, Field(min_length=1, max_length=URL_LENGTH)] | None = None
    shape: Shape
    events: Events


class MailOut(Wire):
    offered: StrictBool = Field(description="Whether this site sends mail.")
    address: str | None = Field(description="Your address in the directory; null if it has none.")
    why_not: str | None = Field(description="Why no mail can be sent to you.")
    events: list[Happening]


class WebhookOut(Wire):
    """The stored webhook. Its URL is never shown again."""

    offered: StrictBool = Field(description="Whether this site allows users' webhooks.")
    hosts: list[str] = Field(description="The hosts that webhooks may call.")
    host: str | None = Field(description="The host of your webhook; null if you have none.")
    shape: Shape | None
    events: list[Happening]
    changed_at: datetime | None


class NotificationsOut(Wire):
    mail: MailOut
    webhook: WebhookOut
    ending_minutes: int
    idle_minutes: int


class DeliveryOut(Wire):
    id: int
    at: datetime
    channel: Channel
    event: str
    session_id: str | None
    title: str
    state: DeliveryState
    attempts: int
    next_at: datetime | None = Field(description="When it is tried again.")
    done_at: datetime | None
    result: str

    @classmethod
    def of(cls, row: Delivery) -> DeliveryOut:
        waits = row.state == DeliveryState.PENDING.value and row.attempts > 0
        return cls(
            id=row.id,
            at=row.at,
            channel=Channel(row.channel),
            event=row.event,
            session_id=row.session_id,
            title=row.title,
            state=DeliveryState(row.state),
            attempts=row.attempts,
            next_at=row.next_at if waits else None,
            done_at=row.done_at,
            result=row.result,
        )


class DeliveryList(Wire):
    """Newest first."""

    items: list[DeliveryOut]
