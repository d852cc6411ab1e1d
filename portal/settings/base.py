"""What every section of `portal.toml` has in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
