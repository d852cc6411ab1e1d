"""API schemas of administrators' operations on sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StrictBool

from portal.operate.schemas import MANY, MessageText, Wire
from portal.sessions.schemas import SessionOut

SessionId = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
Chosen = Annotated[list[SessionId], Field(min_length=1, max_length=MANY)]


class SessionRows(Wire):
    """Sessions of all users, newest first."""

    items: list[SessionOut]
    next: str | None = Field(description="Pass as `before` for the next page; null at the end.")
    as_of: datetime | None = Field(description="When the Slurm snapshot behind it was taken.")
    use_unknown_since: datetime | None = Field(
        description="When JupyterHub, which knows when sessions were last used, stopped answering; null while it "
        "answers."
    )


class StopSessions(Wire):
    sessions: Chosen


class ExtendSessions(Wire):
    sessions: Chosen
    seconds: Annotated[int, Field(ge=60, le=31 * 86_400, multiple_of=60)] = Field(description="How much time to add.")
    beyond_limits: StrictBool = Field(
        False, description="Extend even past the owner's and the partition's limits, or into planned maintenance."
    )


class MessageSessions(Wire):
    sessions: Chosen
    text: Annotated[MessageText, Field(min_length=1)]


class SessionResult(Wire):
    """The result for one session: done, or why not."""

    id: str
    ok: bool
    message: str


class SessionResults(Wire):
    results: list[SessionResult]
