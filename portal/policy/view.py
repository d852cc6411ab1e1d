"""What policy needs to know of the cluster and the user, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from portal.shared_gres import SharedGres


@dataclass(frozen=True, slots=True)
class GpuPool:
    """GPUs of one type in a partition; `free` ones are on nodes that take any job now."""

    type: str
    total: int
    free: int
    reserved: int
    """Not in use, and only for jobs of a reservation."""
    down: int
    most_on_a_node: int
    most_free_on_a_node: int
    memory_gb: int | None = None
    """As far as the type's name tells: the least with which such a GPU is sold."""
    shards_per_gpu: int = 0
    """Into how many shards one of them can be split; 0: none."""
    mps_per_gpu: int = 0
    """What Slurm counts as all of one when jobs share it by MPS: usually 100; 0: they cannot."""

    def parts(self, gres: SharedGres) -> int:
        return self.shards_per_gpu if gres == "shard" else self.mps_per_gpu


@dataclass(frozen=True, slots=True)
class NodeKind:
    """Nodes of a partition that have the same features, and as many GPUs."""

    features: frozenset[str]
    gpus: int
    nodes: int


@dataclass(frozen=True, slots=True)
class PartitionView:
    name: str
    default: bool
    available: bool
    reason: str | None
    max_walltime_s: int | None
    default_walltime_s: int | None
    nodes_total: int
    nodes_up: int
    node_gpus: int
    node_cpus: int
    node_memory_mib: int
    cpus_total: int
    cpus_free: int
    gpus: tuple[GpuPool, ...] = ()
    allow_accounts: frozenset[str] | None = None
    allow_groups: frozenset[str] | None = None
    allow_qos: frozenset[str] | None = None
    kinds: tuple[NodeKind, ...] = ()
    whole_nodes: bool = False
    """Whether Slurm gives each job whole nodes here."""
    closes_in_s: int | None = None
    """Seconds until it closes for maintenance; None: none planned."""
    closes_why: str = ""


@dataclass(frozen=True, slots=True)
class ClusterView:
    """Partitions by name, in Slurm's order."""

    partitions: dict[str, PartitionView]
    licenses: Mapping[str, int] | None = None
    """How many there are of each licence; None: not known yet."""


@dataclass(frozen=True, slots=True)
class LimitRule:
    """The limits of one user, or of each member of a group and of all its members together; None: not set here."""

    kind: Literal["user", "group"]
    name: str
    max_gpus: int | None = None
    max_sessions: int | None = None
    max_walltime_s: int | None = None
    max_gpu_hours: int | None = None
    partitions: frozenset[str] | None = None
    gpu_types: frozenset[str] | None = None
    group_max_gpus: int | None = None
    group_max_gpu_hours: int | None = None

    @property
    def is_pooled(self) -> bool:
        return self.group_max_gpus is not None or self.group_max_gpu_hours is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What all members of a group may hold together, and hold; hours in GPU-hours of this month."""

    group: str
    max_gpus: int | None
    max_gpu_hours: int | None
    gpus: int
    gpu_hours_used: float
    gpu_hours_promised: float

    @property
    def gpu_hours(self) -> float:
        return self.gpu_hours_used + self.gpu_hours_promised


@dataclass(frozen=True, slots=True)
class UserView:
    """The user as policy sees them: directory groups, Slurm accounts, current sessions."""

    username: str
    groups: frozenset[str] = frozenset()
    accounts: tuple[str, ...] = ()
    default_account: str | None = None
    gpus_in_use: int = 0
    """Of sessions and batch jobs, running or queued."""
    sessions_in_use: int = 0
    admin: bool = field(default=False)
    rules: tuple[LimitRule, ...] = ()
    """What administrators set for the user and their groups."""
    gpu_hours_used: float = 0.0
    """This month's, by sessions and batch jobs."""
    gpu_hours_promised: float = 0.0
    """What sessions and jobs that have not ended may still use."""
    pools: tuple[Pool, ...] = ()
    """Of the user's groups; each applies, whatever the user's own limits are."""
    wckeys: tuple[str, ...] | None = None
    """None: Slurm tracks none, or does not list them for the portal."""

    @property
    def gpu_hours(self) -> float:
        return self.gpu_hours_used + self.gpu_hours_promised
