"""What goes over the wire about nodes, their GPUs, the queue and its totals over time."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from portal.cluster.schemas import GpuPoolOut, Wire

NodeWord = Literal["idle", "mixed", "full", "draining", "drained", "down", "reserved", "maintenance", "asleep"]
Span = Literal["hour", "day", "week", "month"]


class GpuKindOut(Wire):
    type: str
    count: int


class KindOut(Wire):
    """What nodes of one make have in common."""

    partitions: list[str]
    features: list[str]
    cpus: int
    memory_mib: int
    gpus: list[GpuKindOut]


class NodeRow(Wire):
    """One node. `gpus` has a character for each: a letter for each job of the node, `.` free, `?` used unaccounted."""

    name: str
    kind: int
    """Index into `kinds`."""
    state: NodeWord
    gpus: str
    cpus: int
    """In use, as is memory."""
    memory_mib: int
    reason: str


class QueueBrief(Wire):
    """`version` is another one whenever the queue is."""

    version: int
    running: int
    waiting: int


class PictureOut(Wire):
    """All nodes. `GET /cluster/events?after=version` goes on from here."""

    version: str
    as_of: datetime | None
    queue: QueueBrief
    group_by: Literal["partition", "rack"]
    rack_feature: str
    kinds: list[KindOut]
    nodes: list[NodeRow]


class ClusterJobOut(Wire):
    """One job. What the reader may not see of another's (`user`, `account`, `name`) is null."""

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
    cpus: int
    memory_mib: int | None
    priority: int
    position: int | None
    """Its place in its partition's line of `line` jobs."""
    line: int | None
    submitted_at: datetime | None
    started_at: datetime | None
    expected_start: datetime | None
    ends_at: datetime | None
    """When it ended, or will at its time limit."""
    time_limit_s: int | None
    array_job_id: int | None
    array_tasks: str
    reservation: str


class ClusterJobsOut(Wire):
    items: list[ClusterJobOut]
    total: int
    """How many fit the question, and how many of those are mine."""
    mine: int
    queue: QueueBrief
    as_of: datetime | None


class PlaceOut(Wire):
    node: str
    gpus: list[int]
    sure: bool
    """Whether Slurm said which GPUs, or it is only likely."""


class ClusterJobDetail(ClusterJobOut):
    places: list[PlaceOut]


class NodeJobOut(Wire):
    """A job on a node, and which of the node's GPUs it holds; `letter` stands for it in the node's row."""

    letter: str | None
    gpus: list[int]
    sure: bool
    job: ClusterJobOut


class NodeDetail(NodeRow):
    """One node with everything that is known of it."""

    partitions: list[str]
    features: list[str]
    pools: list[GpuPoolOut]
    slurm_state: str
    reservation: str
    """The reservation that has begun here; empty where the reader may not see reservations."""
    cpus_total: int
    memory_total_mib: int
    load: float | None
    version: str
    jobs: list[NodeJobOut]
    as_of: datetime | None


class TotalsOut(Wire):
    """One moment: of each, how many there are, are in use, are reserved (not in use), and cannot be used."""

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
    """The totals over a span; where nothing could be read there is no point."""

    span: Span
    step_s: int
    since: datetime
    items: list[TotalsOut]
