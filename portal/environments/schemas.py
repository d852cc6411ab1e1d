"""Request and response bodies of environments."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.environments.store import State


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EnvironmentOut(Wire):
    name: str
    title: str
    description: str
    version: str
    kind: Literal["path", "modules", "image"] = "path"
    own: bool = Field(False, description="Whether it is one of the caller's images.")
    installed: bool = Field(
        description="Whether sessions can use it now; also true while a newer version is being installed."
    )
    installable: bool = Field(description="Whether the portal can install it.")
    size_mb: int
    state: State = Field(description="State of the last installation.")
    message: str
    progress: int = Field(ge=0, le=100)
    reason: str | None = Field(None, description="Why sessions cannot use it now.")


class EnvironmentPage(Wire):
    items: list[EnvironmentOut]


class LabFilesOut(Wire):
    urls: list[str] = Field(
        description="Empty where sessions serve the files themselves, or a browser would not find them in its cache."
    )


class EnvironmentChange(Wire):
    """A step of an installation: the data of the event `environment`."""

    name: str
    state: State
    message: str
    progress: int
