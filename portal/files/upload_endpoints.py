"""HTTP routes of uploads: tus 1.0 with creation, termination, checksum and expiration."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from email.utils import format_datetime
from typing import Annotated, Any

from fastapi import Path as InPath
from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.errors import InvalidRequest
from portal.files.dependencies import FileUploads
from portal.files.endpoints import TAKEN, cut
from portal.files.uploads import MAX_SIZE, answer_headers, checksum_of, expires, metadata_of, whole
from portal.routing import Router

router = Router(prefix="/files/uploads", tags=["files"])

#: A client that sends nothing for this long has gone; what it sent is kept.
STALLED_S = 60.0
Token = Annotated[str, InPath(max_length=6000, pattern=r"^[A-Za-z0-9_-]+$")]
#: Its headers or metadata do not fit: the framework knows of no body or parameter that could be refused.
REFUSED: dict[int | str, dict[str, Any]] = {422: {"description": "The request cannot be carried out as it is."}}
GONE: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such upload."}}


@router.options("", status_code=204, response_class=Response, include_in_schema=False)
async def abilities(user: CurrentUser) -> Response:
    """Say what the server can do of tus 1.0."""
    more = {"tus_version": "1.0.0", "tus_extension": "creation,termination,checksum,expiration"}
    return Response(
        status_code=204, headers=answer_headers(**more, tus_max_size=MAX_SIZE, tus_checksum_algorithm="sha256")
    )


@router.post("", status_code=201, response_class=Response, responses=TAKEN | REFUSED)
async def create(
    request: Request,
    user: CurrentUser,
    uploads: FileUploads,
    audit: AuditLog,
) -> Response:
    """Begin an upload of `Upload-Length` bytes.

    `Upload-Metadata` names the `path`, and may name `conflict`, `mtime` and `sha256`.
    """
    length = whole(request.headers.get("upload-length"), "Upload-Length")
    metadata = metadata_of(request.headers.get("upload-metadata", ""))
    async with audit.noted(user, "files.upload", cut(metadata.path), bytes=length):
        token, upload = await uploads.create(user.username, length, metadata)
    ends = format_datetime(expires(upload), usegmt=True)
    headers = answer_headers(location=f"{request.url.path.rstrip('/')}/{token}", upload_expires=ends, upload_offset=0)
    return Response(status_code=201, headers=headers)


@router.head("/{token}", response_class=Response, include_in_schema=False)
async def state(token: Token, user: CurrentUser, uploads: FileUploads) -> Response:
    """Say how much of an upload has arrived."""
    upload = uploads.named(user.username, token)
    offset = await uploads.offset(upload)
    return Response(status_code=200, headers=answer_headers(upload_offset=offset, upload_length=upload.length))


@router.patch("/{token}", status_code=204, response_class=Response, responses=GONE | TAKEN)
async def append(
    token: Token,
    request: Request,
    user: CurrentUser,
    uploads: FileUploads,
) -> Response:
    """Send a piece from `Upload-Offset` on, as `application/offset+octet-stream`.

    What arrives before the connection is cut is kept.
    """
    upload = uploads.named(user.username, token)
    if request.headers.get("content-type") != "application/offset+octet-stream":
        raise InvalidRequest(
            "A piece has the content type application/offset+octet-stream.", hint="Use a client of tus 1.0."
        )
    began = whole(request.headers.get("upload-offset"), "Upload-Offset")
    checksum = checksum_of(request.headers.get("upload-checksum"))
    try:
        offset = await uploads.append(upload, began, _in_time(request), checksum)
    except ClientDisconnect:  # the door keeps what has arrived; nobody reads this answer
        return Response(status_code=408)
    ends = format_datetime(expires(upload), usegmt=True)
    return Response(status_code=204, headers=answer_headers(upload_offset=offset, upload_expires=ends))


@router.delete("/{token}", status_code=204, response_class=Response, responses=GONE)
async def drop(token: Token, user: CurrentUser, uploads: FileUploads) -> Response:
    """Give an upload up, and delete what has arrived."""
    await uploads.drop(uploads.named(user.username, token))
    return Response(status_code=204, headers=answer_headers())


async def _in_time(request: Request) -> AsyncIterator[bytes]:
    """Yield the body. Raises ClientDisconnect, and HTTPException 408 for a client that has stalled."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(STALLED_S):
                piece = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise HTTPException(408, "The rest of the piece did not arrive in time.") from error
        yield piece
