"""HTTP routes that carry a file out. Nothing served here can run as a page on the portal's origin."""

from __future__ import annotations

import asyncio
from email.utils import format_datetime
from typing import Any
from urllib.parse import quote

from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.files.dependencies import FileTransfers
from portal.files.endpoints import NOT_THERE, FilePath, cut
from portal.files.ranges import wanted
from portal.files.transfers import OpenFile
from portal.routing import Router

router = Router(prefix="/files", tags=["files"])

#: A client that takes nothing for this long has gone, or is holding a slot from others.
STALLED_S = 120.0
BINARY = "application/octet-stream"
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}},
    206: {"description": "The range asked for.", "content": {BINARY: {}}},
    304: {"description": "The file is still the version named by If-None-Match."},
    416: {"description": "The file ends before the range."},
}


class Carrying(StreamingResponse):
    """A response that lets the file go however it ends."""

    def __init__(self, file: OpenFile, offset: int, length: int, **options: Any) -> None:
        super().__init__(file.pieces(offset, length), media_type=BINARY, **options)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def in_time(message: Message) -> None:
            async with asyncio.timeout(STALLED_S):
                await send(message)

        try:
            await super().__call__(scope, receive, in_time)
        finally:
            await self._file.close()


@router.get("/content", response_class=Response, responses=NOT_THERE | ANSWERS)
async def content(
    request: Request, user: CurrentUser, transfers: FileTransfers, audit: AuditLog, path: FilePath
) -> Response:
    """Download one of your files, or a range of it."""
    file = await transfers.open(user.username, path)
    try:
        etag = f'"{file.version}"'
        asked = wanted(request.headers, file.size, etag)
        headers = {
            "Accept-Ranges": "bytes",
            "ETag": etag,
            "Cache-Control": "private, no-cache",
            "Content-Encoding": "identity",  # never compressed on the way: ranges count the file's own bytes
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(path.rsplit('/', 1)[-1], safe='')}",
        }
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
        return Carrying(file, asked.offset, asked.length, status_code=asked.status, headers=headers)
    except BaseException:
        await file.close()
        raise
