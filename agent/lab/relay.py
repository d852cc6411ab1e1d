"""Relays requests to a program that listens on a Unix socket, without the portal's own headers."""

from __future__ import annotations

import socket
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, parse_response_start_line
from tornado.netutil import Resolver
from tornado.simple_httpclient import SimpleAsyncHTTPClient

TIMEOUT_S = 300.0
MOST_BYTES = 4 << 30
# Hop-by-hop headers (RFC 9110, 7.6.1), `Upgrade` among them: what is passed on is plain HTTP.
HOP_BY_HOP = frozenset(
    ("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect")
)
# The user's credentials stay here: a board does not need them, and might show them.
SECRET = frozenset(("cookie", "authorization", "x-xsrftoken", "proxy-authorization"))
OURS = frozenset(("set-cookie", "content-length", "server", "date"))


class _ToSocket(Resolver):
    def initialize(self, path: str) -> None:
        self._path = path

    async def resolve(self, host: str, port: int, family: Any = socket.AF_UNSPEC) -> list[tuple[int, Any]]:
        return [(socket.AF_UNIX, self._path)]


def client(path: str) -> SimpleAsyncHTTPClient:
    """Return an HTTP client that connects to the socket at `path` for every request."""
    return SimpleAsyncHTTPClient(force_instance=True, resolver=_ToSocket(path), max_body_size=MOST_BYTES)


async def relay(request: HTTPServerRequest, path: str, handler: Any) -> None:
    """Pass `request` to the socket at `path`, and its answer to `handler` piece by piece.

    Raises OSError or tornado's HTTPError if nothing answers there.
    """

    def on_header(line: str) -> None:
        text = line.strip()
        if text.startswith("HTTP/"):
            handler.set_status(parse_response_start_line(text).code)
        elif ":" in text:
            name, _, value = text.partition(":")
            if name.lower() not in HOP_BY_HOP | OURS:
                # Added, not set: with two content security policies the browser enforces both.
                handler.add_header(name, value.strip())

    async def on_piece(piece: bytes) -> None:
        handler.write(piece)
        await handler.flush()

    handler.clear_header("Content-Type")
    with_body = request.method in ("POST", "PUT", "PATCH") or bool(request.body)
    await client(path).fetch(
        HTTPRequest(
            f"http://localhost{request.uri}",
            method=request.method or "GET",
            headers=_passed_on(request.headers),
            body=request.body if with_body else None,
            allow_nonstandard_methods=True,
            follow_redirects=False,
            decompress_response=False,
            header_callback=on_header,
            streaming_callback=on_piece,
            connect_timeout=10,
            request_timeout=TIMEOUT_S,
        ),
        raise_error=False,
    )


def _passed_on(headers: HTTPHeaders) -> HTTPHeaders:
    kept = HTTPHeaders()
    for name, value in headers.get_all():
        if name.lower() not in HOP_BY_HOP | SECRET | {"content-length"}:
            kept.add(name, value)
    return kept
