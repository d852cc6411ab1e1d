"""HTTP routes for all users' sessions, for administrators.

Each action on a session has an entry in the audit log, even if refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import Query

from portal.audit.dependencies import AuditLog
from portal.audit.service import Audit, PendingEntry
from portal.auth.dependencies import AdminUser, User
from portal.errors import PortalError
from portal.moment import Moment
from portal.operate.dependencies import OperateSessions
from portal.operate.session_schemas import (
    ExtendSessions,
    MessageSessions,
    SessionResult,
    SessionResults,
    SessionRows,
    StopSessions,
)
from portal.routing import Router
from portal.sessions.dependencies import RenderSession, SessionLastUse, SessionRecords
from portal.sessions.store import SessionStore
from portal.slurm.dependencies import SlurmWatcher

router = Router(prefix="/admin/sessions", tags=["admin"])

#: How many sessions to act on at the same time: each may take a call to Slurm.
AT_ONCE = 8


@router.get("")
async def sessions(
    _: AdminUser,
    records: SessionRecords,
    render: RenderSession,
    watcher: SlurmWatcher,
    last_use: SessionLastUse,
    state: Literal["active", "ended", "all"] = "active",
    query: Annotated[str, Query(max_length=100, description="Part of an id, name, owner, app, node, ….")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
    before: Moment | None = None,
) -> SessionRows:
    """List sessions of all users, newest first."""
    page = await records.page(None, states=state, query=query, limit=limit + 1, before=before)
    shown = page[:limit]
    return SessionRows(
        items=[render(record) for record in shown],
        next=shown[-1].created_at.isoformat() if len(page) > limit else None,
        as_of=watcher.snapshot.jobs_as_of,
        use_unknown_since=last_use.silent_since,
    )


@router.post("/stop")
async def stop(
    asked: StopSessions, admin: AdminUser, operations: OperateSessions, records: SessionRecords, audit: AuditLog
) -> SessionResults:
    """Stop sessions of any user; each owner is told that an administrator did it."""
    return await _each(audit, records, admin, "session.stop", asked.sessions, operations.stop)


@router.post("/extend")
async def extend(
    asked: ExtendSessions, admin: AdminUser, operations: OperateSessions, records: SessionRecords, audit: AuditLog
) -> SessionResults:
    """Extend sessions. Each result names any limits or maintenance in the way, unless overridden."""

    async def act(session_id: str) -> str:
        return await operations.extend(admin.username, session_id, asked.seconds, beyond_limits=asked.beyond_limits)

    detail = {"seconds": asked.seconds, "beyond_limits": asked.beyond_limits}
    return await _each(audit, records, admin, "session.extend", asked.sessions, act, **detail)


@router.post("/message")
async def message(
    asked: MessageSessions, admin: AdminUser, operations: OperateSessions, records: SessionRecords, audit: AuditLog
) -> SessionResults:
    """Send the owners a message about their sessions. It appears on all of their pages and on the session's page."""

    async def act(session_id: str) -> str:
        return await operations.tell(admin.username, session_id, asked.text)

    return await _each(audit, records, admin, "session.message", asked.sessions, act, text=asked.text)


async def _each(
    audit: Audit,
    records: SessionStore,
    admin: User,
    action: str,
    sessions: list[str],
    act: Callable[[str], Awaitable[str]],
    **detail: object,
) -> SessionResults:
    """Apply an action to each session, a few at a time; one that fails does not hold up the others."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(session_id: str) -> SessionResult:
        async with turn:
            try:
                async with audit.noted(admin, action, session_id, **detail) as note:
                    await _about(records, session_id, note)
                    return SessionResult(id=session_id, ok=True, message=await act(session_id))
            except PortalError as error:
                return SessionResult(id=session_id, ok=False, message=error.message)

    return SessionResults(results=await asyncio.gather(*(one(each) for each in dict.fromkeys(sessions))))


async def _about(records: SessionStore, session_id: str, note: PendingEntry) -> None:
    """Record the session's owner in the audit log."""
    record = await records.get(session_id)
    note.detail |= {"owner": record.owner, "job": record.job_id}
