"""HTTP routes for interactive sessions, for the web app and for scripts."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import Header, Query
from starlette.responses import StreamingResponse

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser, User
from portal.errors import Conflict, Forbidden, NotFound
from portal.events import sse
from portal.events.bus import Bus, Event
from portal.events.dependencies import EventBus
from portal.idempotency.dependencies import Idempotency
from portal.idempotency.service import IdempotencyKey
from portal.moment import Moment
from portal.numbers import Offset, RowNumber
from portal.policy.request import SessionRequest
from portal.routing import Router
from portal.sessions.dependencies import RenderSession, Requests, SessionChanges, SessionRecords, Sessions, SessionTime
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import (
    AlternativeOut,
    ChangeCheck,
    ChangeRequest,
    CheckOut,
    EstimateOut,
    LogOut,
    MoreTime,
    MoreTimes,
    ProblemOut,
    SeenIn,
    SessionOut,
    SessionPage,
    TimeLimit,
)
from portal.sessions.store import SessionStore
from portal.sessions.view import render_event
from portal.slurm.dependencies import Slurm, SlurmWatcher

router = Router(prefix="/sessions", tags=["sessions"])


async def _mine(records: SessionStore, session_id: str, user: User) -> SessionRecord:
    """Return the session if the caller may see it. Raises NotFound for another user's session, as for a missing one."""
    record = await records.get(session_id)
    if record.owner != user.username and not user.admin:
        raise NotFound(f"There is no session {session_id}.")
    return record


async def _own(records: SessionStore, session_id: str, user: User) -> SessionRecord:
    """Return the caller's own session. Raises as `_mine`, and Forbidden for an administrator."""
    record = await _mine(records, session_id, user)
    if record.owner != user.username:
        raise Forbidden("This session belongs to someone else.")
    return record


@router.post("/check")
async def check(ask: SessionRequest, user: CurrentUser, requests: Requests) -> CheckOut:
    """Check what a session would get, and whether anything prevents it, without starting it."""
    considered = await requests.check(user.username, ask)
    return CheckOut(
        ok=not considered.problems,
        problems=[ProblemOut(field=problem.field, message=problem.message) for problem in considered.problems],
        warnings=[ProblemOut(field=warning.field, message=warning.message) for warning in considered.warnings],
        resources=considered.resources,
        summary=considered.summary,
        starts=considered.starts,
        starts_text=considered.starts_text,
        estimate=EstimateOut.model_validate(considered.estimate, from_attributes=True) if considered.estimate else None,
        alternatives=[
            AlternativeOut(resources=alternative.resources, text=alternative.text)
            for alternative in considered.alternatives
        ],
    )


@router.post("", status_code=202, responses={409: {"description": "The server already has a session."}})
async def start(
    ask: SessionRequest,
    user: CurrentUser,
    records: SessionRecords,
    sessions: Sessions,
    render: RenderSession,
    keys: Idempotency,
    audit: AuditLog,
    key: IdempotencyKey,
) -> SessionOut:
    """Start a session. Policy fills in what is left out. If policy refuses, nothing is submitted.

    A second request with the same `Idempotency-Key` returns the same session.
    """
    async with keys.once(user.username, key) as made:
        if made is not None and (record := await records.known(made)) is not None:
            return render(record)
        async with audit.noted_with(user, "session.start", ask.app) as note:
            origin = "web" if user.csrf_token else "api"
            record = await sessions.start(user.username, ask, origin=origin, key=key, note=note)
    return render(record)


@router.get("")
async def page(
    user: CurrentUser,
    records: SessionRecords,
    render: RenderSession,
    watcher: SlurmWatcher,
    state: Literal["active", "ended", "unseen", "all"] = "all",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Moment | None = None,
) -> SessionPage:
    """List your sessions, newest first. `unseen`: those that ended badly, until you have seen how."""
    page = await records.page(user.username, states=state, limit=limit + 1, before=before)
    shown = page[:limit]
    return SessionPage(
        items=[render(record) for record in shown],
        next=shown[-1].created_at.isoformat() if len(page) > limit else None,
        as_of=watcher.snapshot.jobs_as_of,
    )


@router.get("/{session_id}")
async def show(session_id: str, user: CurrentUser, records: SessionRecords, render: RenderSession) -> SessionOut:
    """Return one of your sessions, as it is now."""
    return render(await _mine(records, session_id, user))


@router.delete("/{session_id}", status_code=202)
async def stop(
    session_id: str,
    user: CurrentUser,
    records: SessionRecords,
    sessions: Sessions,
    render: RenderSession,
    audit: AuditLog,
) -> SessionOut:
    """Stop a session, or cancel it if it has not started. Its job has ended once its state is `ended`."""
    record = await _mine(records, session_id, user)
    async with audit.noted(user, "session.stop", record.id, job=record.job_id, owner=record.owner):
        record = await sessions.stop(record.id, code="stopped" if record.owner == user.username else "stopped_by_admin")
    return render(record)


@router.put("/{session_id}/end-seen", responses={409: {"description": "It has not ended."}})
async def end_seen(
    session_id: str, asked: SeenIn, user: CurrentUser, records: SessionRecords, render: RenderSession
) -> SessionOut:
    """Say whether you have seen how your session ended. Repeating it is safe."""
    await _own(records, session_id, user)
    async with records.change(session_id) as draft:
        if not draft.is_over:
            raise Conflict("It has not ended.")
        draft.set(end_seen=asked.seen)
    return render(draft.record)


@router.get("/{session_id}/time-limit", responses={409: {"description": "It is not running."}})
async def more_time(session_id: str, user: CurrentUser, records: SessionRecords, own_time: SessionTime) -> MoreTimes:
    """List how much time you could add to your running session now; each says why if you cannot."""
    await _mine(records, session_id, user)
    choices = await own_time.choices(session_id, user.username)
    return MoreTimes(choices=[MoreTime(seconds=seconds, why_not=why) for seconds, why in choices])


@router.put("/{session_id}/time-limit", responses={409: {"description": "It is not running."}})
async def set_time(
    session_id: str,
    asked: TimeLimit,
    user: CurrentUser,
    records: SessionRecords,
    own_time: SessionTime,
    render: RenderSession,
    audit: AuditLog,
) -> SessionOut:
    """Set the time limit of your running session: more, if policy allows it, or less. Repeating it is safe."""
    record = await _mine(records, session_id, user)
    action = "session.extend" if asked.walltime_s >= record.walltime_s else "session.shorten"
    detail = {"job": record.job_id, "from_s": record.walltime_s, "to_s": asked.walltime_s}
    async with audit.noted(user, action, record.id, **detail):
        return render(await own_time.set(session_id, user.username, asked.walltime_s))


@router.post("/{session_id}/resources/check", responses={409: {"description": "It does not wait in the queue."}})
async def check_change(
    session_id: str, asked: ChangeRequest, user: CurrentUser, records: SessionRecords, changes: SessionChanges
) -> ChangeCheck:
    """Check what a change of your waiting session would give, and what it does to its position in the queue."""
    await _own(records, session_id, user)
    plan = await changes.plan(session_id, asked.resources)
    return ChangeCheck(
        ok=not plan.problems,
        problems=[ProblemOut(field=problem.field, message=problem.message) for problem in plan.problems],
        resources=plan.resources,
        how=plan.how,
        place=plan.place,
        starts=plan.starts,
        starts_text=plan.starts_text,
    )


@router.put("/{session_id}/resources", responses={409: {"description": "It does not wait, or it takes a new job."}})
async def change(
    session_id: str,
    asked: ChangeRequest,
    user: CurrentUser,
    records: SessionRecords,
    changes: SessionChanges,
    render: RenderSession,
    audit: AuditLog,
) -> SessionOut:
    """Change what your waiting session asks for. Repeating it is safe."""
    record = await _own(records, session_id, user)
    detail = {"job": record.job_id, **asked.resources.model_dump(exclude_unset=True)}
    async with audit.noted(user, "session.change", record.id, **detail):
        return render(await changes.make(session_id, asked.resources, new_job=asked.new_job))


@router.get("/{session_id}/events", response_class=StreamingResponse)
async def events(
    session_id: str,
    user: CurrentUser,
    bus: EventBus,
    records: SessionRecords,
    after: RowNumber = 0,
    last_event_id: Annotated[str, Header(max_length=64, description="As `after`.")] = "",
) -> StreamingResponse:
    """Follow one session (server-sent events): its past events, then new ones, until it has ended."""
    await _mine(records, session_id, user)
    heard = int(last_event_id) if re.fullmatch("[0-9]{1,15}", last_event_id) else 0
    return sse.stream(_follow(bus, records, session_id, max(after, heard)))


async def _follow(bus: Bus, records: SessionStore, session_id: str, after: int) -> AsyncIterator[str]:
    with bus.reader(lambda event: event.session == session_id) as reader:
        for past in await records.events(session_id, after):
            after = past.seq
            yield sse.encode(Event("progress", render_event(past).model_dump_json(), seq=past.seq))
        record = await records.get(session_id)
        if record.state != SessionState.ENDED:
            async for frame in sse.frames_of(reader, _steps):
                yield frame
                if frame.startswith("event: session") and f'"state":"{SessionState.ENDED.value}"' in frame:
                    break
        yield "event: end\ndata: {}\n\n"


def _steps(event: Event) -> Iterator[Event]:
    """Drop the event ids of changes: in this stream, ids number the session's steps."""
    yield replace(event, position=None)


@router.get("/{session_id}/log")
async def log(
    session_id: str,
    user: CurrentUser,
    records: SessionRecords,
    slurm: Slurm,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1_048_576)] = 65_536,
) -> LogOut:
    """Read a piece of the session's log. A negative offset counts from the end."""
    record = await _mine(records, session_id, user)
    piece = await slurm.read_log(record.owner, record.id, offset, limit)
    return LogOut(text=piece.text, offset=piece.offset, next_offset=piece.next_offset, size=piece.size)
