"""The table of requests that must not be carried out twice."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class KeyRecord(Base):
    """An owner's request, by the key that its sender chose, and what it created."""

    __tablename__ = "idempotency_keys"
    is_effect = False

    owner: Mapped[str] = mapped_column(String(255), primary_key=True)
    key: Mapped[str] = mapped_column(String(255), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    """Of the path and the body: the same key with another request is the sender's mistake."""
    made: Mapped[str] = mapped_column(String(64))
    """The id of the row that the request created, in its own table."""
    at: Mapped[datetime] = mapped_column(index=True)
