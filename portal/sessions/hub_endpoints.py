"""HTTP for the Hub's spawner alone: a server's session, its address, and whether it is active."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Query

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import HubOnly
from portal.errors import PortalError
from portal.events.dependencies import EventBus
from portal.numbers import RowNumber
from portal.placement.view import cluster_view
from portal.routing import BodyLimit, Router, takes
from portal.sessions import endings
from portal.sessions.dependencies import SessionRecords, Sessions
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import EndBrief, HubAlive, HubNodeGpus, HubStart, HubStarted, HubStop, HubWait
from portal.sessions.store import SessionStore
from portal.sessions.view import render_event
from portal.slurm.dependencies import SlurmWatcher

router = Router(prefix="/internal", include_in_schema=False, dependencies=[HubOnly])

REMEMBERED = timedelta(hours=1)


@router.post("/start")
@takes(BodyLimit(256 << 10))
async def start(hub: HubStart, sessions: Sessions, audit: AuditLog) -> HubStarted:
    try:
        session_id, api_token = await sessions.attach(hub)
    except PortalError as error:
        await audit.record(
            actor=hub.username,
            action="session.start",
            target=hub.server_name,
            result=error.code,
            address=hub.address or "hub",
        )
        raise
    if "session" not in hub.user_options:  # started at the Hub, not handed over by one of our routes
        await audit.record(actor=hub.username, action="session.start", target=session_id, address=hub.address or "hub")
    return HubStarted(session_id=session_id, api_token=api_token)


@router.get("/sessions/{session_id}/wait")
async def wait(
    session_id: str,
    bus: EventBus,
    records: SessionRecords,
    after: RowNumber = 0,
    patience: Annotated[float, Query(alias="timeout", ge=0, le=60)] = 20.0,
) -> HubWait:
    """Answer at once if there are new events, else when there are, or after `timeout` seconds."""
    with bus.reader(lambda event: event.session == session_id and event.kind == "session") as reader:
        answer = await _look(records, session_id, after)
        if not answer.events and answer.url is None and answer.ended is None:
            try:
                await reader.next(patience)
            except TimeoutError:
                return answer
            answer = await _look(records, session_id, after)
        return answer


async def _look(records: SessionStore, session_id: str, after: int | None) -> HubWait:
    """Return the session as it is, with its events after the given one (None: without events)."""
    record, events = await records.progress(session_id, after)
    return HubWait(
        state=SessionState(record.state),
        url=record.server_url,
        ended=_ended(record),
        events=[render_event(event) for event in events],
    )


def _ended(record: SessionRecord) -> EndBrief | None:
    """For the Hub, a session that is stopping has ended: its server will not come back."""
    if record.state not in (SessionState.STOPPING, SessionState.ENDED):
        return None
    code = record.end_code or "stopped"
    return EndBrief(code=code, text=record.end_text or endings.words(code).text)


@router.get("/alive")
async def alive(records: SessionRecords) -> HubAlive:
    """Return every session: null while it is active, its exit code once it has ended."""
    ended: dict[str, int | None] = {
        session_id: exit_code or 0 for session_id, exit_code in await records.recently_ended(REMEMBERED)
    }
    return HubAlive(sessions=ended | {record.id: None for record in await records.active()})


@router.get("/node-gpus")
async def node_gpus(watcher: SlurmWatcher) -> HubNodeGpus:
    """Return how many GPUs the node with the most has, for the Hub's form; null until the nodes have been read."""
    snapshot = watcher.snapshot
    if not snapshot.knows_the_cluster:
        return HubNodeGpus(most=None)
    partitions = cluster_view(snapshot).partitions.values()
    return HubNodeGpus(most=max((partition.node_gpus for partition in partitions), default=0))


@router.post("/sessions/{session_id}/stop")
async def stop(
    session_id: str,
    stop: HubStop,
    bus: EventBus,
    records: SessionRecords,
    sessions: Sessions,
    audit: AuditLog,
    wait: Annotated[float, Query(ge=0, le=60)] = 0.0,
) -> HubWait:
    with bus.reader(lambda event: event.session == session_id and event.kind == "session") as reader:
        record = await records.get(session_id)
        unreached = record.state == SessionState.STARTING and record.server_url is not None
        record = await sessions.stop(session_id, code="hub_failed" if unreached else "stopped")
        while record.state != SessionState.ENDED and wait > 0:
            try:
                await reader.next(wait)
            except TimeoutError:
                break
            record = await records.get(session_id)
    await audit.record(actor=record.owner, action="session.stop", target=session_id, address="hub", reason=stop.reason)
    return await _look(records, session_id, None)
