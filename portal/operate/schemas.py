"""API schemas of administrators' operations on the cluster."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, model_validator

from portal.moment import Moment
from portal.slurm.operator import JobAction

NodeName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$")]
JobId = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,9}(_[0-9]{1,9})?$")]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}$")]
MANY = 500


def _one_line(value: str) -> str:
    if not value.isprintable():
        raise ValueError("must not contain control characters or line breaks")
    if any(character in "\"'=`\\|" for character in value):
        raise ValueError("must not contain quotes, =, | or \\: Slurm interprets them")
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def _message(value: str) -> str:
    if not value.isprintable():
        raise ValueError("must not contain control characters or line breaks")
    return value.strip()


Reason = Annotated[str, Field(min_length=1, max_length=150), AfterValidator(_one_line)]
MessageText = Annotated[str, Field(max_length=500), AfterValidator(_message)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class AffectedJob(Wire):
    """A job on a node: its owner, and until when it may run."""

    id: int
    user: str
    name: str = Field(description="The session's name, or else the job's.")
    session_id: str | None
    gpus: int
    ends_at: datetime | None


class NodeRow(Wire):
    name: str
    state: str = Field(description="Slurm's state, such as `IDLE+DRAIN`.")
    available: bool
    draining: bool = Field(description="Takes no new jobs: an administrator or Slurm drained it.")
    reason: str
    partitions: list[str]
    gpus_total: int
    gpus_allocated: int
    gpu_types: list[str]
    cpus: int
    cpus_allocated: int
    memory_mib: int
    memory_allocated_mib: int
    load: float | None
    jobs: list[AffectedJob]


class NodeRows(Wire):
    items: list[NodeRow]
    as_of: datetime | None


class Drain(Wire):
    """Nodes to drain. Running jobs continue; their owners are notified."""

    nodes: Annotated[list[NodeName], Field(min_length=1, max_length=MANY)]
    reason: Reason
    deadline: Moment | None = Field(None, description="When users should be finished; announced, not enforced.")
    message: MessageText = Field("", description="Message to users with jobs there.")


class Resume(Wire):
    nodes: Annotated[list[NodeName], Field(min_length=1, max_length=MANY)]


class OperationResult(Wire):
    """What was done, and who was notified."""

    nodes: list[str]
    told: list[str]


class ReservationIn(Wire):
    name: Word
    starts_at: Moment | None = Field(None, description="Default: now.")
    minutes: Annotated[int, Field(ge=1, le=366 * 1440)]
    nodes: Annotated[list[NodeName], Field(max_length=MANY)] = Field(default_factory=list)
    all_nodes: StrictBool = Field(False, description="Instead of nodes: the whole cluster.")
    users: Annotated[list[Word], Field(max_length=MANY)] = Field(default_factory=list)
    accounts: Annotated[list[Word], Field(max_length=MANY)] = Field(default_factory=list)
    flags: list[Literal["MAINT", "IGNORE_JOBS", "FLEX", "DAILY", "WEEKLY"]] = Field(default_factory=list)
    gpus: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        None, description="Instead of nodes: whole nodes with this many GPUs in total."
    )
    gpu_type: Word | None = Field(None, description="With `gpus`: of this type.")

    @model_validator(mode="after")
    def _for_somebody(self) -> ReservationIn:
        if not self.users and not self.accounts:
            raise ValueError("Name the users or accounts that it is for")
        if [bool(self.nodes), self.gpus is not None, self.all_nodes].count(True) != 1:
            raise ValueError("Say which nodes: give exactly one of nodes, gpus and all_nodes")
        if self.gpu_type is not None and self.gpus is None:
            raise ValueError("Give the number of GPUs of this type")
        return self


class ReservationPatch(Wire):
    """What to change of a reservation; what is left out stays."""

    starts_at: Moment | None = Field(None, description="Slurm refuses it once the reservation has started.")
    ends_at: Moment | None = None
    nodes: Annotated[list[NodeName], Field(min_length=1, max_length=MANY)] | None = None
    users: Annotated[list[Word], Field(max_length=MANY)] | None = Field(None, description="Empty: no users are named.")
    accounts: Annotated[list[Word], Field(max_length=MANY)] | None = Field(
        None, description="Empty: no accounts are named."
    )

    @model_validator(mode="after")
    def _of_something(self) -> ReservationPatch:
        if not self.model_fields_set or all(value is None for _, value in self):
            raise ValueError("Give at least one field to change")
        if self.starts_at is not None and self.ends_at is not None and self.starts_at >= self.ends_at:
            raise ValueError("The end must be after the start")
        return self


class ReservationOut(Wire):
    name: str
    state: str
    starts_at: datetime | None
    ends_at: datetime | None
    nodes: str = Field(description="As a Slurm node list.")
    node_names: list[str]
    node_count: int
    users: list[str]
    accounts: list[str]
    flags: list[str]
    partition: str


class ReservationList(Wire):
    items: list[ReservationOut]


class QueueRow(Wire):
    """A pending or running job of any user."""

    id: str
    name: str = Field(description="The session's name, or else the job's.")
    user: str
    account: str
    partition: str
    qos: str
    state: str
    reason: str = Field(description="Why it is pending, in words.")
    nodes: str
    gpus: int
    cpus: int
    priority: int
    time_limit_s: int | None
    submitted_at: datetime | None
    started_at: datetime | None = Field(description="For a pending job, Slurm's estimate.")
    ends_at: datetime | None
    session_id: str | None


class QueueRows(Wire):
    items: list[QueueRow]
    total: int = Field(description="Number of matching jobs; `items` has the first of them.")
    as_of: datetime | None


class JobsAction(Wire):
    jobs: Annotated[list[JobId], Field(min_length=1, max_length=MANY)]
    action: JobAction
    walltime_s: Annotated[int, Field(ge=60, le=366 * 86_400)] | None = None
    priority: Annotated[int, Field(ge=1, le=(1 << 32) - 2)] | None = None

    @model_validator(mode="after")
    def _with_its_value(self) -> JobsAction:
        if self.action is JobAction.TIME_LIMIT and self.walltime_s is None:
            raise ValueError("A new time limit needs walltime_s")
        if self.action is JobAction.PRIORITY and self.priority is None:
            raise ValueError("A new priority needs priority")
        return self

    @property
    def value(self) -> int | None:
        if self.action is JobAction.TIME_LIMIT and self.walltime_s is not None:
            return -(-self.walltime_s // 60)
        return self.priority if self.action is JobAction.PRIORITY else None


class JobResult(Wire):
    id: str
    ok: bool
    message: str


class JobResults(Wire):
    results: list[JobResult]
