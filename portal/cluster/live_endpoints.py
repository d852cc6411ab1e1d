"""HTTP routes for the Cluster page: the nodes, the stream of their changes, the queue, details, totals."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

from fastapi import Depends, Query, Request
from starlette.responses import Response, StreamingResponse

from portal.auth.dependencies import CurrentUser
from portal.cluster.history import History
from portal.cluster.live_schemas import (
    ClusterJobDetail,
    ClusterJobsOut,
    HistoryOut,
    NodeDetail,
    QueueBrief,
    SnapshotOut,
    Span,
    TotalsOut,
)
from portal.cluster.live_view import job_detail, job_out, mine, node_detail
from portal.cluster.queue import Queue, QueueFilter, States
from portal.cluster.stream import ClusterStream
from portal.cluster.visibility import Viewer, viewer_of
from portal.cluster.wire import GZIP_HEAD, Piece, event
from portal.errors import NotFound, SlurmUnavailable
from portal.events import sse
from portal.numbers import RowNumber
from portal.provided import provided
from portal.routing import Router
from portal.settings.dependencies import SiteSettings

router = Router(prefix="/cluster", tags=["cluster"])

Filter = Annotated[str, Query(max_length=255)]
Packed = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}

LiveCluster = Annotated[ClusterStream, provided(ClusterStream)]
ClusterQueue = Annotated[Queue, provided(Queue)]
ClusterHistory = Annotated[History, provided(History)]


async def _viewer(user: CurrentUser, stream: LiveCluster, settings: SiteSettings) -> Viewer:
    return viewer_of(user.username, admin=user.admin, settings=settings.cluster, snapshot=stream.snapshot)


CurrentViewer = Annotated[Viewer, Depends(_viewer)]
"""What the caller may see of other users' jobs."""


@router.get("", response_model=SnapshotOut)
async def snapshot(_: CurrentUser, request: Request, stream: LiveCluster) -> Response:
    """Return every node as it is now, the same for all users. If unchanged (`If-None-Match`), the answer is 304."""
    document = stream.document()
    headers = {"ETag": f'"{document.tag}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if not _takes_gzip(request):
        return Response(document.plain, media_type="application/json", headers=headers)
    return Response(await document.packed(), media_type="application/json", headers={**headers, **Packed})


@router.get("/events", response_class=StreamingResponse)
async def changes(
    user: CurrentUser, request: Request, stream: LiveCluster, queue: ClusterQueue, after: Filter = ""
) -> StreamingResponse:
    """Follow the nodes (server-sent events) from the version `after` on.

    `picture` is the whole state, `change` the difference from the version `since`, `mine` the caller's own GPUs by
    node, `seen` when Slurm was last read although nothing has changed.
    """
    pieces = _follow(stream, queue, user.username, after)
    if not _takes_gzip(request):
        return StreamingResponse(
            (piece.plain async for piece in pieces), media_type="text/event-stream", headers=sse.HEADERS
        )
    return StreamingResponse(_packed(pieces), media_type="text/event-stream", headers={**sse.HEADERS, **Packed})


@router.get("/jobs")
async def jobs(
    stream: LiveCluster,
    queue: ClusterQueue,
    viewer: CurrentViewer,
    state: States = "active",
    partition: Filter = "",
    of: Annotated[str, Query(max_length=255, description="Jobs of this user.")] = "",
    gpu_type: Filter = "",
    node: Annotated[str, Query(max_length=255, description="Running jobs on this node, regardless of `state`.")] = "",
    query: Annotated[str, Query(max_length=255, description="Part of a number, name, user, account or node.")] = "",
    own: Annotated[bool, Query(description="Only the caller's jobs.")] = False,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ClusterJobsOut:
    """Return a page of the queue: the caller's own jobs first, then running ones, then pending ones in queue order."""
    now = stream.snapshot
    asked = QueueFilter(state, partition, of, gpu_type, node, query, own)
    page = queue.page(now.jobs, asked, viewer, offset=offset, limit=limit)
    line = queue.line(now.jobs)
    return ClusterJobsOut(
        items=[job_out(job, viewer, line, now) for job in page.jobs],
        total=page.total,
        mine=page.mine,
        queue=QueueBrief.model_validate(stream.counts.as_json()),
        as_of=now.jobs_as_of,
    )


@router.get("/jobs/{job_id}")
async def job(job_id: RowNumber, stream: LiveCluster, queue: ClusterQueue, viewer: CurrentViewer) -> ClusterJobDetail:
    """Return one job of the queue, with the GPUs it holds."""
    now = stream.snapshot
    job = now.jobs.get(job_id)
    if job is None and now.jobs_as_of is None:
        raise SlurmUnavailable("The portal has just started and has not read the queue yet.")
    if job is None:
        raise NotFound(f"Job {job_id} is not in the queue, or ended a while ago.")
    return job_detail(job, viewer, queue.line(now.jobs), stream)


@router.get("/nodes/{name}")
async def node(name: str, stream: LiveCluster, queue: ClusterQueue, viewer: CurrentViewer) -> NodeDetail:
    """Return one node, with the jobs on it and the GPUs that each holds."""
    if not stream.knows_the_nodes:
        raise SlurmUnavailable("The portal has just started and has not read the nodes yet.")
    node = stream.board.node(name)
    if node is None:
        raise NotFound(f"There is no node “{name[:64]}” in this cluster.")
    return node_detail(node, viewer, queue.line(stream.snapshot.jobs), stream)


@router.get("/history")
async def history(_: CurrentUser, totals: ClusterHistory, span: Span = "day") -> HistoryOut:
    """Return the cluster's totals over the last hour, day, week or month."""
    since, step_s, items = await totals.read(span)
    return HistoryOut(
        span=span, step_s=step_s, since=since, items=[TotalsOut(at=at, **asdict(totals)) for at, totals in items]
    )


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


async def _packed(pieces: AsyncIterator[Piece]) -> AsyncIterator[bytes]:
    yield GZIP_HEAD
    async for piece in pieces:
        yield await piece.packed()


async def _follow(stream: ClusterStream, queue: Queue, username: str, after: str) -> AsyncIterator[Piece]:
    """Yield what is new since the reader's version, then every difference, and a sign of life after a long silence."""
    sent = ""
    version: str | None = after or None
    yield Piece(f"retry: {sse.RETRY_MS}\n\n")
    while not stream.closed:
        version, pieces = stream.since(version)
        for piece in pieces:
            yield piece
        held = json.dumps({"nodes": mine(stream, username, queue.line(stream.snapshot.jobs))})
        if held != sent:
            sent = held
            yield event("mine", held)
        try:
            await stream.newer(version, sse.PING_S)
        except TimeoutError:
            yield stream.seen()
