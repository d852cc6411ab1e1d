"""What a user may request for a session, through the form, the API, the commands or the Hub."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from portal.policy.parts import GpuPart
from portal.settings import ModuleName

# Names of partitions, accounts, QOS, reservations and GPU types. Slurm accepts more, but nothing outside this set is
# needed, and none of it has a meaning in a shell or in Slurm's lists.
SlurmName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$")]
# Several of them must all be there: no other operator, so that what it means is never in doubt.
_FEATURE = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"
Constraint = Annotated[str, Field(pattern=f"^{_FEATURE}(&{_FEATURE}){{0,7}}$")]
_LICENSE = r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}(:[1-9][0-9]{0,5})?"
Licenses = Annotated[str, Field(pattern=f"^{_LICENSE}(,{_LICENSE}){{0,7}}$")]
CatalogueName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")]
# An app of the site, one of the user's own (`my-…`), or the path of a file that declares one.
AppName = Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9_.-]{0,62}|(~/|/)[^\x00-\x1f\x7f]{1,200})$")]
TemplateId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
NAME_LENGTH = 60
OptionName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")]
UNPRINTABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _printable(value: str) -> str:
    if any(unicodedata.category(character) in UNPRINTABLE for character in value):
        raise ValueError("must not contain control characters or line breaks")
    return value


OptionText = Annotated[str, Field(max_length=1024), AfterValidator(_printable)]
PresetName = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(_printable)]


class ResourceRequest(BaseModel):
    """Requested resources; policy fills in what is left out. Cores, memory (MiB) and GPUs are per node."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    partition: SlurmName | None = None
    account: SlurmName | None = None
    qos: SlurmName | None = None
    reservation: SlurmName | None = None
    nodes: Annotated[int, Field(ge=1, le=10_000)] | None = None
    gpus: Annotated[int, Field(ge=0, le=10_000)] | None = None
    gpu_type: SlurmName | None = None
    gpu_memory_gb: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None,
        description="The least memory of each GPU. The type becomes the one with the least memory that is enough, such"
        " as a MIG instance; `gpu_type` may then be a word of its name: `a100`.",
    )
    shards: Annotated[int, Field(ge=0, le=1000)] | None = Field(
        None, description="Shards of one GPU instead of whole ones, where the site splits its GPUs."
    )
    mps_percent: Annotated[int, Field(ge=0, le=100)] | None = Field(
        None, description="Percent of one GPU instead of whole ones, where jobs of the site share GPUs by MPS."
    )
    constraint: Constraint | None = Field(None, description="Features that its nodes must have: `a100&nvme`.")
    licenses: Licenses | None = Field(None, description="Licences, with how many of each: `matlab:2,ansys`.")
    wckey: SlurmName | None = Field(None, description="What Slurm's accounting charges it to, besides the account.")
    exclusive: bool | None = Field(None, description="Whether it gets whole nodes, with all their GPUs and cores.")
    cpus: Annotated[int, Field(ge=1, le=100_000)] | None = None
    memory_mib: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    walltime_s: Annotated[int, Field(ge=60, le=31_536_000)] | None = None

    @property
    def part(self) -> GpuPart | None:
        return GpuPart.of(self.shards, self.mps_percent)


class SessionRequest(BaseModel):
    """A session request: an app in an environment on resources."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    app: AppName
    name: Annotated[str, Field(max_length=NAME_LENGTH)] | None = None
    environment: CatalogueName | None = None
    options: Annotated[dict[OptionName, OptionText | bool], Field(max_length=20)] = Field(
        default_factory=dict, description="Values of the app's options, by name."
    )
    modules: Annotated[list[ModuleName], Field(max_length=20)] = Field(
        default_factory=list, description="Environment modules, loaded on top of the environment."
    )
    resources: ResourceRequest = ResourceRequest()
    template: TemplateId | None = Field(None, description="The template that it opens, to find the session's use by.")
    preset: PresetName | None = Field(None, description="The preset that it starts from, to find its use by.")
    avoid: SlurmName | None = Field(None, description="A node that the session must not get.")

    @field_validator("name")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        return None if value is None else _printable(value).strip() or None


class Resources(BaseModel):
    """What a session gets, with every value decided."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    partition: str
    account: str | None
    qos: str | None
    reservation: str | None
    nodes: int
    gpus: int
    gpu_type: str | None
    cpus: int
    memory_mib: int
    walltime_s: int
    shards: int = 0
    mps_percent: int = 0
    constraint: str | None = None
    licenses: str | None = None
    wckey: str | None = None
    exclusive: bool = False

    @property
    def part(self) -> GpuPart | None:
        return GpuPart.of(self.shards, self.mps_percent)

    @property
    def gpus_counted(self) -> int:
        """GPUs as limits count them, on all nodes: a part of one counts as one."""
        return (self.gpus or (1 if self.part else 0)) * self.nodes
