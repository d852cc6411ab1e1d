"""API schemas of batch jobs."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from portal.gpus.schemas import GpuUse
from portal.jobs.models import SubmissionState
from portal.jobs.script.form import MAX_SCRIPT, JobForm
from portal.jobs.script.parse import directives


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


#: Maximum length of all `#SBATCH` lines of a script: each is parsed word by word.
MAX_DIRECTIVES = 16_384


def _of_few_directives(script: str) -> str:
    if "#SBATCH" in script and sum(map(len, directives(script))) > MAX_DIRECTIVES:
        raise ValueError(f"may have at most {MAX_DIRECTIVES:,} characters of #SBATCH lines")
    return script


ScriptText = Annotated[str, Field(min_length=1, max_length=MAX_SCRIPT), AfterValidator(_of_few_directives)]
Where = Annotated[str, Field(pattern=r"^(~$|~/|/)[^\x00]*$", max_length=4096)]
#: 123, 123_7, or several array tasks: 123_[0-9,12].
JobRef = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,9}(_([0-9]{1,9}|\[[0-9][0-9,-]*\]))?$", max_length=1024)]


class Action(StrEnum):
    CANCEL = "cancel"
    HOLD = "hold"
    RELEASE = "release"
    REQUEUE = "requeue"
    TIME_LIMIT = "time_limit"


# --- composing ---


class PresetOut(Wire):
    name: str
    title: str
    description: str
    caution: str | None = Field(description="Why it may not run here; null if everything that it needs was found.")
    form: JobForm


class PresetPage(Wire):
    items: list[PresetOut]


class ComposeIn(Wire):
    form: JobForm
    kept: Annotated[list[Annotated[str, Field(pattern=r"^#[^\n\x00]*$", max_length=1000)]], Field(max_length=100)] = (
        Field(default_factory=list, description="Lines that the form has no field for, as returned by `parse`.")
    )
    gpu_memory_gb: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None,
        description="The least memory of each GPU: the script names the type with the least memory that is enough."
        " The form's `gpu_type` may then be a word of its name: `a100`.",
    )


class ScriptOut(Wire):
    script: str


class ParseIn(Wire):
    script: Annotated[str, Field(max_length=MAX_SCRIPT), AfterValidator(_of_few_directives)]


class ParseOut(Wire):
    """A script as the form shows it."""

    form: JobForm
    kept: list[str] = Field(description="`#SBATCH` lines that the form has no field for; they stay in the script.")
    complete: bool = Field(description="Whether the form shows everything.")


# --- checking and submitting ---


class SubmitIn(Wire):
    script: ScriptText
    workdir: Where | None = Field(None, description="Folder to submit from; null: the home.")


class JobProblem(Wire):
    field: str
    message: str


class JobCheckOut(Wire):
    """What Slurm would do with a job, without submitting it."""

    ok: bool
    problems: list[JobProblem]
    cautions: list[str] = Field(description="What the job probably lacks where it runs; Slurm would accept it anyway.")
    starts_at: datetime | None
    nodes: str | None = Field(description="The nodes it would get now, as a Slurm node list.")
    text: str


# --- jobs ---


class JobEndOut(Wire):
    code: str
    text: str
    advice: str | None


class ArrayOut(Wire):
    """A job array as one row."""

    total: int
    pending: int
    running: int
    done: int
    failed: int
    cancelled: int
    range: str


class EfficiencyOut(Wire):
    """How much of the request was used, in percent; null if Slurm did not measure it."""

    cpu_percent: float | None
    memory_percent: float | None
    gpu_percent: float | None


class JobFitOut(Wire):
    """What your last jobs of a name needed on their node, and what holds that with room to spare."""

    jobs: int = Field(description="How many of the last five were compared: those that finished, on one node.")
    peak_mib: int | None = Field(description="null: not measured, or one of the last five ran out of memory.")
    memory_mib: int | None
    longest_s: int | None = Field(description="null: one of the last five reached its time limit.")
    walltime_s: int | None


class JobLastUse(Wire):
    fit: JobFitOut | None = Field(description="null: none of them finished after running for ten minutes.")


class JobUsageOut(Wire):
    """What Slurm measured; memory of the largest task."""

    cpu_s: float | None
    memory_mib: int | None


class NodeUseOut(Wire):
    """What a job uses on one of its nodes."""

    node: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
    cpu_percent: Annotated[float, Field(ge=0)] = Field(description="Percent of one core: 200 is two cores.")
    cores: float = Field(description="Cores that it has there; a mean if its nodes differ.")
    memory_mib: Annotated[int, Field(ge=0)]
    memory_asked_mib: int | None
    gpus: Annotated[list[GpuUse], Field(max_length=64)]
    gpu_problems: list[str] = Field(default_factory=list, description="What is wrong with them, in words.")


class LiveUseOut(Wire):
    """What a running job uses now. It is measured while clients poll, every five seconds."""

    state: Literal["idle", "starting", "live", "unknown"] = Field(
        description="`idle`: the job is not running; `starting`: waiting for the first reading; `unknown`: see "
        "`message`."
    )
    message: str | None
    as_of: datetime | None
    nodes: list[NodeUseOut]


class JobRow(Wire):
    id: str = Field(description="`123`, or `123_7` for a task of an array.")
    name: str
    state: str = Field(description="Slurm's name of the state.")
    reason: str | None = Field(description="Why it is pending, in words.")
    reason_code: str | None
    partition: str
    account: str
    qos: str
    nodes: int
    node_list: str
    gpus: int
    gpu_type: str | None
    cpus: int
    memory_mib: int | None = Field(description="Of the whole job.")
    walltime_s: int | None
    submitted_at: datetime | None
    started_at: datetime | None
    expected_start: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None
    exit_code: int | None
    signal: int | None
    end: JobEndOut | None
    array: ArrayOut | None
    efficiency: EfficiencyOut | None
    usage: JobUsageOut | None
    from_portal: bool
    notify: bool = Field(description="Whether its owner is notified when it starts and ends.")


class JobPage(Wire):
    items: list[JobRow]
    next: str | None = Field(description="Pass as `before` for the next page; null at the end.")
    as_of: datetime | None = Field(description="When the Slurm snapshot behind it was taken.")


class TaskPage(Wire):
    items: list[JobRow]
    next: int | None = Field(description="Pass as `after` for the next page; null at the end.")


class TaskOut(JobRow):
    """One task of an array."""

    stdout: str | None = Field(description="File of its output; null while unknown.")
    stderr: str | None


class JobEventOut(Wire):
    at: datetime
    text: str


class JobDetail(JobRow):
    script: str | None = Field(description="Null for a job that was not submitted here.")
    script_missing: str | None = Field(description="Why there is no script; null if there is one.")
    workdir: str | None
    stdout: str | None = Field(description="File of its output, for an array with its patterns; null while unknown.")
    stderr: str | None
    dependencies: list[str]
    shards_per_node: int = Field(0, description="Shards of a GPU that its script asks for on each node.")
    mps_per_node: int = Field(0, description="Percent of a GPU by MPS that its script asks for on each node.")
    exclusive: bool = Field(False, description="Whether its script asks for whole nodes.")
    constraint: str | None = Field(None, description="Features that its script asks for: `a100&nvme`.")
    licenses: str | None = Field(None, description="Licences that its script asks for: `matlab:2,ansys`.")
    wckey: str | None = None
    events: list[JobEventOut]
    actions: list[Action] = Field(description="Actions that are possible now.")
    recorded: bool = Field(True, description="False just after submitting, until the portal has recorded the job.")


class SubmissionOut(Wire):
    """A submission: recorded before the job is submitted, and kept while its job is unknown."""

    id: str
    name: str | None = Field(description="The job's name; null if the script sets none.")
    state: SubmissionState = Field(description="`open`: its job is being looked for.")
    at: datetime
    job_id: str | None
    script: str = Field(description="Empty once its job is known; then the job has it.")
    workdir: str | None
    text: str = Field(description="What is known about it, in a sentence.")


class SubmissionPage(Wire):
    items: list[SubmissionOut]


class Correction(Wire):
    """A proposed change to the form, and the reason."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)

    field: str
    before: int | str | None = Field(alias="from")
    after: int | str | None = Field(alias="to")
    why: str


class AgainOut(Wire):
    """The job as a form and a script to submit again, with corrections applied."""

    form: JobForm
    script: str
    kept: list[str] = Field(description="Lines of the script that the form has no field for, as returned by `parse`.")
    workdir: str | None
    corrections: list[Correction]


class ActionIn(Wire):
    ids: Annotated[list[JobRef], Field(min_length=1, max_length=500)]
    action: Action
    walltime_s: Annotated[int, Field(ge=60, le=31_536_000)] | None = Field(
        None, description="For `time_limit`: the new time limit, at most the current one."
    )


class ActionResult(Wire):
    id: str
    ok: bool
    changed: bool = Field(description="False if the action failed, or the job had already ended.")
    message: str


class ActionsOut(Wire):
    results: list[ActionResult]


# --- output ---


OutputFile = Literal["stdout", "stderr"]


class OutputOut(Wire):
    """A piece of a job's output; offsets in bytes. Empty if the file does not exist yet."""

    text: str
    offset: int
    next_offset: int
    size: int
    path: str


class JobsChange(Wire):
    """`event: jobs`: your changed rows, and ids that have left the queue."""

    items: list[JobRow]
    gone: list[str]
