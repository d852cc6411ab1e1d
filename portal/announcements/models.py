"""The table of announcements; ended ones stay as a record."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class AnnouncementKind(StrEnum):
    NOTICE = "notice"
    MAINTENANCE = "maintenance"


class Announcement(Base):
    """An announcement, shown from `shown_from` to `ends_at`; maintenance begins at `starts_at`."""

    __tablename__ = "announcements"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    partitions: Mapped[list[str]] = mapped_column(JSON)
    """The affected partitions; empty means all."""
    on_login: Mapped[bool]
    shown_from: Mapped[datetime]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None] = mapped_column(index=True)
    created_by: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]
