"""API schemas of sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, IPvAnyAddress, StrictBool

from portal.agent_jobs import Hello
from portal.gpus.schemas import MOST_MIB, GpuUse, Percent
from portal.moment import Moment
from portal.one_line import OneLine
from portal.policy.request import ResourceRequest, Resources
from portal.sessions.models import SessionState

#: Ten thousand cores: more than any node has, and safe for every column and sum.
MOST_CPU_PERCENT = 1_000_000
MOST_COUNT = 100_000
MOST_SECONDS = 1 << 31


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NextStart(Wire):
    """What to offer first after an end: a start that differs where this one failed, the log, or the form."""

    kind: Literal["same", "more_time", "more_memory", "larger_gpu", "other_node", "log", "edit"]
    walltime_s: int | None = None
    memory_mib: int | None = None
    gpu_type: str | None = None
    partition: str | None = None
    avoid: str | None = Field(None, description="The node that the next session must not get.")


class EndOut(Wire):
    """How a session ended: a stable code, a sentence, and what to do next."""

    code: str
    text: str
    advice: str | None
    exit_code: int | None
    next: NextStart
    seen: bool = Field(description="Whether you have seen it, or chose not to be shown it on top any more.")


class QueueOut(Wire):
    """Position in the queue among the partition's pending jobs, by Slurm's priority."""

    position: int
    of: int
    order: str = Field(description="Why the jobs ahead are ahead, and what the priority consists of, in words.")
    expected_start: datetime | None


Rate = Annotated[float, Field(ge=0, le=MOST_MIB * 1024, allow_inf_nan=False)]


class Activity(Wire):
    """Signs of work since the last report; null: not known."""

    kernels: int | None = Field(None, ge=0, le=MOST_COUNT, description="Jupyter's running kernels.")
    kernels_busy: int | None = Field(None, ge=0, le=MOST_COUNT)
    kernel_busy_percent: Percent | None = Field(None, description="How much of the time any kernel was busy.")
    programs: int | None = Field(None, ge=0, le=MOST_COUNT, description="Programs that run in terminals.")
    quiet_s: float | None = Field(
        None,
        ge=0,
        le=MOST_SECONDS,
        allow_inf_nan=False,
        description="Seconds since somebody ran a cell, typed in a terminal or used the app.",
    )
    disk_kib_s: Rate | None = Field(None, description="Read and written by its processes.")
    network_kib_s: Rate | None = Field(None, description="Carried by its user's connections on the node.")


class OpenPort(Wire):
    """A port on which a program of the session listens."""

    port: int = Field(ge=1024, le=65535)
    process: Annotated[str, OneLine] = Field("", max_length=64, description="The program's name.")


class UsageOut(Wire):
    """Measured use of a running session; CPU in percent of one core."""

    at: datetime
    cpu_percent: float | None
    memory_mib: int | None
    gpus: list[GpuUse]
    memory_kills: int | None = Field(
        None, description="Processes killed so far because the session ran out of memory; null: not known."
    )
    memory_killed_at: datetime | None = Field(None, description="When the last of them was killed.")
    activity: Activity | None = None
    gpu_problems: list[str] = Field(default_factory=list, description="What is wrong with its GPUs, in words.")
    ports: list[OpenPort] = Field(default_factory=list, description="Where programs of the session listen.")


class IdleOut(Wire):
    """A session that was found idle, and what its owner can do."""

    since: datetime = Field(description="Since when it has done nothing.")
    ends_at: datetime | None = Field(description="When it will be ended unless it works again; null: it will not be.")
    snoozes_left: int
    snooze_minutes: int = Field(description="How long one snooze puts it off.")


class ImageBrief(Wire):
    """The container image that a session runs in, to reproduce it later."""

    title: str
    reference: str | None
    path: str
    digest: str | None


class SessionOut(Wire):
    id: str
    revision: int = Field(description="Grows with each change: of two answers, the higher one is newer.")
    name: str
    owner: str
    app: str
    app_title: str
    environment: str
    environment_title: str
    environment_version: str | None = Field(description="Its version when the session was requested.")
    image: ImageBrief | None
    options: dict[str, str | bool] = Field(description="Values of the app's options.")
    modules: list[str]
    template: str | None = Field(description="The template that it was started from.")
    preset: str | None = Field(description="The preset that it was started from.")
    state: SessionState
    reason: str | None = Field(description="Why it is queued, or how it ended, in words.")
    reason_code: str | None = Field(description="Slurm's code for it.")
    job_id: int | None
    node: str | None
    url: str | None = Field(description="Path to open; set when the session is ready.")
    ports_url: str | None = Field(
        description="Where its ports open: append `8501/`. null: it is not ready, or the site has switched it off."
    )
    server_name: str
    resources: Resources
    created_at: datetime
    queued_at: datetime | None
    started_at: datetime | None
    ready_at: datetime | None
    ends_at: datetime | None
    ended_at: datetime | None
    end: EndOut | None
    queue: QueueOut | None = Field(description="null: it has no position in the queue, for example because it is held.")
    suspended: bool = Field(description="Whether Slurm has suspended its job; it goes on when Slurm resumes it.")
    usage: UsageOut | None
    used_at: datetime | None = Field(description="When it was last used, according to JupyterHub.")
    idle: IdleOut | None = Field(None, description="Set while its owner is warned that it is idle.")
    progress: int = Field(ge=0, le=100)


class SessionPage(Wire):
    items: list[SessionOut]
    next: str | None = Field(description="Pass as `before` for the next page; null at the end.")
    as_of: datetime | None = Field(description="When the Slurm snapshot behind it was taken.")


class EventOut(Wire):
    seq: int
    at: datetime
    stage: str
    message: str
    progress: int
    state: SessionState


class TimeLimit(Wire):
    walltime_s: int = Field(ge=60, le=31_536_000, multiple_of=60, description="In all, from the session's start.")


class MoreTime(Wire):
    """Time to add to a session, and why not; null: it may be added now."""

    seconds: int
    why_not: str | None


class MoreTimes(Wire):
    choices: list[MoreTime]


class ProblemOut(Wire):
    field: str
    message: str


class AlternativeOut(Wire):
    """Another request that would start now."""

    resources: Resources
    text: str = Field(description="How it differs from the request.")


class WaitRange(Wire):
    """9 of 10 recent jobs like it waited that long: of this partition, with a similar number of GPUs and queue."""

    least_s: int
    most_s: int
    count: int = Field(description="How many jobs like it there were.")


class EstimateOut(Wire):
    """When a session that waits will probably start."""

    wait: WaitRange | None = Field(description="By recent jobs like it; null with too few.")
    ahead_by: datetime | None = Field(description="When Slurm plans to start the last job ahead, by time limits.")


class SeenIn(Wire):
    seen: StrictBool


class ChangeRequest(Wire):
    """What a waiting session shall ask for instead; what is left out stays as it is."""

    resources: ResourceRequest
    new_job: bool = Field(
        False, description="Whether a new job may take over where Slurm cannot change the one in the queue."
    )


class ChangeCheck(Wire):
    """What a change would do, without making it."""

    ok: bool
    problems: list[ProblemOut]
    resources: Resources | None
    how: Literal["nothing", "in_place", "new_job"]
    place: str = Field(description="What it does to the position in the queue, in words.")
    starts: Literal["now", "later", "unknown"]
    starts_text: str


class CheckOut(Wire):
    """What a session would get, without starting it."""

    ok: bool
    problems: list[ProblemOut]
    warnings: list[ProblemOut] = Field(description="Possible mistakes, worth a look.")
    resources: Resources | None
    summary: str
    starts: Literal["now", "later", "unknown"]
    starts_text: str
    estimate: EstimateOut | None
    alternatives: list[AlternativeOut] = Field(description="Up to three other requests that would start now.")


class LogOut(Wire):
    """A piece of a session's log; offsets in bytes."""

    text: str
    offset: int
    next_offset: int
    size: int


# --- between the Hub's spawner and the portal ---


class HubStart(Wire):
    username: str = Field(max_length=255)
    server_name: Annotated[str, Field(pattern=r"^[a-z0-9-]{0,30}$")]
    session: Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")] | None = None
    """The id for the session that this start makes. A repeated start makes no second session."""
    user_options: dict[str, object]
    display_name: str = Field("", max_length=255)
    env: dict[str, str]
    api_token: str = Field(max_length=255)
    oauth_client_id: str = Field("", max_length=511)
    base_url: str = Field(max_length=511)
    address: str = Field("", max_length=64)
    """Of whoever started it at the Hub; empty if the Hub did so by itself."""


class HubStarted(Wire):
    session_id: str
    api_token: str


class EndBrief(Wire):
    code: str
    text: str


class HubWait(Wire):
    state: SessionState
    url: str | None
    ended: EndBrief | None
    events: list[EventOut]


class HubAlive(Wire):
    sessions: dict[str, int | None]


class HubNodeGpus(Wire):
    most: int | None


class HubStop(Wire):
    reason: str = Field("", max_length=1000)


# --- between the agent in the job and the portal ---


class AgentHello(Hello):
    node: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$", max_length=255)] = ""
    host: str = Field("", max_length=255)
    pid: int | None = Field(None, ge=1, le=1 << 31)
    gpus: str | None = Field(None, max_length=1024)
    onlookers: bool = False
    """Whether the agent keeps guests who only look from doing anything."""
    again: bool = False
    """Whether the portal has asked for this hello; the agent has its launch already."""


class AgentProgress(Wire):
    message: Annotated[str, OneLine] = Field(max_length=500)


class AgentReady(Wire):
    ip: IPvAnyAddress
    port: int = Field(ge=1, le=65535)


class AgentReport(Wire):
    cpu_percent: float | None = Field(None, ge=0, le=MOST_CPU_PERCENT, allow_inf_nan=False)
    memory_mib: int | None = Field(None, ge=0, le=MOST_MIB)
    gpus: list[GpuUse] = Field(default_factory=list, max_length=64)
    connections: int | None = Field(None, ge=0, le=1 << 31)
    memory_kills: int | None = Field(None, ge=0, le=1 << 31)
    memory_killed_at: Moment | None = None
    activity: Activity | None = None
    ports: list[OpenPort] | None = Field(None, max_length=64)


class AgentOrders(Wire):
    """What the portal wants of a session: whether to end, and when it ends at the latest."""

    stop: bool
    ends_at: datetime | None
    idle_ends_at: datetime | None
    """When the idle policy ends it, unless somebody uses it."""


class AgentEnded(Wire):
    exit_code: int | None = Field(None, ge=-255, le=255)
    signal: int | None = Field(None, ge=0, le=127)
    code: Literal["finished", "app_failed", "no_jupyter", "no_program", "start_timeout", "oom", "time_limit", "stopped"]
    text: Annotated[str, OneLine] = Field("", max_length=2000)
    lacks: Annotated[str, OneLine] = Field("", max_length=255)
    """The program that was not in the environment."""
    log_tail: str = Field("", max_length=8192)
