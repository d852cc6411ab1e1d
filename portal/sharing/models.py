"""The table of shares."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base

Mode = Literal["look", "use"]


class ShareRecord(Base):
    """One app or port of a session, opened to one user, one group, or whoever has its key.

    A share that has ended keeps its row, and so its number, until the session's row goes.
    """

    __tablename__ = "session_shares"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"), index=True)
    port: Mapped[int | None]
    """None: the session's app itself."""
    username: Mapped[str | None] = mapped_column(String(255), index=True)
    group: Mapped[str | None] = mapped_column("group_name", String(255), index=True)
    key_name: Mapped[str | None] = mapped_column(String(80))
    key_digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    mode: Mapped[Mode] = mapped_column(String(8), default="use", server_default="use")
    created_at: Mapped[datetime]
    ends_at: Mapped[datetime]
