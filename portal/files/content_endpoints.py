"""HTTP routes that carry a file out. Nothing served here can run as a page on the portal's origin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from email.utils import format_datetime
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

import structlog
from fastapi import Query, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.errors import PortalError
from portal.files.dependencies import FileTransfers
from portal.files.endpoints import NOT_THERE, FilePath, cut
from portal.files.ranges import wanted
from portal.files.schemas import FilePath as PathText
from portal.files.transfers import Opened
from portal.routing import Router

log = structlog.get_logger(__name__)
router = Router(prefix="/files", tags=["files"])

#: A client that takes nothing for this long has gone, or is holding a slot from others.
STALLED_S = 120.0
#: Seconds between two looks at whether a client still waits for its answer.
LOOK_S = 1.0
Open = TypeVar("Open", bound=Opened)
BINARY = "application/octet-stream"
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}},
    206: {"description": "The range asked for.", "content": {BINARY: {}}},
    304: {"description": "The file is still the version named by If-None-Match."},
    416: {"description": "The file ends before the range."},
}
MEDIA_TYPES = {"zip": "application/zip", "tar": "application/x-tar"}
ARCHIVE: dict[str, Any] = {
    "description": "The archive.",
    "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA_TYPES.values()},
}
TOO_MANY: dict[str, Any] = {"description": "A zip archive does not take so many files; a tar archive does."}


class Carrying(StreamingResponse):
    """A response that lets the file go however it ends.

    If the file cannot be read to its end, the response stays incomplete, and the server closes its connection.
    """

    def __init__(self, opened: Opened, pieces: AsyncIterator[bytes], **options: Any) -> None:
        super().__init__(pieces, **options)
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def in_time(message: Message) -> None:
            async with asyncio.timeout(STALLED_S):
                await send(message)

        try:
            await super().__call__(scope, receive, in_time)
        except PortalError as error:
            log.warning("files.download.cut", code=error.code, reason=error.message)
        except TimeoutError:
            log.info("files.download.stalled", seconds=STALLED_S)
        finally:
            await self._opened.close()


@router.get("/content", response_class=Response, responses=NOT_THERE | ANSWERS)
async def content(
    request: Request, user: CurrentUser, transfers: FileTransfers, audit: AuditLog, path: FilePath
) -> Response:
    """Download one of your files, or a range of it."""
    try:
        file = await while_there(request, transfers.open(user.username, path))
    except ClientDisconnect:
        return Response(status_code=408)  # nobody reads this
    try:
        etag = f'"{file.version}"'
        asked = wanted(request.headers, file.size, etag)
        headers = attached(path.rsplit("/", 1)[-1]) | {"Accept-Ranges": "bytes", "ETag": etag}
        if file.modified is not None:
            headers["Last-Modified"] = format_datetime(file.modified, usegmt=True)
        if asked.status not in (200, 206):
            await file.close()
            past = {"Content-Range": f"bytes */{file.size}"} if asked.status == 416 else {}
            return Response(status_code=asked.status, headers=headers | past)
        if asked.offset == 0:  # the rest of an interrupted download is the same download
            async with audit.noted(user, "files.download", cut(path), bytes=file.size):
                pass
        headers["Content-Length"] = str(asked.length)
        if asked.status == 206:
            headers["Content-Range"] = f"bytes {asked.offset}-{asked.offset + asked.length - 1}/{file.size}"
        pieces = file.pieces(asked.offset, asked.length)
        return Carrying(file, pieces, status_code=asked.status, headers=headers, media_type=BINARY)
    except BaseException:
        await file.close()
        raise


@router.get(
    "/archive",
    response_class=Response,
    responses=NOT_THERE | {200: ARCHIVE, 413: TOO_MANY},
)
async def archive(
    request: Request,
    user: CurrentUser,
    transfers: FileTransfers,
    audit: AuditLog,
    path: Annotated[list[PathText], Query(min_length=1, max_length=100)],
    archive_format: Annotated[Literal["zip", "tar"], Query(alias="format")] = "zip",
) -> Response:
    """Download files and folders as one archive, packed while it is sent.

    What could not be packed is listed in its last member, `LEFT-OUT.txt`.
    """
    try:
        opened = await while_there(request, transfers.archive(user.username, path, archive_format))
    except ClientDisconnect:
        return Response(status_code=408)
    try:
        async with audit.noted(user, "files.download", cut(path[0]), count=len(path), format=archive_format):
            pass
        name = path[0].rstrip("/").rsplit("/", 1)[-1] if len(path) == 1 else ""
        headers = attached(f"{name if name not in ('', '~', '.', '..') else 'files'}.{archive_format}")
        return Carrying(opened, opened.pieces(), headers=headers, media_type=MEDIA_TYPES[archive_format])
    except BaseException:
        await opened.close()
        raise


async def while_there(request: Request, opening: Coroutine[Any, Any, Open]) -> Open:
    """Return what is opened for a client. Raises ClientDisconnect, and gives it up, if the client leaves before."""
    task = asyncio.ensure_future(opening)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
            if await request.is_disconnected():
                raise ClientDisconnect
    except BaseException:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled() and not task.exception():
            await task.result().close()
        raise
    return task.result()


def attached(name: str) -> dict[str, str]:
    return {
        "Cache-Control": "private, no-cache",
        "Content-Encoding": "identity",  # never compressed on the way: ranges count the file's own bytes
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
    }
