"""The table of limits that administrators set; one row for each user or group."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, String
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class LimitRecord(Base):
    __tablename__ = "limits"

    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    max_gpus: Mapped[int | None]
    max_sessions: Mapped[int | None]
    max_walltime_s: Mapped[int | None]
    max_gpu_hours: Mapped[int | None]
    partitions: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    gpu_types: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    group_max_gpus: Mapped[int | None]
    group_max_gpu_hours: Mapped[int | None]
    changed_by: Mapped[str] = mapped_column(String(255))
    changed_at: Mapped[datetime]
    # Incremented by each change, so that no change overwrites another unseen.
    version: Mapped[int] = mapped_column()

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012  # SQLAlchemy's own form
