"""The table of the cluster's totals over time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class TotalsRecord(Base):
    """The mean of the totals over `step_s` seconds from `at`: a minute, or half an hour once rolled up."""

    __tablename__ = "cluster_totals"

    step_s: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(primary_key=True)
    gpus: Mapped[int]
    gpus_used: Mapped[float]
    gpus_reserved: Mapped[float] = mapped_column(server_default="0")
    gpus_down: Mapped[float]
    cpus: Mapped[int]
    cpus_used: Mapped[float]
    cpus_reserved: Mapped[float] = mapped_column(server_default="0")
    cpus_down: Mapped[float]
    memory_mib: Mapped[int] = mapped_column(BigInteger)
    memory_used_mib: Mapped[float]
    memory_reserved_mib: Mapped[float] = mapped_column(server_default="0")
    memory_down_mib: Mapped[float]
    jobs_running: Mapped[float]
    jobs_waiting: Mapped[float]
