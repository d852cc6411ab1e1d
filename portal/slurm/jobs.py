"""Slurm's jobs as plain frozen values, free of Slurm's text formats.

Times are aware UTC datetimes, memory is in MiB, durations are in seconds. Reasons and names are Slurm's own words,
unchanged; `reasons.explain` turns a reason into a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """Slurm's job states (squeue(1), JOB STATE CODES); `UNKNOWN` stands for any other."""

    PENDING = "PENDING"
    CONFIGURING = "CONFIGURING"
    RUNNING = "RUNNING"
    SUSPENDED = "SUSPENDED"
    STOPPED = "STOPPED"
    SIGNALING = "SIGNALING"
    RESIZING = "RESIZING"
    STAGE_OUT = "STAGE_OUT"
    COMPLETING = "COMPLETING"
    REQUEUED = "REQUEUED"
    REQUEUE_HOLD = "REQUEUE_HOLD"
    REQUEUE_FED = "REQUEUE_FED"
    RESV_DEL_HOLD = "RESV_DEL_HOLD"
    SPECIAL_EXIT = "SPECIAL_EXIT"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"
    TIMEOUT = "TIMEOUT"
    DEADLINE = "DEADLINE"
    NODE_FAIL = "NODE_FAIL"
    BOOT_FAIL = "BOOT_FAIL"
    LAUNCH_FAILED = "LAUNCH_FAILED"
    PREEMPTED = "PREEMPTED"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    REVOKED = "REVOKED"
    UNKNOWN = "UNKNOWN"

    @property
    def waits(self) -> bool:
        """Whether the job is pending and holds nothing."""
        return self in _WAITING

    @property
    def is_over(self) -> bool:
        """Whether the job has ended for good. An unknown state does not count as ended."""
        return self in _OVER


_WAITING = frozenset(
    {
        JobState.PENDING,
        JobState.REQUEUED,
        JobState.REQUEUE_HOLD,
        JobState.REQUEUE_FED,
        JobState.RESV_DEL_HOLD,
        JobState.SPECIAL_EXIT,
    }
)

_OVER = frozenset(
    {
        JobState.COMPLETED,
        JobState.CANCELLED,
        JobState.FAILED,
        JobState.TIMEOUT,
        JobState.DEADLINE,
        JobState.NODE_FAIL,
        JobState.BOOT_FAIL,
        JobState.LAUNCH_FAILED,
        JobState.PREEMPTED,
        JobState.OUT_OF_MEMORY,
        JobState.REVOKED,
    }
)


class Factor(StrEnum):
    """What Slurm's plugin priority/multifactor adds up, as people read it."""

    AGE = "waiting time"
    ASSOCIATION = "account"
    FAIR_SHARE = "fair share"
    JOB_SIZE = "job size"
    PARTITION = "partition"
    QOS = "QOS"
    TRES = "requested resources"
    SITE = "the site's own factor"


@dataclass(frozen=True, slots=True)
class Priority:
    """What a pending job's priority consists of: points by factor, without those that add none."""

    total: int
    points: Mapping[Factor, int]


@dataclass(frozen=True, slots=True)
class Job:
    """One job of the queue, or one that ended within Slurm's MinJobAge."""

    id: int
    name: str
    user: str
    account: str
    partition: str
    qos: str
    state: JobState
    reason: str = ""
    nodes: str = ""
    """The job's nodes, as a Slurm node list; empty while pending."""
    node_count: int = 1
    cpus: int = 0
    memory_mib: int | None = None
    """Memory of the whole job; None if Slurm does not report it."""
    gpus: int = 0
    """GPUs of the whole job."""
    gpu_type: str | None = None
    shards: int = 0
    """Shards of GPUs that it holds, with those of all its nodes."""
    mps_percent: int = 0
    """Percent of a GPU that it holds by MPS, with those of all its nodes."""
    submitted_at: datetime | None = None
    eligible_at: datetime | None = None
    started_at: datetime | None = None
    """When the job started; while it is pending, Slurm's estimate, if any."""
    ends_at: datetime | None = None
    """When the job ended, or will end at its time limit."""
    time_limit_s: int | None = None
    priority: int = 0
    reservation: str = ""
    exit_code: int | None = None
    comment: str = ""
    array_job_id: int | None = None
    array_tasks: str = ""
    """For a job array, the task number, or the pending tasks, such as `3-9%2`."""

    @property
    def partitions(self) -> list[str]:
        """A pending job may name several; it starts in whichever takes it first."""
        return self.partition.split(",")

    @property
    def rank(self) -> tuple[int, float, int]:
        """Its place in Slurm's order: higher priority first, then earlier submission."""
        return -self.priority, self.submitted_at.timestamp() if self.submitted_at else 0.0, self.id

    @property
    def gpus_counted(self) -> int:
        """GPUs as limits count them: one for a part of one, on each node."""
        return self.gpus or (self.node_count if self.shards or self.mps_percent else 0)

    @property
    def is_named(self) -> bool:
        """Whether the owner's name is known: while a directory is down, squeue prints `nobody`, pyslurm a number."""
        return self.user != "nobody" and not self.user.isdigit()

    def may_be_of(self, user: str) -> bool:
        return self.user == user or not self.is_named

    @property
    def never_was(self) -> bool:
        """Whether this is only the trace of a refused allocation."""
        return self.state is JobState.FAILED and not self.nodes


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended, including its steps: a step out of memory shows here even if the job says FAILED."""

    job_id: int
    state: JobState
    exit_code: int | None = None
    signal: int | None = None
    cancelled_by_uid: int | None = None
    reason: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    max_memory_mib: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """GPUs that a job holds on one node, by index."""

    node: str
    gpus: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpec:
    """The allocation of one session. The door checks every value again before it becomes an argument."""

    session_id: str
    title: str | None = None
    """What its user calls it: the job's comment."""
    walltime_s: int
    cpus: int
    """For the whole session, per node."""
    memory_mib: int
    """Per node."""
    partition: str | None = None
    account: str | None = None
    qos: str | None = None
    reservation: str | None = None
    nodes: int = 1
    gpus: int = 0
    """Per node."""
    gpu_type: str | None = None
    shards: int = 0
    """Shards of one GPU, per node; then `gpus` is 0."""
    mps_percent: int = 0
    """Percent of one GPU by MPS, per node; then `gpus` is 0."""
    constraint: str | None = None
    """Features that its nodes must have: `a100&nvme`."""
    licenses: str | None = None
    """Such as `matlab:2,ansys`."""
    wckey: str | None = None
    exclusive: bool = False
    """Whether it gets whole nodes."""
    immediate: bool = True
    """Place the job inside the call if resources are free; otherwise queue it."""
    exclude: str | None = None
    """A node that it must not get."""
    after: int | None = None
    """The job that it takes over from: it cannot start before that one has left the queue."""


@dataclass(frozen=True, slots=True)
class Submitted:
    job_id: int
    placed: bool = False
    """Whether the job already runs (its agent is started); otherwise it is pending."""
    node: str | None = None


@dataclass(frozen=True, slots=True)
class LogPiece:
    """`text` is the bytes from `offset` to `next_offset` of a log that is now `size` bytes long."""

    text: str
    offset: int
    next_offset: int
    size: int
