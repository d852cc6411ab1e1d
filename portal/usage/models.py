"""The tables of use: samples of sessions, what each job held, and the sums by day and month
that reports are made from.

Times are whole seconds since 1970 (UTC) and days numbers such as 20261121: small rows, and the same arithmetic in every
database.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class UsageSample(Base):
    """What a session used in the `seconds` from `at_s`: the mean of what its agent reported."""

    __tablename__ = "usage_samples"
    __table_args__ = ({"sqlite_with_rowid": False},)

    session_id: Mapped[str] = mapped_column(String(12), primary_key=True)
    at_s: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seconds: Mapped[int]
    cpu_percent: Mapped[int | None]
    """Of one core."""
    memory_mib: Mapped[int | None]
    gpus: Mapped[int]
    """Those that were measured; the next two are about these."""
    gpu_percent: Mapped[int | None]
    gpu_memory_mib: Mapped[int | None]


class UsageHour(Base):
    """The same for an hour, or the part of it that was sampled: means, and the most memory."""

    __tablename__ = "usage_hours"
    __table_args__ = ({"sqlite_with_rowid": False},)

    session_id: Mapped[str] = mapped_column(String(12), primary_key=True)
    at_s: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seconds: Mapped[int]
    cpu_percent: Mapped[int | None]
    memory_mib: Mapped[int | None]
    memory_max_mib: Mapped[int | None]
    gpu_seconds: Mapped[int]
    """Seconds times the GPUs measured."""
    gpu_percent: Mapped[float | None]
    gpu_memory_mib: Mapped[int | None]


class UsageWhose(Base):
    """Whose use it is, and of what: the key of the sums, once for all rows that have it."""

    __tablename__ = "usage_whose"
    __table_args__ = (UniqueConstraint("owner", "account", "partition", "gpu_type"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    owner: Mapped[str] = mapped_column(String(255))
    account: Mapped[str] = mapped_column(String(255))
    partition: Mapped[str] = mapped_column(String(255))
    gpu_type: Mapped[str] = mapped_column(String(255))
    """Empty: none, or not known."""


#: As the index has it: SQLite takes that only for a condition in the same words.
OPEN = text("NOT settled")


class UsageJob(Base):
    """One life of one job: a job that was requeued has held its resources more than once."""

    __tablename__ = "usage_jobs"
    __table_args__ = (
        Index("ix_usage_jobs_whose_id_started_s", "whose_id", "started_s"),
        Index(
            "ix_usage_jobs_open",
            "job_id",
            sqlite_where=OPEN,
            postgresql_where=OPEN,
        ),
    )

    job_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    started_s: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ended_s: Mapped[int | None] = mapped_column(BigInteger)
    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"))
    session_id: Mapped[str | None] = mapped_column(String(12))
    gpus: Mapped[int]
    cpus: Mapped[int]
    wait_s: Mapped[int | None]
    """From when it could have started to its start."""
    gpu_known_s: Mapped[int] = mapped_column(BigInteger)
    """GPU-seconds of which is known how much the GPUs did; of those, `gpu_used_s` they worked."""
    gpu_used_s: Mapped[int] = mapped_column(BigInteger)
    cpu_known_s: Mapped[int] = mapped_column(BigInteger)
    cpu_used_s: Mapped[int] = mapped_column(BigInteger)
    settled: Mapped[bool]
    """Whether it stands in the days' sums. From then on it does not change."""


class Summed:
    """What adds up (`spread.Sums`)."""

    jobs: Mapped[int]
    """Those that started in this time."""
    gpu_s: Mapped[int] = mapped_column(BigInteger)
    cpu_s: Mapped[int] = mapped_column(BigInteger)
    gpu_known_s: Mapped[int] = mapped_column(BigInteger)
    gpu_used_s: Mapped[int] = mapped_column(BigInteger)
    cpu_known_s: Mapped[int] = mapped_column(BigInteger)
    cpu_used_s: Mapped[int] = mapped_column(BigInteger)


class UsageDay(Summed, Base):
    """What was held on one day (UTC), of the jobs that are settled."""

    __tablename__ = "usage_days"
    __table_args__ = ({"sqlite_with_rowid": False},)

    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"), primary_key=True, autoincrement=False)


class UsageMonth(Summed, Base):
    """The days' sums of a month such as 202611; its rows lie as reports over years read them."""

    __tablename__ = "usage_months"
    __table_args__ = ({"sqlite_with_rowid": False},)

    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"), primary_key=True, autoincrement=False)
    month: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class UsageWait(Base):
    """How many of the settled jobs that started on one day had waited how long (`spread.bucket`)."""

    __tablename__ = "usage_waits"
    __table_args__ = ({"sqlite_with_rowid": False},)

    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"), primary_key=True, autoincrement=False)
    bucket: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jobs: Mapped[int]


class UsageMonthWait(Base):
    """The same for a month."""

    __tablename__ = "usage_month_waits"
    __table_args__ = ({"sqlite_with_rowid": False},)

    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"), primary_key=True, autoincrement=False)
    bucket: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    month: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    jobs: Mapped[int]


class UsageSource(Base):
    """How far a source has been read: `accounting` (sacct) or `queue` (the portal's own record of it)."""

    __tablename__ = "usage_sources"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    since_s: Mapped[int] = mapped_column(BigInteger)
    read_to_s: Mapped[int] = mapped_column(BigInteger)
    failing_since_s: Mapped[int | None] = mapped_column(BigInteger)
    """While it does not answer, and for a while after, when it stopped to."""
    recovered_s: Mapped[int | None] = mapped_column(BigInteger)
    problem: Mapped[str | None] = mapped_column(Text)
