"""Slurm's state as plain frozen values, free of Slurm's text formats.

Times are aware UTC datetimes, memory is in MiB, durations are in seconds. Reasons and names are Slurm's own words,
unchanged; `reasons.explain` turns a reason into a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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


class NodeState(StrEnum):
    """A node's base state; its flags (DRAIN, NOT_RESPONDING, …) are in `Node.flags`."""

    IDLE = "IDLE"
    MIXED = "MIXED"
    ALLOCATED = "ALLOCATED"
    DOWN = "DOWN"
    ERROR = "ERROR"
    FUTURE = "FUTURE"
    UNKNOWN = "UNKNOWN"


class Reach(StrEnum):
    """Whether Slurm answers."""

    UNKNOWN = "unknown"
    UP = "up"
    DOWN = "down"


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
class Place:
    """GPUs that a job holds on one node, by index."""

    node: str
    gpus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GpuCount:
    """GPUs of one type on one node; `type` is empty if the site names none."""

    type: str
    total: int
    allocated: int
    indices: tuple[int, ...] = ()
    """Which of the node's GPUs are allocated, if Slurm reports it."""

    @property
    def free(self) -> int:
        return max(0, self.total - self.allocated)


#: Flags that keep new jobs off a node (scontrol(1), "NODE STATE CODES").
_CLOSED = frozenset(
    {
        "DRAIN",
        "DRAINING",
        "DRAINED",
        "FAIL",
        "FAILING",
        "INVALID_REG",
        "INVAL",
        "NOT_RESPONDING",
        "POWERING_DOWN",
        "REBOOT_ISSUED",
        "REBOOT_REQUESTED",
        "BLOCKED",
    }
)
_MAINTENANCE = frozenset({"MAINTENANCE", "MAINT"})


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    state: NodeState
    flags: frozenset[str] = frozenset()
    reason: str = ""
    partitions: tuple[str, ...] = ()
    address: str = ""
    cpus: int = 0
    cpus_allocated: int = 0
    memory_mib: int = 0
    memory_allocated_mib: int = 0
    gpus: tuple[GpuCount, ...] = ()
    features: tuple[str, ...] = ()
    load: float | None = None
    version: str = ""
    memory_free_mib: int | None = None
    """As the node's own system counts it."""
    gpus_drained: int = 0
    slurmd_since: datetime | None = None
    """When the registered slurmd started; None if none ever registered."""
    boot_at: datetime | None = None
    busy_at: datetime | None = None
    reason_by: str = ""
    """Who set the reason; for Slurm's own reasons, Slurm's user."""
    reason_at: datetime | None = None

    @property
    def available(self) -> bool:
        """Whether Slurm places new jobs here once resources are free. A sleeping node counts: Slurm wakes it."""
        return self.works and not self.flags & _MAINTENANCE

    @property
    def works(self) -> bool:
        """Whether it would be available but for maintenance, which admits only the jobs of its reservation."""
        return self.state in (NodeState.IDLE, NodeState.MIXED, NodeState.ALLOCATED) and not self.flags & _CLOSED

    @property
    def reserved(self) -> bool:
        """Whether its free resources are only for jobs of a reservation that has started."""
        return self.available and "RESERVED" in self.flags

    @property
    def in_reservation(self) -> bool:
        """Whether a reservation has started here, including maintenance."""
        return "RESERVED" in self.flags or bool(self.flags & _MAINTENANCE)


@dataclass(frozen=True, slots=True)
class Partition:
    name: str
    default: bool = False
    state: str = "UP"
    """UP, DOWN, DRAIN or INACTIVE."""
    max_walltime_s: int | None = None
    default_walltime_s: int | None = None
    nodes: str = ""
    node_total: int = 0
    max_nodes: int | None = None
    allow_accounts: frozenset[str] | None = None
    """None: all accounts."""
    deny_accounts: frozenset[str] = frozenset()
    allow_groups: frozenset[str] | None = None
    allow_qos: frozenset[str] | None = None
    deny_qos: frozenset[str] = frozenset()
    priority_tier: int = 1
    qos: str = ""
    max_memory_per_node_mib: int | None = None
    max_cpus_per_node: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Reservation:
    """Nodes kept for certain jobs; `state` is ACTIVE or INACTIVE (not started)."""

    name: str
    state: str = ""
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    nodes: str = ""
    node_count: int = 0
    cpus: int | None = None
    """On all its nodes; fewer than they have if it reserves only some cores."""
    users: tuple[str, ...] = ()
    """Who may use it; `-bob` is everybody but bob. The same holds for groups and accounts."""
    groups: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    partition: str = ""


@dataclass(frozen=True, slots=True)
class Association:
    """A user's right to charge an account, in one partition, or in all if `partition` is empty."""

    user: str
    account: str
    partition: str = ""
    qos: tuple[str, ...] = ()
    default_qos: str = ""
    is_default: bool = False
    """Whether a job of this user that names no account is charged to `account`."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpec:
    """The allocation of one session. The door checks every value again before it becomes an argument."""

    session_id: str
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
    immediate: bool = True
    """Place the job inside the call if resources are free; otherwise queue it."""


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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything known of Slurm at one moment, each part with the time of its reading (None: not read yet).

    While Slurm does not answer, the last parts stay and age, and `state` is DOWN: unknown does not mean ended.
    """

    serial: int = 0
    jobs: dict[int, Job] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    partitions: tuple[Partition, ...] = ()
    associations: tuple[Association, ...] = ()
    places: dict[int, tuple[Place, ...]] = field(default_factory=dict)
    """Which GPUs jobs hold, as of `places_as_of`; read only on demand."""
    reservations: tuple[Reservation, ...] = ()
    """Current and future reservations."""
    version: str | None = None
    private: frozenset[str] = frozenset()
    """What users may not see of each other in Slurm (slurm.conf(5), "PrivateData")."""
    jobs_as_of: datetime | None = None
    clock_set: bool = False
    """Whether the machine's clock was set recently, so that reading times mean little."""
    nodes_as_of: datetime | None = None
    partitions_as_of: datetime | None = None
    associations_as_of: datetime | None = None
    places_as_of: datetime | None = None
    reservations_as_of: datetime | None = None
    state: Reach = Reach.UNKNOWN
    since: datetime | None = None
    message: str | None = None

    def is_after(self, moment: datetime) -> bool:
        """Whether the queue was certainly read after that time: a job that existed then is either in it or gone."""
        return self.jobs_as_of is not None and not self.clock_set and self.jobs_as_of > moment

    @property
    def knows_the_cluster(self) -> bool:
        """Whether nodes and partitions have been read at all."""
        return self.nodes_as_of is not None and self.partitions_as_of is not None

    def find(self, *, user: str, name: str) -> Job | None:
        """Return the user's newest job of this name. Anybody may use any name, so both must match.

        An attempt to place a session at once that found no room leaves a failed job that never had a node; it is
        skipped.
        """
        found = [job for job in self.jobs.values() if job.name == name and job.user == user and not job.never_was]
        return max(found, key=lambda job: job.id, default=None)
