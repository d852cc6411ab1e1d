"""The tables of users' channels, and of what is sent through them: outbox and delivery log in one."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, Index, LargeBinary, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class Channel(StrEnum):
    MAIL = "mail"
    WEBHOOK = "webhook"


class Happening(StrEnum):
    """The events that a user can be notified about."""

    READY = "ready"
    ENDING_SOON = "ending_soon"
    ENDED_BADLY = "ended_badly"
    IDLE = "idle"
    MESSAGE = "message"


#: A message that the user asked for, to try a channel.
TEST = "test"


class Shape(StrEnum):
    """The JSON that a webhook's receiver expects."""

    JSON = "json"
    SLACK = "slack"
    TEAMS = "teams"
    MATTERMOST = "mattermost"


class DeliveryState(StrEnum):
    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    DROPPED = "dropped"
    """Not sent, because it was too old by then or beyond a limit."""


class ChannelRecord(Base):
    """The events that a user wants on a channel. The webhook's URL, which is a secret, is sealed."""

    __tablename__ = "notification_channels"

    owner: Mapped[str] = mapped_column(String(255), primary_key=True)
    channel: Mapped[str] = mapped_column(String(8), primary_key=True)
    events: Mapped[list[str]] = mapped_column(JSON)
    shape: Mapped[str | None] = mapped_column(String(16))
    host: Mapped[str | None] = mapped_column(String(255))
    url_sealed: Mapped[bytes | None] = mapped_column(LargeBinary)
    changed_at: Mapped[datetime]


class Delivery(Base):
    """One message on one channel. Written with what caused it; kept as the log that its owner reads."""

    __tablename__ = "notifications"
    __table_args__ = (
        Index("ix_notifications_owner_at", "owner", "at"),
        Index("ix_notifications_session_id", "session_id"),
        Index(
            "ix_notifications_pending",
            "channel",
            "next_at",
            sqlite_where=text("state = 'pending'"),
            postgresql_where=text("state = 'pending'"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    owner: Mapped[str] = mapped_column(String(255))
    channel: Mapped[str] = mapped_column(String(8))
    event: Mapped[str] = mapped_column(String(16))
    session_id: Mapped[str | None] = mapped_column(String(12))
    title: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(8))
    attempts: Mapped[int] = mapped_column(default=0)
    maybe_sent: Mapped[int] = mapped_column(default=0)
    """Attempts that may have reached the receiver; counted up before each attempt, and down if it has not."""
    next_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    result: Mapped[str] = mapped_column(Text, default="")
