"""How long the portal keeps old data."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Retention(Section):
    sessions_days: int = Field(
        365, ge=0, le=36_500, description="Days that a session is kept after its end, with its events. 0: for ever."
    )
    events_days: int = Field(
        90,
        ge=0,
        le=36_500,
        description="Days that the events of sessions are kept (their progress, line by line). 0: "
        "as long as the session.",
    )
    audit_days: int = Field(730, ge=0, le=36_500, description="Days that audit records are kept. 0: for ever.")
    logs_days: int = Field(
        30,
        ge=0,
        le=36_500,
        description="Days that logs of sessions are kept in users' homes; the next session of the "
        "user deletes them. 0: for ever.",
    )
