"""API schemas of nodes, their GPUs, the queue and its totals over time."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from portal.cluster.schemas import GpuPoolOut, Wire

NodeWord = Literal["idle", "mixed", "full", "draining", "drained", "down", "reserved", "maintenance", "asleep"]
Span = Literal["hour", "day", "week", "month"]


class GpuKindOut(Wire):
    type: str
    count: int


class KindOut(Wire):
    """What nodes of the same kind have in common."""

    partitions: list[str]
    features: list[str]
    cpus: int
    memory_mib: int
    gpus: list[GpuKindOut]


class LiveNodeRow(Wire):
    """One node. `gpus` has a character per GPU.

    A letter for each job of the node, `.` free, `%` shared by jobs in parts, `?` used unaccounted.
    """

    name: str
    kind: int
    """Index into `kinds`."""
    state: NodeWord
    gpus: str
    cpus: int
    """In use, like memory."""
    memory_mib: int
    reason: str


class QueueBrief(Wire):
    """`version` changes whenever the queue does."""

    version: int
    running: int
    waiting: int


class SnapshotOut(Wire):
    """All nodes. `GET /cluster/events?after=version` continues from here."""

    version: str
    as_of: datetime | None
    queue: QueueBrief
    group_by: Literal["partition", "rack"]
    rack_feature: str
    kinds: list[KindOut]
    nodes: list[LiveNodeRow]


class ClusterJobOut(Wire):
    """One job. Fields of other users' jobs that the reader may not see (`user`, `account`, `name`) are null."""

    id: int
    name: str | None
    user: str | None
    account: str | None
    mine: bool
    partition: str
    qos: str
    state: str
    reason: str
    reason_code: str
    node_list: str
    nodes: int
    gpus: int
    gpu_type: str | None
    shards: int = Field(description="Shards of GPUs, if it holds parts of them.")
    mps_percent: int = Field(description="Percent of a GPU, if it shares one by MPS.")
    cpus: int
    memory_mib: int | None
    priority: int
    position: int | None
    """Its position among the `line` jobs in its partition's queue; null for example if it is held."""
    line: int | None
    submitted_at: datetime | None
    started_at: datetime | None
    expected_start: datetime | None
    ends_at: datetime | None
    """When it ended, or will end at its time limit."""
    time_limit_s: int | None
    array_job_id: int | None
    array_tasks: str
    reservation: str


class ClusterJobsOut(Wire):
    items: list[ClusterJobOut]
    total: int
    """How many jobs match, and how many of those are yours."""
    mine: int
    queue: QueueBrief
    as_of: datetime | None


class PlaceOut(Wire):
    node: str
    gpus: list[int]
    sure: bool
    """Whether Slurm reported the GPUs, or they are only likely."""


class ClusterJobDetail(ClusterJobOut):
    places: list[PlaceOut]


class NodeJobOut(Wire):
    """A job on a node, and which of the node's GPUs it holds; `letter` stands for it in the node's row."""

    letter: str | None
    gpus: list[int]
    sure: bool
    job: ClusterJobOut


class NodeDetail(LiveNodeRow):
    """One node with everything that is known about it."""

    partitions: list[str]
    features: list[str]
    pools: list[GpuPoolOut]
    slurm_state: str
    reservation: str
    """The reservation that has started here; empty if the reader may not see reservations."""
    cpus_total: int
    memory_total_mib: int
    load: float | None
    version: str
    jobs: list[NodeJobOut]
    as_of: datetime | None


class TotalsOut(Wire):
    """Totals at one moment: how much of each resource exists, is in use, is reserved but unused, and is unusable."""

    at: datetime
    gpus: int
    gpus_used: float
    gpus_reserved: float
    gpus_down: float
    cpus: int
    cpus_used: float
    cpus_reserved: float
    cpus_down: float
    memory_mib: int
    memory_used_mib: float
    memory_reserved_mib: float
    memory_down_mib: float
    jobs_running: float
    jobs_waiting: float


class HistoryOut(Wire):
    """The totals over a span; times without a reading have no point."""

    span: Span
    step_s: int
    since: datetime
    items: list[TotalsOut]
