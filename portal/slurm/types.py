"""What the rest of the portal knows of Slurm: plain frozen values, no Slurm text in them.

Times are aware UTC datetimes, memory is in MiB, durations in seconds. Reasons and names are Slurm's own words, kept
as they came; `reasons.explain` turns a reason into a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """Slurm's job states (squeue(1), JOB STATE CODES); `UNKNOWN` is one this portal has not met."""

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
        """Whether the job stands in the queue, holding nothing."""
        return self in _WAITING

    @property
    def is_over(self) -> bool:
        """Whether the job has ended for good. An unknown state is not over: don't know is not dead."""
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
    """A node's base state; what comes on top of it (DRAIN, NOT_RESPONDING, …) is in `Node.flags`."""

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
    """The nodes it holds, as a Slurm node list; empty while it waits."""
    node_count: int = 1
    cpus: int = 0
    memory_mib: int | None = None
    """Memory of the whole job; None where Slurm does not say."""
    gpus: int = 0
    """GPUs of the whole job."""
    gpu_type: str | None = None
    submitted_at: datetime | None = None
    eligible_at: datetime | None = None
    started_at: datetime | None = None
    """When it started; while it waits, Slurm's estimate, if it has one."""
    ends_at: datetime | None = None
    """When it ended or will end at its time limit."""
    time_limit_s: int | None = None
    priority: int = 0
    reservation: str = ""
    exit_code: int | None = None
    comment: str = ""
    array_job_id: int | None = None
    array_tasks: str = ""
    """Of a job array: the task's number, or the waiting ones, such as `3-9%2`."""

    @property
    def is_named(self) -> bool:
        """Whether the system knew whose it is: while a directory is away squeue says `nobody`, pyslurm a number."""
        return self.user != "nobody" and not self.user.isdigit()

    def may_be_of(self, user: str) -> bool:
        return self.user == user or not self.is_named

    @property
    def never_was(self) -> bool:
        """Whether this is only the trace of an allocation that was refused."""
        return self.state is JobState.FAILED and not self.nodes


@dataclass(frozen=True, slots=True)
class Place:
    """GPUs that a job holds on one node, by their index there."""

    node: str
    gpus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GpuCount:
    """GPUs of one type on one node; `type` is empty where the site names none."""

    type: str
    total: int
    allocated: int
    indices: tuple[int, ...] = ()
    """Which of the node's GPUs are allocated, where Slurm says so."""

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
    """When its slurmd began that is registered; None: none ever was."""
    boot_at: datetime | None = None
    busy_at: datetime | None = None
    reason_by: str = ""
    """Who set the reason; Slurm itself is its own user."""
    reason_at: datetime | None = None

    @property
    def available(self) -> bool:
        """Whether Slurm places new jobs here once something is free (a node asleep counts: Slurm wakes it)."""
        return self.works and not self.flags & _MAINTENANCE

    @property
    def works(self) -> bool:
        """Whether it would, but for maintenance: that keeps out all but the jobs of its reservation."""
        return self.state in (NodeState.IDLE, NodeState.MIXED, NodeState.ALLOCATED) and not self.flags & _CLOSED

    @property
    def reserved(self) -> bool:
        """Whether what is free here is only for the jobs of a reservation that has begun."""
        return self.available and "RESERVED" in self.flags

    @property
    def in_reservation(self) -> bool:
        """Whether one has begun here, be it for maintenance."""
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
    """None: everybody's."""
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
    """Nodes set aside for some; `state` is ACTIVE or INACTIVE (not begun)."""

    name: str
    state: str = ""
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    nodes: str = ""
    node_count: int = 0
    cpus: int | None = None
    """On all its nodes; fewer than they have where it takes some cores only."""
    users: tuple[str, ...] = ()
    """Who may use it; `-bob` is everybody but bob. So are groups and accounts."""
    groups: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    partition: str = ""


@dataclass(frozen=True, slots=True)
class Association:
    """A user's right to charge an account (in one partition, or in all where `partition` is empty)."""

    user: str
    account: str
    partition: str = ""
    qos: tuple[str, ...] = ()
    default_qos: str = ""
    is_default: bool = False
    """Whether `account` is the one a job of this user gets when it names none."""


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended, its steps included: a step out of memory shows here even where the job says FAILED."""

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
    """The allocation of one session. Every value is checked again by the door before it becomes an argument."""

    session_id: str
    walltime_s: int
    cpus: int
    """For the whole session on each node."""
    memory_mib: int
    """On each node."""
    partition: str | None = None
    account: str | None = None
    qos: str | None = None
    reservation: str | None = None
    nodes: int = 1
    gpus: int = 0
    """On each node."""
    gpu_type: str | None = None
    immediate: bool = True
    """Place it inside the call when the resources are free; queue it otherwise."""


@dataclass(frozen=True, slots=True)
class Submitted:
    job_id: int
    placed: bool = False
    """Whether the job already runs (its agent is started); otherwise it stands in the queue."""
    node: str | None = None


@dataclass(frozen=True, slots=True)
class LogPiece:
    """`text` stands at bytes `offset` to `next_offset` of a log that is `size` bytes long now."""

    text: str
    offset: int
    next_offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything known of Slurm at one moment, each part with the time it was read (None: never yet).

    While Slurm does not answer the last parts stay, growing old, and `state` is DOWN: don't know is not dead.
    """

    serial: int = 0
    jobs: dict[int, Job] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    partitions: tuple[Partition, ...] = ()
    associations: tuple[Association, ...] = ()
    places: dict[int, tuple[Place, ...]] = field(default_factory=dict)
    """Which GPUs jobs hold, as of `places_as_of`; read only when somebody needs it."""
    reservations: tuple[Reservation, ...] = ()
    """Those that have begun and those to come."""
    version: str | None = None
    private: frozenset[str] = frozenset()
    """What users may not see of each other in Slurm (slurm.conf(5), "PrivateData")."""
    jobs_as_of: datetime | None = None
    clock_set: bool = False
    """Whether the machine's clock was set lately, so that times of reading say little."""
    nodes_as_of: datetime | None = None
    partitions_as_of: datetime | None = None
    associations_as_of: datetime | None = None
    places_as_of: datetime | None = None
    reservations_as_of: datetime | None = None
    state: Reach = Reach.UNKNOWN
    since: datetime | None = None
    message: str | None = None

    def is_after(self, moment: datetime) -> bool:
        """Whether the queue was certainly read after that: then a job of that time is in it, or gone."""
        return self.jobs_as_of is not None and not self.clock_set and self.jobs_as_of > moment

    @property
    def knows_the_cluster(self) -> bool:
        """Whether nodes and partitions have been read at all."""
        return self.nodes_as_of is not None and self.partitions_as_of is not None

    def find(self, *, user: str, name: str) -> Job | None:
        """The newest job of this user with this name: names are the user's to choose, so both must fit.

        An attempt to place a session at once that found no room leaves a failed job that never had a node: not one.
        """
        found = [job for job in self.jobs.values() if job.name == name and job.user == user and not job.never_was]
        return max(found, key=lambda job: job.id, default=None)
