"""What all routes share: request ids, one format for errors, and security headers."""

from __future__ import annotations

import asyncio
import contextlib
import html
import math
import secrets

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal import effects
from portal.db import effects as db_effects
from portal.db import failure
from portal.errors import (
    DatabaseUnavailable,
    InvalidRequest,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    PortalError,
    TooLarge,
)
from portal.invalid import LONGEST, MOST, cut, invalid_request
from portal.numbers import whole_number
from portal.routing import SAFE_METHODS
from portal.settings import Server, Settings

log = structlog.get_logger()

#: How much of a body that is too large is still read, so that its sender sees the invalid_request.
DRAIN_BYTES = 64 * 1024 * 1024
DRAIN_S = 10.0

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
)
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    # A session's page that opens or embeds one of these gets no handle on it.
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class RequestFrame:
    """Give each request an id, bind it to the log, and add the security headers that it lacks. Streams pass untouched.

    A body that is too large is refused here, announced or not: FastAPI's own limit answers in plain text, which
    programs that read our errors cannot parse.
    """

    def __init__(self, app: ASGIApp, *, max_body_bytes: int) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.bind_contextvars(request=request_id)
        effects.new_request()

        begun = False

        async def framed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                own = {name.lower() for name, _ in message["headers"]}
                added = [header for header in HEADERS if header[0] not in own]
                message["headers"] = [*message["headers"], *added, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive if _is_piece(scope) else self._limited(scope, receive), framed)
        except Exception:
            # Here, not by Starlette outside this frame, so that this response has the headers, too.
            log.exception("request.crashed", path=scope["path"])
            if begun:
                raise
            request = Request(scope)
            error = _as_far_as_known(request, PortalError("Something went wrong in the portal."))
            await answer(request, error)(scope, receive, framed)
        finally:
            structlog.contextvars.unbind_contextvars("request")

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Return a bounded `receive`: HTTPException 413 once more than the limit is announced or received."""
        length = Headers(scope=scope).get("content-length", "")
        announced = (whole_number(length) or 0) > self._max_body_bytes
        received = 0
        refused = False

        async def limited() -> Message:
            nonlocal received, refused
            if not refused:
                message = await receive()
                received += len(message.get("body", b""))
                if not announced and received <= self._max_body_bytes:
                    return message
                refused = True
                await _drain(receive, message)
            raise HTTPException(413)

        return limited


def _is_piece(scope: Scope) -> bool:
    """Return whether the body is a piece of an upload, which its route passes on as it comes."""
    path: str = scope["path"]
    return scope["method"] == "PATCH" and path.startswith(f"{Server.prefix}/api/files/uploads/")


async def _drain(receive: Receive, message: Message) -> None:
    """Read on to the end of the body, within bounds: a proxy shows its client no response while it still sends."""
    drained = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            while message.get("more_body") and drained < DRAIN_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))


def install(app: FastAPI, *, max_body_bytes: int) -> None:
    db_effects.listen()
    app.add_middleware(RequestFrame, max_body_bytes=max_body_bytes)
    app.exception_handler(PortalError)(_portal_error)
    app.exception_handler(RequestValidationError)(_validation_error)
    app.exception_handler(HTTPException)(_http_error)
    app.exception_handler(DataError)(_data_error)
    for lost in (OperationalError, InterfaceError, InternalError, PoolTimeout):
        app.exception_handler(lost)(_database_error)


def answer(request: Request, error: PortalError) -> Response:
    """Return the error in its one format: JSON, or a small page for a browser that opened one."""
    request_id = getattr(request.state, "request_id", "")
    if "/api/" not in request.url.path and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_page(request, error, request_id), status_code=error.status, headers=_headers(error))
    return JSONResponse(
        {
            "error": {
                "code": error.code,
                "message": cut(error.message, LONGEST),
                "hint": cut(error.hint, LONGEST),
                "fields": [
                    {"field": cut(field.field, 100), "message": cut(field.message, 500)}
                    for field in error.fields[:MOST]
                ],
                "request_id": request_id,
            }
        },
        status_code=error.status,
        headers=_headers(error),
    )


def _headers(error: PortalError) -> dict[str, str]:
    headers = {"WWW-Authenticate": "token"} if isinstance(error, NotAuthenticated) else {}
    if error.retry_after_s is not None:
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after_s)))
    return headers


def _page(request: Request, error: PortalError, request_id: str) -> str:
    prefix = request.app.state.services[Settings].server.prefix
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<title>Data Scientist Portal</title><style>body{font:16px/1.5 system-ui;max-width:40rem;margin:15vh auto;"
        "padding:0 1rem;color-scheme:light dark}</style>"
        f"<h1>{html.escape(error.message)}</h1><p>{html.escape(error.hint)}</p>"
        f"<p><a href='{html.escape(prefix)}/login'>Log in</a></p><p><small>{request_id}</small></p>"
    )


async def _portal_error(request: Request, error: PortalError) -> Response:
    if error.status >= 500:
        log.warning("request.failed", path=request.url.path, code=error.code, error=error.message)
    return answer(request, _as_far_as_known(request, error))


async def _validation_error(request: Request, error: RequestValidationError) -> Response:
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return answer(request, InvalidRequest("The body is not valid JSON."))
    return answer(request, invalid_request(error.errors(), request_part=True))


async def _http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404:
        return answer(request, NotFound("There is nothing at this address."))
    if error.status_code == 413:
        return answer(request, TooLarge("The request is too large."))
    if error.status_code == 400:  # FastAPI could not decode the body
        return answer(request, InvalidRequest("The body is not valid JSON."))
    other = PortalError(str(error.detail), hint="Check the method and the address.")
    other.status, other.code = error.status_code, "http"
    response = answer(request, other)
    response.headers.update(error.headers or {})  # Allow, with 405
    return response


async def _data_error(request: Request, error: DataError) -> Response:
    """Answer for a value that the database cannot store or compare: NUL in a text, a number out of range."""
    log.warning("request.unstorable", path=request.url.path, error=str(error.orig))
    if "\0" in request.scope["path"]:  # SQLite looks it up and finds nothing; PostgreSQL refuses it
        return answer(request, NotFound("There is nothing at this address."))
    return answer(request, InvalidRequest("A value in this request cannot be stored."))


async def _database_error(request: Request, error: failure.Failure) -> Response:
    """Answer for a database that is away, locked for too long, too slow, or full."""
    log.error("request.without_database", path=request.url.path, error=str(getattr(error, "orig", error))[:200])
    return answer(request, _as_far_as_known(request, failure.in_words(error)))


def _as_far_as_known(request: Request, error: PortalError) -> PortalError:
    """Add to an error whether the request had an effect: none, or possibly one."""
    if request.method in SAFE_METHODS or error.status < 500 or isinstance(error, OutcomeUnknown):
        return error
    if effects.possible():
        error.message = f"{error.message} It is unknown whether this was done."
        error.hint = f"{OutcomeUnknown.hint} {error.hint}"
    elif isinstance(error, DatabaseUnavailable):
        error.message = f"{error.message} Nothing was done."
    return error
