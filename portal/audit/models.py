"""The table of the audit log: append-only, except for pruning by retention."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class AuditRecord(Base):
    """Who did what to what, when, from where, and with what result."""

    __tablename__ = "audit"
    __table_args__ = (Index("uq_audit_intent_id", "intent_id", unique=True),)
    is_effect: ClassVar = False

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(index=True)
    actor: Mapped[str] = mapped_column(String(255), index=True)
    action: Mapped[str] = mapped_column(String(64), index=True)
    target: Mapped[str] = mapped_column(String(255))
    result: Mapped[str] = mapped_column(String(64))
    address: Mapped[str] = mapped_column(String(64))
    detail: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    intent_id: Mapped[int | None]
    """The entry written before the act whose outcome this is."""
