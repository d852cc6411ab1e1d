"""The form of a batch job: what most jobs need of sbatch, each value with a strict type.

The values become `#SBATCH` lines and plain shell of the user's own script. `command` is the body of that script and may
be anything, since it runs as its user alone.
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from portal.policy.request import CatalogueName, Constraint, Licenses, SlurmName

MAX_SCRIPT = 200_000

_UNFIT = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _of_one_line(value: str) -> str:
    """Refuse what an `#SBATCH` line cannot carry: Slurm cuts a line at `#`, and treats quotes in its own way."""
    if any(unicodedata.category(character) in _UNFIT for character in value):
        raise ValueError("must not contain control characters or line breaks")
    if set(value) & set("#\"'\\`$"):
        raise ValueError("must not contain any of # \" ' \\ ` $")
    return value


def _data(value: str) -> str:
    if any(unicodedata.category(character) in {"Cc", "Cs"} and character != "\t" for character in value):
        raise ValueError("must not contain control characters or line breaks")
    return value


def _path(value: str) -> str:
    """Validate a path. Slurm does not expand `~`; the portal does. A relative path starts at the working folder."""
    _of_one_line(value)
    if value.startswith("~") and value != "~" and not value.startswith("~/"):
        raise ValueError("may start with ~/ for your own home only")
    return value


JobName = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_of_one_line)]
JobPath = Annotated[str, Field(min_length=1, max_length=1024), AfterValidator(_path)]
Module = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*(/[A-Za-z0-9_.+-]+)*$", max_length=128)]
_SPAN = "[0-9]{1,9}(-[0-9]{1,9}(:[0-9]{1,9})?)?"
ArrayRange = Annotated[str, Field(pattern=f"^{_SPAN}(,{_SPAN})*$", max_length=1000)]
TaskId = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,9}(_[0-9]{1,9})?$")]
Count = Annotated[int, Field(ge=1, le=100_000)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Variable(_Part):
    name: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
    value: Annotated[str, Field(max_length=4096), AfterValidator(_data)]


class ArraySpec(_Part):
    range: ArrayRange = Field(description="As in Slurm: `0-99`, `1,3,5`, `0-90:10`.")
    at_once: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(None, description="Tasks that may run at once.")


class Dependency(_Part):
    kind: Literal["after", "afterany", "afterok", "afternotok", "aftercorr"]
    job: TaskId


class JobForm(_Part):
    """A job as the form shows it. Counts are per node; null leaves a value to Slurm's defaults."""

    name: JobName = "job"
    partition: SlurmName | None = None
    account: SlurmName | None = None
    qos: SlurmName | None = None
    reservation: SlurmName | None = None
    nodes: Annotated[int, Field(ge=1, le=10_000)] = 1
    tasks_per_node: Count | None = None
    cpus_per_task: Count | None = None
    gpus_per_node: Annotated[int, Field(ge=0, le=10_000)] = 0
    gpu_type: SlurmName | None = None
    shards_per_node: Annotated[int, Field(ge=0, le=1000)] = Field(0, description="Of one GPU, instead of whole ones.")
    mps_per_node: Annotated[int, Field(ge=0, le=100_000)] = Field(
        0, description="Of one GPU, shared by MPS, instead of whole ones: percent where Slurm counts 100 for a GPU."
    )
    constraint: Constraint | None = Field(None, description="Features that its nodes must have: `a100&nvme`.")
    licenses: Licenses | None = Field(None, description="Licences, with how many of each: `matlab:2,ansys`.")
    wckey: SlurmName | None = None
    exclusive: bool = Field(False, description="Whether it gets whole nodes, with all their GPUs and cores.")
    memory_mib_per_node: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    walltime_s: Annotated[int, Field(ge=60, le=31_536_000)] | None = None
    environment: CatalogueName | None = None
    modules: Annotated[list[Module], Field(max_length=50)] = Field(default_factory=list)
    command: Annotated[str, Field(max_length=MAX_SCRIPT)] = ""
    env: Annotated[list[Variable], Field(max_length=200)] = Field(default_factory=list)
    array: ArraySpec | None = None
    dependencies: Annotated[list[Dependency], Field(max_length=50)] = Field(default_factory=list)
    workdir: JobPath | None = Field(None, description="Null: the home folder.")
    output: JobPath | None = Field(None, description="With Slurm's patterns, such as %j; null: Slurm's own name.")
    error: JobPath | None = Field(None, description="Null: the same file as the output.")
    notify: bool = Field(False, description="Whether the portal's pages notify its owner when it starts and ends.")
