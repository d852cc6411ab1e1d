"""API schemas of the cluster: what it has, and what is free."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class SlurmOut(Wire):
    """Whether Slurm answers, since when, and how old the snapshot is."""

    state: str
    since: datetime | None
    as_of: datetime | None
    message: str | None


class GpuPoolOut(Wire):
    type: str
    memory_gb: int | None = Field(None, description="The least memory with which such a GPU is sold; null: unknown.")
    total: int
    free: int
    reserved: int = Field(description="Not in use, but only for the jobs of a reservation that has started.")
    down: int
    most_free_on_a_node: int
    shards_per_gpu: int = Field(0, description="Into how many shards one of them can be split; 0: none.")
    mps_per_gpu: int = Field(
        0, description="What Slurm counts as all of one when jobs share it by MPS, usually 100; 0: they cannot."
    )


class NodeCounts(Wire):
    total: int
    up: int


class PerNode(Wire):
    """The most that one node of the partition has."""

    gpus: int
    cpus: int
    memory_mib: int


class CpuCounts(Wire):
    total: int
    free: int


class FeatureOut(Wire):
    """A feature of nodes, and how many of the partition's nodes have it."""

    name: str
    nodes: int


class PartitionOut(Wire):
    name: str
    default: bool
    available: bool
    reason: str | None
    max_walltime_s: int | None
    default_walltime_s: int | None
    nodes: NodeCounts
    per_node: PerNode
    gpus: list[GpuPoolOut]
    cpus: CpuCounts
    features: list[FeatureOut] = Field(description="By which nodes can be chosen: those that not all of them have.")
    whole_nodes: bool = Field(description="Whether Slurm gives each job whole nodes here.")


class AvailabilityOut(Wire):
    """Free and used resources; `gpus` counts each node once, however many partitions it is in."""

    as_of: datetime | None
    partitions: list[PartitionOut]
    gpus: list[GpuPoolOut]


class AccountOut(Wire):
    """One of your accounts, and the QOS that a job charged to it may have."""

    name: str
    default: bool
    qos: list[str]
    default_qos: str | None = Field(description="QOS of a job that names none, if accounting sets one.")
