"""What an agent reports of one GPU, of a session or of a batch job."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.one_line import OneLine

#: A pebibyte, and more watts and joules than any node has: safe for every column and sum.
MOST_MIB = 1 << 30
MOST_WATTS = 100_000
MOST_JOULES = 1 << 40

Percent = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Traffic = Annotated[float, Field(ge=0, le=MOST_MIB, allow_inf_nan=False)]
Watts = Annotated[float, Field(ge=0, le=MOST_WATTS, allow_inf_nan=False)]
Xid = Annotated[int, Field(ge=0, le=100_000)]
SlowedBy = Literal["heat", "power_brake", "hardware"]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GpuProcess(Wire):
    """One of the session's or job's processes on a GPU."""

    pid: int = Field(ge=1, le=1 << 31)
    name: Annotated[str, OneLine] = Field("", max_length=128)
    memory_mib: int | None = Field(None, ge=0, le=MOST_MIB, description="null: the driver does not report it.")


class GpuUse(Wire):
    """A GPU or MIG instance since the last report; null: the driver does not report it."""

    index: int = Field(ge=0, le=1024)
    uuid: Annotated[str, Field(pattern=r"^[A-Za-z0-9_./:-]*$", max_length=96)] = ""
    name: Annotated[str, OneLine] = Field("", max_length=128)
    utilization: Percent | None = Field(None, description="Mean, in percent: how much of the time it did anything.")
    utilization_peak: Percent | None = Field(None, description="Highest reading.")
    sm_percent: Percent | None = Field(
        None, description="How many of its multiprocessors were busy, as a mean. From Hopper on, as the next three."
    )
    bandwidth_percent: Percent | None = Field(None, description="How much of its memory bandwidth was used, as a mean.")
    pcie_mib_s: Traffic | None = Field(None, description="Over PCIe, both directions.")
    nvlink_mib_s: Traffic | None = Field(None, description="Over NVLink, both directions.")
    memory_used_mib: int | None = Field(None, ge=0, le=MOST_MIB, description="At the last reading.")
    memory_peak_mib: int | None = Field(None, ge=0, le=MOST_MIB)
    memory_total_mib: int | None = Field(None, ge=0, le=MOST_MIB)
    power_w: Watts | None = Field(None, description="Mean.")
    power_peak_w: Watts | None = None
    energy_j: int | None = Field(None, ge=0, le=MOST_JOULES, description="Since the first report.")
    xids: list[Xid] = Field(default_factory=list, max_length=8, description="Xid errors since then, the last ones.")
    slowed_percent: Percent | None = Field(None, description="How much of the time heat or power slowed its clocks.")
    slowed_by: SlowedBy | None = None
    processes: list[GpuProcess] = Field(
        default_factory=list, max_length=16, description="Those with most memory first."
    )
