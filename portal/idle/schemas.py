"""API schemas of the idle policy."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RuleOut(Wire):
    action: str
    after_minutes: int
    grace_minutes: int
    while_others_wait: bool
    text: str = Field(description="The rule in words.")


class OwnerRow(Wire):
    owner: str
    sessions: int
    warned: int = Field(description="Sessions that would have been warned.")
    ended: int
    gpu_hours_back: float
    came_back: int = Field(description="Sessions in which the owner worked again after the end would have come.")


class EndedRow(Wire):
    """A session that would have been ended."""

    id: str
    name: str
    owner: str
    gpus: int
    warned_at: datetime
    ended_at: datetime
    gpu_hours_back: float
    worked_at: datetime | None = Field(description="When it next worked after that; null: never.")


class IdleReport(Wire):
    """What the idle policy would have done with the sessions of the last days."""

    rule: RuleOut
    since: datetime
    recorded_days: int = Field(description="For how long single samples are kept (`usage.raw_days`).")
    sessions: int = Field(description="Sessions with GPUs whose use was recorded.")
    exempt: int
    warned: int
    cleared: int = Field(description="Warnings after which the session worked again in time.")
    ended: int
    came_back: int
    gpu_hours: float = Field(description="Recorded GPU-hours of these sessions.")
    gpu_hours_unknown: float = Field(description="Of these, with a measure missing: they count as work.")
    gpu_hours_back: float
    owners: list[OwnerRow] = Field(description="Most GPU-hours first.")
    ends: list[EndedRow] = Field(description="Most GPU-hours first, at most 200.")
