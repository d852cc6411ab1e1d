"""Batch jobs."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Jobs(Section):
    keep_days: int = Field(365, ge=1, description="How long ended jobs are kept.")
    max_followers: int = Field(100, ge=1, description="Job outputs that all users together may follow at once.")
    max_followers_per_user: int = Field(8, ge=1, description="Job outputs that one user may follow at once.")
    meter: bool = Field(
        True,
        description="Whether jobs with GPUs that are submitted here meter them, by a step of their own: it takes one "
        "process per node, and replaces “not measured” in Usage.",
    )
    max_watched: int = Field(
        50, ge=1, description="Running jobs whose use is measured at once, each by a step in the job."
    )
    accounting_per_minute: float = Field(
        6.0, ge=1, description="Maximum calls of sacct per minute, with bursts of two."
    )
