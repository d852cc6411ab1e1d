"""API schemas of templates."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.notebooks.difference import CellChange


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TemplateOut(Wire):
    id: str
    framework: str
    versions: str
    title: str
    description: str
    task: str
    environment: str | None = Field(description="Its kernel's environment; null: the one that serves Jupyter.")
    environment_title: str | None
    image: str = Field(description="A container image that has the framework; empty: none is needed.")
    available: bool = Field(description="Whether that environment is installed.")
    old: bool = Field(description="Whether the framework is no longer developed.")
    data: str
    gpus: int
    file: str = Field(description="Path in the user's folder `templates`.")
    minutes_cpu: float | None
    minutes_gpu: float | None
    tested: str
    not_run: str = Field(description="Why it could not be run; empty if it was run.")
    has_outputs: bool = Field(description="Whether its preview shows the outputs of that run.")


class TemplatePage(Wire):
    items: list[TemplateOut]


class CopyState(StrEnum):
    """How a user's copy compares to the site's version."""

    ABSENT = "absent"
    SAME = "same"
    OLDER = "older"
    """Unchanged copy of an older version; updated when a session starts."""
    CHANGED = "changed"
    """Changed by the user, and based on this version or compared with it."""
    OUTDATED = "outdated"
    """Changed by the user, and based on another version than the site's current one."""


class CopyOut(Wire):
    id: str
    state: CopyState


class CopyPage(Wire):
    items: list[CopyOut]


class DifferenceOut(Wire):
    id: str
    cells: list[CellChange]


class How(StrEnum):
    BRING = "bring"
    BESIDE = "beside"
    REPLACE = "replace"
    KEEP = "keep"


class PlaceIn(Wire):
    how: Literal[How.REPLACE, How.KEEP] = Field(
        description="`replace` keeps your copy under another name; `keep` marks this version as seen."
    )


class PlacedOut(Wire):
    file: str = Field(description="Path in the user's folder `templates`.")
    backup: str | None = Field(description="Where the user's own copy is now, if it was put aside.")


class OpenIn(Wire):
    session: str = Field(min_length=1, max_length=32, description="Id of one of your ready sessions.")
    version: Literal["mine", "new"] = Field(
        "mine", description="`new`: the site's version, placed beside your changed copy."
    )


class OpenOut(Wire):
    url: str = Field(description="Path that shows the notebook in that session.")
