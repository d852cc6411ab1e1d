"""Batch jobs."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Jobs(Section):
    keep_days: int = Field(365, ge=1, description="How long jobs that ended are remembered.")
    max_followers: int = Field(100, ge=1, description="Outputs followed at once, by everybody together.")
    max_followers_per_user: int = Field(8, ge=1, description="Outputs one user may follow at once.")
    max_watched: int = Field(
        50, ge=1, description="Running jobs whose use is watched at once; each is a step in its job."
    )
    accounting_per_minute: float = Field(
        6.0, ge=1, description="Most questions to accounting (sacct) a minute; two that were saved up come on top."
    )
