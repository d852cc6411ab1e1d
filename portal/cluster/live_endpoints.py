"""HTTP of the Cluster page: the picture of the nodes, its stream of differences, the queue, details, totals."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response, StreamingResponse

from portal.auth.dependencies import CurrentUser, PortalContext, User
from portal.cluster.live_schemas import (
    ClusterJobDetail,
    ClusterJobsOut,
    HistoryOut,
    NodeDetail,
    PictureOut,
    QueueBrief,
    Span,
    TotalsOut,
)
from portal.cluster.live_view import job_detail, job_out, mine, node_detail
from portal.cluster.queue import Asked, States
from portal.cluster.visibility import Eyes, eyes_of
from portal.cluster.wire import GZIP_HEAD, Piece, event
from portal.context import Portal
from portal.errors import NotFound, SlurmUnavailable
from portal.events import sse
from portal.numbers import RowNumber
from portal.routing import Router

router = Router(prefix="/cluster", tags=["cluster"])

Filter = Annotated[str, Query(max_length=255)]
Packed = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


@router.get("", response_model=PictureOut)
async def picture(_: CurrentUser, request: Request, portal: PortalContext) -> Response:
    """Return every node as it is now, the same for everybody. An unchanged picture (`If-None-Match`) is 304."""
    document = portal.cluster.feed.document()
    headers = {"ETag": f'"{document.tag}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if not _takes_gzip(request):
        return Response(document.plain, media_type="application/json", headers=headers)
    return Response(await document.packed(), media_type="application/json", headers={**headers, **Packed})


@router.get("/events", response_class=StreamingResponse)
async def changes(user: CurrentUser, request: Request, portal: PortalContext, after: Filter = "") -> StreamingResponse:
    """Follow the picture (server-sent events) from the version `after` on.

    `picture` is all of it, `change` what differs from the version `since`, `mine` the caller's own GPUs by node,
    `seen` when Slurm was last read though nothing has changed.
    """
    pieces = _follow(portal, user, after)
    if not _takes_gzip(request):
        return StreamingResponse(
            (piece.plain async for piece in pieces), media_type="text/event-stream", headers=sse.HEADERS
        )
    return StreamingResponse(_packed(pieces), media_type="text/event-stream", headers={**sse.HEADERS, **Packed})


@router.get("/jobs")
async def jobs(
    user: CurrentUser,
    portal: PortalContext,
    state: States = "active",
    partition: Filter = "",
    of: Annotated[str, Query(max_length=255, description="Jobs of this user.")] = "",
    gpu_type: Filter = "",
    node: Annotated[str, Query(max_length=255, description="Jobs that run on this node, whatever `state` says.")] = "",
    query: Annotated[str, Query(max_length=255, description="Part of a number, name, user, account or node.")] = "",
    own: Annotated[bool, Query(description="Only the caller's.")] = False,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ClusterJobsOut:
    """Return a page of the queue: the caller's own jobs first, then what runs, then what waits, in line."""
    room, eyes = portal.cluster, _eyes(portal, user)
    now = room.feed.picture
    asked = Asked(state, partition, of, gpu_type, node, query, own)
    page = room.queue.page(now.jobs, asked, eyes, offset=offset, limit=limit)
    line = room.queue.line(now.jobs)
    return ClusterJobsOut(
        items=[job_out(job, eyes, line, now) for job in page.jobs],
        total=page.total,
        mine=page.mine,
        queue=QueueBrief.model_validate(room.feed.counts.as_json()),
        as_of=now.jobs_as_of,
    )


@router.get("/jobs/{job_id}")
async def job(job_id: RowNumber, user: CurrentUser, portal: PortalContext) -> ClusterJobDetail:
    """Return one job of the queue, with the GPUs it holds."""
    room = portal.cluster
    now = room.feed.picture
    found = now.jobs.get(job_id)
    if found is None and now.jobs_as_of is None:
        raise SlurmUnavailable("The portal has just started and does not know the queue yet.")
    if found is None:
        raise NotFound(f"There is no job {job_id} in the queue, or it ended a while ago.")
    return job_detail(found, _eyes(portal, user), room.queue.line(now.jobs), room.feed)


@router.get("/nodes/{name}")
async def node(name: str, user: CurrentUser, portal: PortalContext) -> NodeDetail:
    """Return one node, with the jobs on it and the GPUs that each holds."""
    room = portal.cluster
    if not room.feed.knows_the_nodes:
        raise SlurmUnavailable("The portal has just started and does not know the nodes yet.")
    found = room.feed.board.node(name)
    if found is None:
        raise NotFound(f"There is no node “{name[:64]}” in this cluster.")
    return node_detail(found, _eyes(portal, user), room.queue.line(room.feed.picture.jobs), room.feed)


@router.get("/history")
async def history(_: CurrentUser, portal: PortalContext, span: Span = "day") -> HistoryOut:
    """Return the cluster's totals over the last hour, day, week or month."""
    since, step_s, items = await portal.cluster.history.read(span)
    return HistoryOut(
        span=span, step_s=step_s, since=since, items=[TotalsOut(at=at, **asdict(one)) for at, one in items]
    )


def _eyes(portal: Portal, user: User) -> Eyes:
    picture = portal.cluster.feed.picture
    return eyes_of(user.username, admin=user.admin, settings=portal.settings.cluster, picture=picture)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


async def _packed(pieces: AsyncIterator[Piece]) -> AsyncIterator[bytes]:
    yield GZIP_HEAD
    async for piece in pieces:
        yield await piece.packed()


async def _follow(portal: Portal, user: User, after: str) -> AsyncIterator[Piece]:
    """Yield what is new since the reader's version, then every difference; and a word when there is none for long."""
    room, told = portal.cluster, ""
    feed = room.feed
    version: str | None = after or None
    yield Piece(f"retry: {sse.RETRY_MS}\n\n")
    while not feed.closed:
        version, pieces = feed.since(version)
        for piece in pieces:
            yield piece
        held = json.dumps({"nodes": mine(feed, user.username, room.queue.line(feed.picture.jobs))})
        if held != told:
            told = held
            yield event("mine", held)
        try:
            await feed.newer(version, sse.PING_S)
        except TimeoutError:
            yield feed.seen()
