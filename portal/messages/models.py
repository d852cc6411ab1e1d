"""The table of messages from administrators to users."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class Message(Base):
    """A message from an administrator to a user, about a session of theirs or about none; unread until dismissed."""

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_owner_read_at", "owner", "read_at"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    owner: Mapped[str] = mapped_column(String(255))
    author: Mapped[str] = mapped_column(String(255))
    session_id: Mapped[str | None] = mapped_column(String(12))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    read_at: Mapped[datetime | None]
    nodes: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    """The drained nodes that it is about: it is shown until all of them are back."""
