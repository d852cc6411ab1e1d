"""The table of node history: in service or not, since when, and why."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class NodeStateRecord(Base):
    """From `at` until the node's next record, it was in `state` for `reason`."""

    __tablename__ = "node_states"
    __table_args__ = (Index("ix_node_states_node_at", "node", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    node: Mapped[str] = mapped_column(String(255))
    at: Mapped[datetime] = mapped_column(index=True)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    actor: Mapped[str | None] = mapped_column(String(255))
    """The user who drained or resumed it; None: unknown, or nobody."""
