"""The table of users' presets of the new-session form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class PresetRecord(Base):
    """A session request that its owner has named."""

    __tablename__ = "session_presets"
    __table_args__ = (UniqueConstraint("owner", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    owner: Mapped[str] = mapped_column(String(255))
    name: Mapped[str] = mapped_column(String(60))
    request: Mapped[dict[str, Any]] = mapped_column(JSON)
    saved_at: Mapped[datetime]
