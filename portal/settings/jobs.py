"""Batch jobs."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Jobs(Section):
    keep_days: int = Field(365, ge=1, description="How long jobs that ended are remembered.")
    max_followers: int = Field(100, ge=1, description="Outputs followed at once, by everybody together.")
    max_followers_per_user: int = Field(8, ge=1, description="Outputs one user may follow at once.")
