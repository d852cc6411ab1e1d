"""Request and response bodies of presets."""

from __future__ import annotations

from typing import Annotated

from annotated_types import MinLen
from pydantic import BaseModel, ConfigDict, Field

from portal.one_line import OneLine
from portal.policy.request import NAME_LENGTH, SessionRequest

#: The length is that of the name as sent, as the API describes it; of control characters alone nothing is left.
PresetName = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, pattern=r"\S"), OneLine, MinLen(1)]


class SessionPresetIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: PresetName
    request: SessionRequest


class SessionPresetRename(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: PresetName


class SessionPresetOut(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int | None = Field(description="Null for a preset of the site.")
    name: str
    request: SessionRequest


class SessionPresetList(BaseModel):
    """Your own presets by name, then those that the site shares with you."""

    items: list[SessionPresetOut]
