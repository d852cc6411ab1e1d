"""The Hub's HTTP server: small bodies, client addresses from trusted proxies only, security headers.

JupyterHub starts tornado's HTTPServer with tornado's defaults; `HTTPServer.configure(HubServer, …)` replaces it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.web import Application, OutputTransform

from portal.addresses import Network, client_of, is_trusted

#: The Hub receives a login form, the options of a server, or a list of names.
MAX_BODY_BYTES = 1 << 20
BODY_TIMEOUT_S = 30
IDLE_S = 120
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY"}
#: Added to JupyterHub's own; if that allows nothing at all (its API), it stays.
POLICY = {
    "frame-ancestors": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "script-src": "'self' 'unsafe-inline'",
}


class HubServer(HTTPServer):
    def initialize(  # type: ignore[override]
        self, request_callback: Any, *, trusted: Collection[Network] = (), **options: Any
    ) -> None:
        self._trusted = trusted
        if isinstance(request_callback, Application):
            request_callback.add_transform(SafeHeaders)
        limits = {"max_body_size": MAX_BODY_BYTES, "body_timeout": BODY_TIMEOUT_S, "idle_connection_timeout": IDLE_S}
        super().initialize(request_callback, **options | limits | {"xheaders": False})

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return ForwardedRequest(super().start_request(server_conn, request_conn), request_conn, self._trusted)


class ForwardedRequest(HTTPMessageDelegate):
    """Sets a request's client address and scheme while it is handled.

    Tornado's own code trusts X-Real-IP from anybody, and X-Forwarded-For from peers that are not proxies.
    """

    def __init__(self, delegate: HTTPMessageDelegate, connection: Any, trusted: Collection[Network]) -> None:
        self._delegate = delegate
        self._context = connection.context
        self._trusted = trusted
        self._own = (self._context.remote_ip, self._context.protocol)

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        peer, _ = self._own
        if is_trusted(peer, self._trusted):
            self._context.remote_ip = client_of(peer, headers.get_list("X-Forwarded-For"), self._trusted)
            scheme = headers.get("X-Forwarded-Proto", "").rpartition(",")[2].strip()
            if scheme in ("http", "https"):
                self._context.protocol = scheme
        return self._delegate.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._delegate.data_received(chunk)

    def finish(self) -> None:
        self._delegate.finish()
        self._context.remote_ip, self._context.protocol = self._own

    def on_connection_close(self) -> None:
        self._delegate.on_connection_close()
        self._context.remote_ip, self._context.protocol = self._own


class SafeHeaders(OutputTransform):
    """Adds the portal's security headers to every response of the Hub: pages, errors, files."""

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        headers["Content-Security-Policy"] = stricter(headers.get("Content-Security-Policy", ""))
        return super().transform_first_chunk(status_code, headers, chunk, finishing)


def stricter(policy: str) -> str:
    """Return a Content-Security-Policy with those of our directives that it lacks."""
    directives = [part.strip() for part in policy.split(";") if part.strip()]
    named = {directive.split()[0] for directive in directives}
    if "default-src" in named:
        named |= {"script-src", "object-src"}
    return "; ".join([*directives, *(f"{name} {value}" for name, value in POLICY.items() if name not in named)])
