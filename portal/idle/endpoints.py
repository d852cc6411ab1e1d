"""HTTP routes of the idle policy: an owner's snooze, and the administrators' dry run."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import AdminUser, CurrentUser
from portal.idle.report import DryRun
from portal.idle.schemas import IdleReport
from portal.idle.service import IdlePolicy
from portal.provided import provided
from portal.routing import Router
from portal.sessions.dependencies import RenderSession
from portal.sessions.schemas import SessionOut

router = Router(tags=["sessions"])

Idle = Annotated[IdlePolicy, provided(IdlePolicy)]
Dry = Annotated[DryRun, provided(DryRun)]


@router.post("/sessions/{session_id}/snooze", responses={409: {"description": "No end is announced."}})
async def snooze(session_id: str, user: CurrentUser, idle: Idle, render: RenderSession, audit: AuditLog) -> SessionOut:
    """Put off the warning that your session is idle. How often is limited."""
    async with audit.noted(user, "session.snooze", session_id):
        return render(await idle.snooze(session_id, user.username))


@router.get("/admin/idle/report", tags=["usage"])
async def report(
    _: AdminUser,
    dry: Dry,
    days: Annotated[int, Query(ge=1, le=31, description="How far back; samples are kept for `usage.raw_days`.")] = 7,
    after_minutes: Annotated[int | None, Query(ge=10, le=10_080)] = None,
    grace_minutes: Annotated[int | None, Query(ge=5, le=1440)] = None,
    while_others_wait: bool | None = None,
) -> IdleReport:
    """Report what the idle policy would have done in the last days: with the site's rule, or changes to it.

    No session is ended and nobody is notified. The report assumes that nobody snoozes.
    """
    return await dry.report(
        days, after_minutes=after_minutes, grace_minutes=grace_minutes, while_others_wait=while_others_wait
    )
