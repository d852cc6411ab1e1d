"""Response bodies of the site and of a new session's options."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from portal.cluster.schemas import AccountOut, AvailabilityOut, SlurmOut, Wire
from portal.health.schemas import Missing
from portal.policy.request import Resources


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
    sharing: bool = Field(description="Whether you may share apps and ports of your sessions.")
    ssh: bool = Field(description="Whether you may connect to your sessions with SSH.")


class AppOptionOut(Wire):
    """A field of the app's start form; its value goes into `options` of the session."""

    name: str
    label: str
    kind: Literal["folder", "file", "text", "number", "choice", "bool"]
    default: str | bool | None
    required: bool
    help: str
    choices: list[str]
    least: float | None
    most: float | None
    whole: bool


class AppOut(Wire):
    name: str
    title: str
    description: str
    icon: str
    group: str
    kind: Literal["jupyter", "web"]
    environments: list[str]
    options: list[AppOptionOut]
    resources: Resources | None = Field(description="What its session gets by default.")
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
    own: bool = Field(False, description="Whether it is one of the caller's images.")
    reason: str | None = Field(None, description="Why sessions cannot use it now.")


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
    may_extend: bool = Field(False, description="Whether users can extend their own sessions here.")


class DefaultsOut(Wire):
    app: str
    environment: str | None
    resources: Resources | None


class ReservationChoice(Wire):
    """A reservation that the caller may use."""

    name: str
    starts_at: datetime | None
    ends_at: datetime | None
    nodes: int
    gpus: int
    partitions: list[str] = Field(description="The partitions that have all of its nodes; the default one first.")


class LicenseOut(Wire):
    name: str
    total: int
    free: int = Field(description="As last read; neither used nor reserved.")


class OptionsOut(AvailabilityOut):
    """Everything that the form of a new session needs, for this user, now."""

    apps: list[AppOut]
    environments: list[EnvironmentBrief]
    accounts: list[AccountOut]
    reservations: list[ReservationChoice]
    licenses: list[LicenseOut] = Field(description="That Slurm counts here.")
    wckeys: list[str] = Field(description="Yours, where Slurm tracks them.")
    policy: PolicyOut
    defaults: DefaultsOut
