"""Response bodies of environment modules."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModuleOut(Wire):
    """A module: a session names it by `name/version`, or by the name alone if there are no versions."""

    name: str
    versions: list[str] = Field(description="Newest first.")
    default: str | None = Field(description="The version that the name alone stands for.")
    description: str


class ModulePage(Wire):
    items: list[ModuleOut]
    as_of: datetime | None = Field(description="When the list was read; null if it has not been read or is not kept.")
