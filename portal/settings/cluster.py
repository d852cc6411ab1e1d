"""What the Cluster page shows, and how long its totals are kept."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator

from portal.settings.base import Section


class Cluster(Section):
    others: Literal["slurm", "jobs", "users", "nothing"] = Field(
        "slurm",
        description="What users see of each other's jobs: the owner and the job (`jobs`), the owner (`users`), or "
        "only that there is one (`nothing`). `slurm` means `nothing` if Slurm's PrivateData names jobs or users, "
        "else `jobs`. Administrators see everything.",
    )
    rack_feature: str = Field(
        "",
        description="A regular expression for the node feature that names its rack, such as `rack\\d+`; with it nodes "
        "are grouped by rack, without it by partition.",
    )
    history_days: int = Field(400, ge=2, description="How long the cluster's totals are kept.")
    node_history_days: int = Field(400, ge=1, description="How long the history of the nodes is kept.")

    @field_validator("rack_feature")
    @classmethod
    def _pattern(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression: {error}") from error
        return value
