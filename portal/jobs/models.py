"""The table of batch jobs: what Slurm forgets, and what it never knew."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from portal.db.base import Base


class SubmissionState(StrEnum):
    OPEN = "open"
    """Slurm is being asked, or its answer was lost and the portal looks for the job."""
    SUBMITTED = "submitted"
    NOT_SUBMITTED = "not_submitted"
    UNKNOWN = "unknown"
    """Neither Slurm nor accounting knows any longer."""


class SubmissionRecord(Base):
    """What a user wants to submit, written before Slurm is asked. The job carries its id in its comment."""

    __tablename__ = "job_submissions"
    is_effect = False

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    owner: Mapped[str] = mapped_column(String(255))
    script: Mapped[str] = mapped_column(Text)
    workdir: Mapped[str | None] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(index=True)
    traceable: Mapped[bool]
    """Whether the job carries the id: a script that sets its own comment keeps it."""
    gpus: Mapped[int] = mapped_column(server_default="0")
    """At once, as limits count them; with the hours, until its job is known."""
    gpu_hours: Mapped[float] = mapped_column(server_default="0")
    state: Mapped[str] = mapped_column(String(16), index=True)
    job_id: Mapped[int | None]


class JobRecord(Base):
    """One job or one job array of any user. Slurm is authoritative while it knows the job."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_owner_submitted_at", "owner", "submitted_at"),
        Index("ix_jobs_job_id", "job_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    job_id: Mapped[int]
    """Slurm's job id; for an array, the array's. Ids start over when Slurm loses its state."""
    owner: Mapped[str] = mapped_column(String(255))
    name: Mapped[str] = mapped_column(Text)
    partition: Mapped[str] = mapped_column(Text)
    account: Mapped[str] = mapped_column(String(255))
    qos: Mapped[str] = mapped_column(String(255))
    state: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str | None] = mapped_column(Text)
    reason_code: Mapped[str | None] = mapped_column(String(255))

    nodes: Mapped[int]
    node_list: Mapped[str] = mapped_column(Text)
    gpus: Mapped[int]
    gpu_type: Mapped[str | None] = mapped_column(String(255))
    cpus: Mapped[int]
    memory_mib: Mapped[int | None]
    walltime_s: Mapped[int | None]

    submitted_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    expected_start: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None] = mapped_column(index=True)
    exit_code: Mapped[int | None]
    signal: Mapped[int | None]
    earlier_runs: Mapped[str | None] = mapped_column(Text)
    """The runs before it was put back in the queue, as JSON: when each started and ended, and on which nodes."""
    gpu_memory: Mapped[str | None] = mapped_column(Text)
    """How the memory of a GPU ran out, if its output ends with that; empty if it does not, None: not looked at."""
    cancelled_by: Mapped[str | None] = mapped_column(String(255))
    accounted: Mapped[bool]
    """Whether accounting has been asked how it ended."""

    array_total: Mapped[int | None]
    array_range: Mapped[str | None] = mapped_column(Text)
    array_at_once: Mapped[int | None]
    """How many tasks may run at once; None: all."""
    array_pending: Mapped[int]
    array_running: Mapped[int]
    array_done: Mapped[int]
    array_failed: Mapped[int]
    array_cancelled: Mapped[int] = mapped_column(server_default="0")
    array_done_tasks: Mapped[str | None] = mapped_column(Text)
    """Numbers of ended tasks: Slurm forgets tasks while others of the array still run."""
    array_failed_tasks: Mapped[str | None] = mapped_column(Text)

    held_cpu_s: Mapped[float | None]
    """Cores times the time they were held: the base for `used_cpu_s`."""
    used_cpu_s: Mapped[float | None]
    used_memory_mib: Mapped[int | None]
    used_gpu_percent: Mapped[float | None]

    from_portal: Mapped[bool]
    notify: Mapped[bool]
    script: Mapped[str | None] = mapped_column(Text)
    workdir: Mapped[str | None] = mapped_column(Text)
    stdout: Mapped[str | None] = mapped_column(Text)
    stderr: Mapped[str | None] = mapped_column(Text)
