"""What goes over the wire about the cluster and what can be asked of it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.health.schemas import Missing
from portal.policy.ask import Resources


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class SlurmOut(Wire):
    """Whether Slurm answers, since when, and how old the picture is."""

    state: str
    since: datetime | None
    as_of: datetime | None
    message: str | None


class MountOut(Wire):
    name: str
    title: str


class SiteOut(Wire):
    name: str
    version: str
    support: str
    hub_url: str
    mounts: list[MountOut]
    slurm: SlurmOut
    missing: list[Missing] = Field(description="What does not work now, because a part of the site is down.")


class GpuPoolOut(Wire):
    type: str
    total: int
    free: int
    reserved: int = Field(description="Not in use, and only for the jobs of a reservation that has begun.")
    down: int
    most_free_on_a_node: int


class NodeCounts(Wire):
    total: int
    up: int


class PerNode(Wire):
    """The most one node of the partition has."""

    gpus: int
    cpus: int
    memory_mib: int


class CpuCounts(Wire):
    total: int
    free: int


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


class AvailabilityOut(Wire):
    """Free and taken resources; `gpus` counts each node once, however many partitions it is in."""

    as_of: datetime | None
    partitions: list[PartitionOut]
    gpus: list[GpuPoolOut]


class AppOptionOut(Wire):
    """One thing that the app asks; its value goes into `options` of the session."""

    name: str
    label: str
    kind: Literal["folder", "text", "choice", "bool"]
    default: str | bool | None
    required: bool
    help: str
    choices: list[str]


class AppOut(Wire):
    name: str
    title: str
    description: str
    icon: str
    group: str
    kind: Literal["jupyter", "web"]
    environments: list[str]
    options: list[AppOptionOut]
    resources: Resources | None = Field(description="What its session gets where nothing is asked for.")
    available: bool
    reason: str | None = Field(description="Why it cannot be started here.")


class EnvironmentBrief(Wire):
    name: str
    title: str
    description: str
    version: str
    installed: bool
    installable: bool
    size_mb: int
    kind: Literal["path", "modules", "image"] = "path"
    own: bool = Field(False, description="Whether it is an image of mine.")
    reason: str | None = Field(None, description="Why sessions cannot use it now.")


class AccountOut(Wire):
    """An account of mine, and the QOS that a job charged to it may have."""

    name: str
    default: bool
    qos: list[str]
    default_qos: str | None = Field(description="Its QOS when a job names none, where accounting says so.")


class PolicyOut(Wire):
    cpus_per_gpu: int
    memory_mib_per_gpu: int
    cpu_only_cpus: int
    cpu_only_memory_mib: int
    max_walltime_s: int
    max_gpus: int
    gpus_in_use: int
    max_sessions: int
    sessions_in_use: int
    max_nodes: int


class DefaultsOut(Wire):
    app: str
    environment: str | None
    resources: Resources | None


class OptionsOut(AvailabilityOut):
    """Everything the form of a new session needs, for this user, now."""

    apps: list[AppOut]
    environments: list[EnvironmentBrief]
    accounts: list[AccountOut]
    policy: PolicyOut
    defaults: DefaultsOut
