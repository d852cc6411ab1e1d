"""Request and response bodies of announcements."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, field_validator, model_validator

from portal.announcements.models import AnnouncementKind
from portal.moment import Moment
from portal.policy.request import SlurmName

TEXT_LENGTH = 500
State = Literal["planned", "shown", "under_way", "over"]


class AnnouncementIn(BaseModel):
    """A new or changed announcement; shown at once without `shown_from`, until ended by hand without `ends_at`."""

    model_config = ConfigDict(extra="forbid")

    kind: AnnouncementKind = AnnouncementKind.NOTICE
    text: Annotated[str, Field(min_length=1, max_length=TEXT_LENGTH)]
    partitions: Annotated[list[SlurmName], Field(max_length=100)] = Field(
        default_factory=list, description="The affected partitions; empty: all."
    )
    on_login: StrictBool = Field(True, description="Also shown on the login page, to anyone who opens it.")
    shown_from: Moment | None = None
    starts_at: Moment | None = Field(None, description="For maintenance: when sessions must have ended.")
    ends_at: Moment | None = None

    @field_validator("text")
    @classmethod
    def _plain(cls, value: str) -> str:
        if any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in value):
            raise ValueError("must not contain control characters or line breaks")
        if not value.strip():
            raise ValueError("must not be empty")
        return value.strip()

    @model_validator(mode="after")
    def _in_order(self) -> AnnouncementIn:
        if self.kind is AnnouncementKind.MAINTENANCE:
            if self.starts_at is None or self.ends_at is None:
                raise ValueError("Maintenance needs both a start and an end")
            if self.starts_at >= self.ends_at:
                raise ValueError("The end must be after the start")
        elif self.starts_at is not None:
            raise ValueError("Only maintenance takes a start time; use shown_from instead")
        if self.shown_from is not None and self.ends_at is not None and self.shown_from >= self.ends_at:
            raise ValueError("The end must be after the time it is first shown")
        return self


class AnnouncementOut(BaseModel):
    """An announcement as everybody sees it."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)

    id: int
    kind: AnnouncementKind
    text: str
    partitions: list[str]
    starts_at: datetime | None
    ends_at: datetime | None


class AnnouncementList(BaseModel):
    items: list[AnnouncementOut]


class AnnouncementRow(AnnouncementOut):
    """An announcement with the fields for administrators."""

    on_login: bool
    shown_from: datetime
    created_by: str
    created_at: datetime
    withdrawn_at: datetime | None
    state: State


class AnnouncementRows(BaseModel):
    items: list[AnnouncementRow]


class AffectedOut(BaseModel):
    """A session that a maintenance would cut short."""

    id: str
    name: str
    owner: str
    partition: str
    ends_at: datetime | None


class AffectedJobOut(BaseModel):
    """A running batch job that a maintenance would cut short, or a waiting one that it might."""

    id: str
    name: str
    owner: str
    partition: str
    running: bool
    ends_at: datetime | None


class AffectedList(BaseModel):
    """What planned maintenance would cut short: all sessions, and the first few batch jobs."""

    items: list[AffectedOut]
    jobs: list[AffectedJobOut]
    jobs_total: int
