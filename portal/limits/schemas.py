"""API schemas of limits and users."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from portal.policy.request import SlurmName

Kind = Literal["user", "group"]
Names = Annotated[list[SlurmName], Field(max_length=100)]


class LimitIn(BaseModel):
    """The whole rule of a user or group; null: not limited here, the next layer applies."""

    model_config = ConfigDict(extra="forbid")

    max_gpus: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="GPUs at once of the user, or of each member: of sessions and batch jobs, running or queued."
    )
    max_sessions: Annotated[int, Field(ge=0, le=10_000)] | None = Field(
        None, description="Sessions at once of the user, or of each member."
    )
    max_walltime_s: Annotated[int, Field(ge=60, le=31_536_000)] | None = Field(
        None, description="Longest time limit of a session or batch job."
    )
    max_gpu_hours: Annotated[int, Field(ge=0, le=100_000_000)] | None = Field(
        None, description="GPU-hours per month (UTC) of the user, or of each member."
    )
    partitions: Names | None = Field(None, description="Partitions that may be used.")
    gpu_types: Names | None = Field(None, description="GPU types that may be used.")
    group_max_gpus: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="GPUs at once of all members together; groups only."
    )
    group_max_gpu_hours: Annotated[int, Field(ge=0, le=100_000_000)] | None = Field(
        None, description="GPU-hours per month (UTC) of all members together; groups only."
    )

    @model_validator(mode="after")
    def _something(self) -> LimitIn:
        if all(getattr(self, field) is None for field in type(self).model_fields):
            raise ValueError("Set at least one limit, or remove the rule")
        return self


class LimitRow(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)

    kind: Kind
    name: str
    max_gpus: int | None
    max_sessions: int | None
    max_walltime_s: int | None
    max_gpu_hours: int | None
    partitions: list[str] | None
    gpu_types: list[str] | None
    group_max_gpus: int | None
    group_max_gpu_hours: int | None
    changed_by: str
    changed_at: datetime
    version: int = Field(description="Send it as `If-Match` when you change the rule.")


class ConfiguredLimit(BaseModel):
    """What `portal.toml` sets for a group."""

    group: str
    max_gpus: int | None
    max_sessions: int | None
    max_walltime_s: int | None
    partitions: list[str] | None
    group_max_gpus: int | None
    group_max_gpu_hours: int | None


class SiteLimits(BaseModel):
    max_gpus: int
    max_sessions: int
    max_walltime_s: int


class LimitList(BaseModel):
    items: list[LimitRow]
    configured: list[ConfiguredLimit]
    site: SiteLimits


class SlurmLimit(BaseModel):
    """What Slurm sets for an association or a QOS: Slurm's own names and values, such as `GrpTRES`: `gres/gpu=8`."""

    kind: Literal["account", "user", "qos"]
    name: str = Field(description="The account, the user, or the QOS.")
    account: str = Field(description="The account of a user's association; else empty.")
    partition: str = Field(description="The partition of a user's association; empty: all.")
    limits: dict[str, str]


class SlurmLimits(BaseModel):
    """`enforced`: whether AccountingStorageEnforce has `limits`; otherwise Slurm does not apply these."""

    enforced: bool
    items: list[SlurmLimit]


class Use(BaseModel):
    """What sessions and batch jobs hold now, running or queued, and GPU-hours of this month."""

    sessions: int = 0
    gpus: int = 0
    gpu_hours_used: float = Field(0.0, description="Used this month (UTC).")
    gpu_hours_promised: float = Field(0.0, description="What sessions and jobs that have not ended may still use.")


class DirectoryOut(BaseModel):
    """The state of the directory: its data was read at `as_of`; it has not answered since `silent_since`."""

    as_of: datetime | None
    silent_since: datetime | None
    message: str | None


class PersonRow(Use):
    """A user of the directory, or one who holds something. Null: unknown while the directory does not answer."""

    username: str
    display_name: str
    mail: str
    in_directory: bool | None
    groups: list[str]
    admin: bool | None
    allowed: bool | None
    limit: LimitRow | None = Field(description="Limits that administrators have set for them.")


class PersonList(BaseModel):
    items: list[PersonRow]
    total: int
    directory: DirectoryOut


class GroupRow(Use):
    """A group, with what its direct members hold. `admin`, `login`: its members are administrators, can log in."""

    name: str
    members: int | None
    admin: bool
    login: bool
    limit: LimitRow | None


class GroupList(BaseModel):
    items: list[GroupRow]
    total: int
    directory: DirectoryOut


class EffectiveOut(BaseModel):
    max_gpus: int
    max_sessions: int
    max_walltime_s: int
    max_gpu_hours: int | None
    partitions: list[str] | None
    gpu_types: list[str] | None


class PoolOut(BaseModel):
    """What all members of one of the user's groups may hold together, and hold."""

    model_config = ConfigDict(from_attributes=True)

    group: str
    max_gpus: int | None
    max_gpu_hours: int | None
    gpus: int
    gpu_hours_used: float
    gpu_hours_promised: float


class PersonOut(BaseModel):
    """One user of the directory: groups, rights, limits, and what they hold."""

    username: str
    display_name: str
    mail: str
    groups: list[str]
    admin: bool
    allowed: bool
    sessions: int
    gpus: int
    gpu_hours_used: float
    gpu_hours_promised: float
    limits: EffectiveOut
    pools: list[PoolOut]
