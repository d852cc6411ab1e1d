"""The table of idle sessions' warnings."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class IdleWarning(Base):
    """The warning that a session's owner received, and the snoozes. Times are seconds since 1970."""

    __tablename__ = "idle_warnings"

    session_id: Mapped[str] = mapped_column(String(12), ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True)
    since_s: Mapped[float | None]
    warned_s: Mapped[float | None]
    ends_s: Mapped[float | None]
    snoozed_to_s: Mapped[float]
    snoozes: Mapped[int]
