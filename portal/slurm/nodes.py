"""Nodes, partitions and reservations as plain frozen values, in the units of `jobs`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from portal.shared_gres import SharedGres


class NodeState(StrEnum):
    """A node's base state; its flags (DRAIN, NOT_RESPONDING, …) are in `Node.flags`."""

    IDLE = "IDLE"
    MIXED = "MIXED"
    ALLOCATED = "ALLOCATED"
    DOWN = "DOWN"
    ERROR = "ERROR"
    FUTURE = "FUTURE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class GpuParts:
    """How GPUs of one type on one node are shared."""

    gres: SharedGres
    per_gpu: int
    """Into how many shards each GPU is split; for MPS, how much Slurm counts as all of one: usually 100."""
    used: int | None = 0
    """On all GPUs; None if Slurm does not report it."""
    shared: tuple[int, ...] = ()
    """The GPUs in use by them."""


@dataclass(frozen=True, slots=True)
class GpuCount:
    """GPUs of one type on one node; `type` is empty if the site names none."""

    type: str
    total: int
    allocated: int
    indices: tuple[int, ...] = ()
    """Which of the node's GPUs are allocated, if Slurm reports it."""
    shared: tuple[int, ...] = ()
    """Those of them that jobs share by shards or MPS."""
    parts: tuple[GpuParts, ...] = ()
    """What each GPU can be shared by."""

    @property
    def free(self) -> int:
        """GPUs that no job uses, neither whole nor in part."""
        return max(0, self.total - self.allocated)

    def most(self, gres: SharedGres) -> tuple[int, int]:
        """The most shards, or percent by MPS, free on one GPU: how much surely, and how much at best."""
        parts = next((each for each in self.parts if each.gres == gres), None)
        if parts is None:
            return 0, 0
        if self.free:
            return parts.per_gpu, parts.per_gpu
        if parts.used is None:
            return 0, parts.per_gpu if self.shared else 0
        left = max(0, len(parts.shared) * parts.per_gpu - parts.used)
        return -(-left // max(1, len(parts.shared))), min(left, parts.per_gpu)


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
    """Its active features."""
    other_features: tuple[str, ...] = ()
    """Features that Slurm can activate, for example by a reboot."""
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
    oversubscribe: str = "NO"
    """NO, YES:4, FORCE:4, or EXCLUSIVE: each job gets whole nodes (slurm.conf(5), "OverSubscribe")."""
    exclusive_user: bool = False
    """Whether only one user's jobs run on a node at a time."""


@dataclass(frozen=True, slots=True)
class License:
    """A licence that Slurm counts; `used` and `reserved` are not free."""

    name: str
    total: int
    used: int
    reserved: int = 0

    @property
    def free(self) -> int:
        return max(0, self.total - self.used - self.reserved)


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
