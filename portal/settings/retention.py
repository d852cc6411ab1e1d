"""How long the portal keeps old data."""

from __future__ import annotations

from pydantic import Field

from portal.settings.base import Section


class Retention(Section):
    sessions_days: int = Field(
        365, ge=0, le=36_500, description="Days to keep an ended session and its events. 0: forever."
    )
    events_days: int = Field(
        90,
        ge=0,
        le=36_500,
        description="Days to keep the events of sessions (their progress, line by line). 0: as long as the session.",
    )
    audit_days: int = Field(730, ge=0, le=36_500, description="Days to keep entries of the audit log. 0: forever.")
    notifications_days: int = Field(
        30, ge=0, le=36_500, description="Days to keep users' logs of mail and webhooks. 0: forever."
    )
    logs_days: int = Field(
        30,
        ge=0,
        le=36_500,
        description="Days to keep logs of sessions in users' homes; the user's next session deletes older ones. 0: "
        "forever.",
    )
