"""What goes over the wire about environment modules."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModuleOut(Wire):
    """One module: `name/version` is what a session names, or the name alone where there are no versions."""

    name: str
    versions: list[str] = Field(description="Newest first.")
    default: str | None = Field(description="The version that the name alone stands for.")
    description: str


class ModulePage(Wire):
    items: list[ModuleOut]
    as_of: datetime | None = Field(description="When the list was read; null while it has not been, or is not kept.")
