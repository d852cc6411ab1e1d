"""Response bodies of the portal's health."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Health(BaseModel):
    """`ok` while the portal itself works; the state of other parts is separate."""

    ok: bool
    database: bool
    hub: bool
    slurm: str


class PartOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    title: str
    state: Literal["ok", "down", "unknown", "off"]
    since: datetime | None = Field(description="Since when it has been in this state, as far as the portal has seen.")
    message: str
    do: str = Field(description="What to do; empty if nothing.")
    checked_at: datetime | None
    took_ms: float | None


class Missing(BaseModel):
    """What does not work for users because `part` is down."""

    part: str
    text: str
    since: datetime | None


class MissingOut(BaseModel):
    items: list[Missing]


class CallsOut(BaseModel):
    """Calls of one Slurm program in the last five minutes."""

    model_config = ConfigDict(from_attributes=True)

    program: str
    per_minute: float
    median_ms: float
    slowest_ms: float
    failed: int


class HealthOut(BaseModel):
    at: datetime
    started_at: datetime
    parts: list[PartOut]
    calls_per_minute: float
    calls: list[CallsOut]
    readers: int = Field(description="Open event streams.")
    queue_as_of: datetime | None
    nodes_as_of: datetime | None
