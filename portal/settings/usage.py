"""Which use of the cluster is recorded, and for how long."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from portal.settings.base import Section

GpuLabels = Literal["off", "jobs", "jobs and users"]


class Usage(Section):
    gpu_metrics: GpuLabels = Field(
        "jobs",
        description="Whether `/metrics` has the GPUs in use, and whether it names their users: `off`, `jobs` or "
        "`jobs and users`.",
    )
    sample_s: int = Field(
        60, ge=10, le=600, description="Seconds between two samples of each session's CPU, memory and GPUs."
    )
    raw_days: int = Field(2, ge=1, le=31, description="How long all samples are kept; after that, one per hour.")
    hourly_days: int = Field(400, ge=2, description="How long hourly samples are kept.")
    read_every_s: int = Field(
        300,
        ge=10,
        le=3600,
        description="How often Slurm's accounting is read (sacct); while the queue does not change, once a minute "
        "at most.",
    )
    first_days: int = Field(400, ge=1, le=3660, description="How far back the first reading of the accounting goes.")
    co2_g_per_kwh: float | None = Field(
        None,
        ge=0,
        le=5000,
        allow_inf_nan=False,
        description="Grams of CO₂ for each kWh, of the site's power contract or grid; unset: no CO₂ is shown.",
    )
    keep_days: int = Field(
        800, ge=31, description="How long figures per job are kept; figures per day are kept forever."
    )
