"""The tables of usage: samples of sessions, what each job held, and the daily and monthly sums for reports.

Times are whole seconds since 1970 (UTC), and days are numbers such as 20261121: small rows, and the same arithmetic in
every database.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class UsageSample(Base):
    """What a session used in the `seconds` from `at_s`: the mean of its agent's reports."""

    __tablename__ = "usage_samples"
    __table_args__ = ({"sqlite_with_rowid": False},)

    session_id: Mapped[str] = mapped_column(String(12), primary_key=True)
    at_s: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seconds: Mapped[int]
    cpu_percent: Mapped[int | None]
    """Of one core."""
    memory_mib: Mapped[int | None]
    gpus: Mapped[int]
    """The measured GPUs; the next two fields are about these."""
    gpu_percent: Mapped[int | None]
    gpu_memory_mib: Mapped[int | None]
    gpu_peak_percent: Mapped[int | None]
    """The highest reading of any of them."""
    power_w: Mapped[int | None]
    """All of them together."""
    kernel_busy_percent: Mapped[int | None]
    """How much of the time a kernel was busy, rounded up. Like the other signs of work, the highest of the reports."""
    programs: Mapped[int | None]
    quiet_s: Mapped[int | None]
    """The lowest of the reports."""
    disk_kib_s: Mapped[int | None]
    network_kib_s: Mapped[int | None]
    sm_percent: Mapped[int | None]
    """Mean over the GPUs that count it, as the next one: from Hopper on."""
    bandwidth_percent: Mapped[int | None]
    pcie_mib_s: Mapped[int | None]
    """All of them together, in both directions, as the next one: from Hopper on."""
    nvlink_mib_s: Mapped[int | None]


class UsageGpu(Base):
    """What one run of a job did with one of its GPUs, in total, as a session's agent or a job's meter reports."""

    __tablename__ = "usage_gpus"
    __table_args__ = ({"sqlite_with_rowid": False},)

    job_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    started_s: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    node: Mapped[str] = mapped_column(String(255), primary_key=True)
    gpu: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Its number within the job, on this node."""
    owner: Mapped[str] = mapped_column(String(255))
    uuid: Mapped[str] = mapped_column(String(96))
    name: Mapped[str] = mapped_column(String(128))
    reported_s: Mapped[int] = mapped_column(BigInteger, index=True)
    known_s: Mapped[float]
    """Seconds with known utilization; in `used_s` of them it was busy."""
    used_s: Mapped[float]
    peak_percent: Mapped[float | None]
    memory_mib: Mapped[int | None]
    """What it has."""
    memory_peak_mib: Mapped[int | None]
    power_peak_w: Mapped[float | None]
    energy_j: Mapped[int | None] = mapped_column(BigInteger)
    counted_s: Mapped[float] = mapped_column(server_default="0")
    """Seconds with known counters: for `sm_s` of them its multiprocessors, for `bandwidth_s` its memory's bandwidth."""
    sm_s: Mapped[float] = mapped_column(server_default="0")
    bandwidth_s: Mapped[float] = mapped_column(server_default="0")
    slowed_s: Mapped[float] = mapped_column(server_default="0")
    """Seconds in which heat or power slowed its clocks."""
    sm_peak_percent: Mapped[float | None]
    """The highest mean of a minute."""
    bandwidth_peak_percent: Mapped[float | None]
    slowed_by: Mapped[str | None] = mapped_column(String(16))
    xids: Mapped[str] = mapped_column(String(64), server_default="")
    """The last Xid errors, separated by commas."""


class UsageHour(Base):
    """The same for an hour, or its sampled part: means, and the peak memory."""

    __tablename__ = "usage_hours"
    __table_args__ = ({"sqlite_with_rowid": False},)

    session_id: Mapped[str] = mapped_column(String(12), primary_key=True)
    at_s: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seconds: Mapped[int]
    cpu_percent: Mapped[int | None]
    memory_mib: Mapped[int | None]
    memory_max_mib: Mapped[int | None]
    gpu_seconds: Mapped[int]
    """Seconds times measured GPUs."""
    gpu_percent: Mapped[float | None]
    gpu_memory_mib: Mapped[int | None]
    gpu_peak_percent: Mapped[int | None]
    power_w: Mapped[int | None]
    kernel_busy_percent: Mapped[int | None]
    sm_percent: Mapped[int | None]
    bandwidth_percent: Mapped[int | None]
    pcie_mib_s: Mapped[int | None]
    nvlink_mib_s: Mapped[int | None]


class UsageWhose(Base):
    """The key of the sums: owner, account, partition and GPU type, stored once for all its rows."""

    __tablename__ = "usage_whose"
    __table_args__ = (UniqueConstraint("owner", "account", "partition", "gpu_type"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    owner: Mapped[str] = mapped_column(String(255))
    account: Mapped[str] = mapped_column(String(255))
    partition: Mapped[str] = mapped_column(String(255))
    gpu_type: Mapped[str] = mapped_column(String(255))
    """Empty: none, or unknown."""


#: As in the index: SQLite uses a partial index only for a condition in the same words.
OPEN = text("NOT settled")


class UsageJob(Base):
    """One run of one job: a requeued job has held its resources more than once."""

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
    """From its earliest possible start to its start."""
    gpu_known_s: Mapped[int] = mapped_column(BigInteger)
    """GPU-seconds with known utilization; in `gpu_used_s` of them the GPUs were busy."""
    gpu_used_s: Mapped[int] = mapped_column(BigInteger)
    cpu_known_s: Mapped[int] = mapped_column(BigInteger)
    cpu_used_s: Mapped[int] = mapped_column(BigInteger)
    energy_j: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """Of its GPUs, as far as it was measured."""
    settled: Mapped[bool]
    """Whether it is included in the days' sums. From then on it does not change."""


class Summed:
    """The additive figures (`spread.Sums`)."""

    jobs: Mapped[int]
    """Jobs that started in this time."""
    gpu_s: Mapped[int] = mapped_column(BigInteger)
    cpu_s: Mapped[int] = mapped_column(BigInteger)
    gpu_known_s: Mapped[int] = mapped_column(BigInteger)
    gpu_used_s: Mapped[int] = mapped_column(BigInteger)
    cpu_known_s: Mapped[int] = mapped_column(BigInteger)
    cpu_used_s: Mapped[int] = mapped_column(BigInteger)
    energy_j: Mapped[int] = mapped_column(BigInteger, server_default="0")


class UsageDay(Summed, Base):
    """What settled jobs held on one day (UTC)."""

    __tablename__ = "usage_days"
    __table_args__ = ({"sqlite_with_rowid": False},)

    day: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    whose_id: Mapped[int] = mapped_column(ForeignKey("usage_whose.id"), primary_key=True, autoincrement=False)


class UsageMonth(Summed, Base):
    """The sums of the days of a month such as 202611; rows are ordered as long reports read them."""

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
    """When it stopped answering; kept for a while after it answers again."""
    recovered_s: Mapped[int | None] = mapped_column(BigInteger)
    problem: Mapped[str | None] = mapped_column(Text)
