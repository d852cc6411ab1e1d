"""API schemas of usage."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.gpus.schemas import MOST_JOULES, MOST_MIB, Percent, SlowedBy, Watts, Xid
from portal.one_line import OneLine

By = Literal["user", "group", "account", "partition", "gpu_type", "month"]
MyBy = Literal["month", "account", "partition", "gpu_type"]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class GpuMetered(Wire):
    """What a GPU of a batch job has done since the job started; null: the driver does not report it."""

    index: int = Field(ge=0, le=1024)
    uuid: Annotated[str, Field(pattern=r"^[A-Za-z0-9_./:-]*$", max_length=96)]
    name: Annotated[str, OneLine] = Field(max_length=128)
    known_s: Seconds
    used_s: Seconds
    peak_percent: Percent | None = None
    memory_mib: int | None = Field(None, ge=0, le=MOST_MIB)
    memory_peak_mib: int | None = Field(None, ge=0, le=MOST_MIB)
    power_peak_w: Watts | None = None
    energy_j: int | None = Field(None, ge=0, le=MOST_JOULES)
    counted_s: Seconds = 0.0
    sm_s: Seconds = 0.0
    bandwidth_s: Seconds = 0.0
    slowed_s: Seconds = 0.0
    sm_peak_percent: Percent | None = None
    bandwidth_peak_percent: Percent | None = None
    slowed_by: SlowedBy | None = None
    xids: list[Xid] = Field(default_factory=list, max_length=8)


class Metered(Wire):
    """A report of a batch job's meter on one node."""

    job_id: int = Field(ge=1, le=(1 << 32) - 1)
    node: str = Field(min_length=1, max_length=255)
    gpus: list[GpuMetered] = Field(max_length=64)


class GpuTotalOut(Wire):
    """What a session or a job has done with one of its GPUs so far; null: not measured."""

    node: str
    index: int = Field(description="Its number within the job, on this node.")
    name: str
    uuid: str
    measured_s: float
    percent: float | None = Field(description="Mean utilization.")
    peak_percent: float | None = Field(description="Highest reading.")
    memory_mib: int | None = Field(description="What the GPU has.")
    memory_peak_mib: int | None
    power_peak_w: float | None
    energy_wh: float | None
    sm_percent: float | None = Field(
        description="How many of its multiprocessors were busy, as a mean. From Hopper on, as the next three."
    )
    sm_peak_percent: float | None = Field(description="The highest mean of a minute.")
    bandwidth_percent: float | None = Field(description="How much of its memory bandwidth was used, as a mean.")
    bandwidth_peak_percent: float | None = Field(description="The highest mean of a minute.")
    problems: list[str] = Field(description="Its Xid errors, and what slowed its clocks, in words.")
    as_of: datetime


class GpuTotalsOut(Wire):
    items: list[GpuTotalOut]
    energy_wh: float | None = Field(description="All of them together.")
    co2_g: float | None = Field(description="By the site's `usage.co2_g_per_kwh`; null: not set.")


class SourceOut(Wire):
    """The source of the figures, and whether they are current."""

    kind: Literal["accounting", "queue", "none"] = Field(
        description="`accounting`: Slurm's (sacct); `queue`: the portal's own record of the queue; `none`: nothing yet."
    )
    text: str = Field(description="The same in words.")
    since: datetime | None = Field(description="Start of the data.")
    read_to: datetime | None = Field(description="The figures cover the time until then.")
    failing_since: datetime | None = Field(description="When the accounting stopped answering.")


class Figures(Wire):
    """GPU-hours and CPU-hours allocated; of the GPU-hours, how many were used, unused, and not measured."""

    jobs: int = Field(description="Jobs that started in this time; each task of an array counts.")
    gpu_hours: float
    cpu_hours: float
    gpu_hours_used: float = Field(description="GPU-hours times GPU utilization, where it was measured.")
    gpu_hours_unused: float = Field(description="Measured, and idle.")
    gpu_hours_unknown: float = Field(description="Allocated, but not measured: they may have been used.")
    cpu_hours_used: float
    cpu_hours_unknown: float
    energy_kwh: float = Field(description="Of the GPUs alone, where it was measured.")
    co2_kg: float | None = Field(description="By the site's `usage.co2_g_per_kwh`; null: not set.")
    wait_median_s: int | None = Field(description="Half of the jobs waited at most this long; within 2.5 %.")
    wait_p95_s: int | None


class UsageRow(Figures):
    key: str = Field(description="A user, group, account, …; empty: none or unknown. A month is written 2026-11.")


class SeriesPoint(Wire):
    at: date = Field(description="A day, or the first of a month (UTC).")
    gpu_hours: float
    gpu_hours_used: float
    gpu_hours_unused: float
    cpu_hours: float


class JobUse(Wire):
    """A job with measured GPUs, and how much of them it left unused."""

    job_id: int
    session_id: str | None
    user: str
    partition: str
    gpus: int
    started_at: datetime
    ended_at: datetime | None
    gpu_hours: float
    gpu_hours_unused: float
    gpu_percent: float


class Advice(Wire):
    """What the user's figures mean, and what to do."""

    text: str
    hint: str


class Allowance(Wire):
    """This month's limit (UTC), and what counts towards it."""

    gpu_hours_used: float = Field(description="By sessions and batch jobs, this month (UTC).")
    gpu_hours_promised: float = Field(description="What sessions and jobs that have not ended may still use.")
    max_gpu_hours: int | None


class UsageReport(Wire):
    by: By
    first: date
    last: date
    source: SourceOut
    total: Figures
    rows: list[UsageRow] = Field(description="Most GPU-hours first; months in order.")
    more: int = Field(description="Number of rows left out here; the CSV has all.")
    step: Literal["day", "month"]
    series: list[SeriesPoint]
    wasteful: list[JobUse] = Field(description="The jobs with the most unused GPU-hours.")


class MyUsage(UsageReport):
    advice: list[Advice]
    allowance: Allowance


class FitOut(Wire):
    """What your last sessions like it used, and the memory that holds that with room to spare."""

    by: Literal["template", "preset", "environment"] = Field(
        description="What they have in common beside the app: the first of these by which enough was measured."
    )
    sessions: int
    peak_mib: int
    memory_mib: int


class LastUse(Wire):
    fit: FitOut | None = Field(description="null: too little was measured, or one of them ran out of memory.")


class SamplePoint(Wire):
    at: datetime
    cpu_percent: float | None = Field(description="Percent of one core.")
    memory_mib: float | None
    gpu_percent: float | None = Field(description="Mean over the session's GPUs.")
    gpu_memory_mib: float | None = Field(description="All its GPUs in total.")
    gpu_peak_percent: float | None = Field(description="Highest reading of any of its GPUs.")
    power_w: float | None = Field(description="All its GPUs in total.")
    kernel_busy_percent: float | None = Field(description="How much of the time any Jupyter kernel was busy.")
    sm_percent: float | None = Field(description="Mean of its GPUs' busy multiprocessors (SMs), from Hopper on.")
    bandwidth_percent: float | None = Field(description="Mean of its GPUs' used memory bandwidth, from Hopper on.")
    pcie_mib_s: float | None = Field(description="All its GPUs in total over PCIe, both directions, from Hopper on.")
    nvlink_mib_s: float | None = Field(description="The same over NVLink.")


class SessionUse(Wire):
    """What a session used over its life; times without samples have no point."""

    step_s: int = Field(description="Seconds between points; 0 while there are none.")
    items: list[SamplePoint]
    gpus: GpuTotalsOut
