"""The Hub's HTTP server: bodies, addresses and headers, with tornado's own handlers behind it."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from ipaddress import ip_network

import httpx2
import pytest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler, StaticFileHandler

from spawner.hub_log import OneLineFormatter, escaped
from spawner.hub_server import MAX_BODY_BYTES, HubServer, stricter

LOOPBACK = [ip_network("127.0.0.1")]


class Tells(RequestHandler):
    def get(self) -> None:
        self.finish({"ip": self.request.remote_ip, "scheme": self.request.protocol})

    post = get


class Fails(RequestHandler):
    def get(self) -> None:
        raise RuntimeError("a fault")


def serve(trusted: list[object]) -> tuple[HTTPServer, str]:
    application = Application(
        [("/", Tells), ("/fails", Fails), (r"/static/(.*)", StaticFileHandler, {"path": "/nowhere"})]
    )
    before = HTTPServer._save_configuration()  # noqa: SLF001  (Tornado's name)
    HTTPServer.configure(HubServer, trusted=trusted)
    try:  # as JupyterHub makes it
        server = HTTPServer(application, xheaders=True, trusted_downstream=["127.0.0.1"])
    finally:
        HTTPServer._restore_configuration(before)  # noqa: SLF001  (Tornado's name)
    (socket,) = bind_sockets(0, "127.0.0.1")
    server.add_socket(socket)
    return server, f"http://127.0.0.1:{socket.getsockname()[1]}"


@pytest.fixture
async def hub() -> AsyncIterator[httpx2.AsyncClient]:
    server, url = serve(LOOPBACK)
    async with httpx2.AsyncClient(base_url=url) as client:
        yield client
    server.stop()
    await server.close_all_connections()


async def test_address_is_what_the_proxy_vouches_for_and_nothing_that_is_claimed(hub: httpx2.AsyncClient) -> None:
    for headers, ip in (
        ({}, "127.0.0.1"),
        ({"X-Forwarded-For": "192.0.2.7"}, "192.0.2.7"),
        ({"X-Forwarded-For": "192.0.2.66, 192.0.2.7"}, "192.0.2.7"),
        ({"X-Forwarded-For": "192.0.2.7", "X-Real-IP": "192.0.2.66"}, "192.0.2.7"),
        ({"X-Real-IP": "192.0.2.66"}, "127.0.0.1"),
        ({"X-Forwarded-For": "192.0.2.66, x"}, "127.0.0.1"),
        ({}, "127.0.0.1"),  # on the same connection: nothing is left of the request before
    ):
        assert (await hub.get("/", headers=headers)).json()["ip"] == ip, headers
    assert (await hub.get("/", headers={"X-Forwarded-Proto": "https"})).json()["scheme"] == "https"


async def test_address_of_a_node_is_its_own() -> None:
    server, url = serve([ip_network("10.0.0.9")])
    async with httpx2.AsyncClient(base_url=url) as node:
        claimed = {"X-Forwarded-For": "192.0.2.66", "X-Real-IP": "192.0.2.66", "X-Forwarded-Proto": "https"}
        assert (await node.get("/", headers=claimed)).json() == {"ip": "127.0.0.1", "scheme": "http"}
    server.stop()
    await server.close_all_connections()


@pytest.mark.parametrize("path", ["/", "/fails", "/nothing", "/static/none.js"])
async def test_every_answer_carries_the_headers_that_keep_pages_safe(hub: httpx2.AsyncClient, path: str) -> None:
    headers = (await hub.get(path)).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_what_a_policy_says_stays() -> None:
    hub, api = "frame-ancestors 'none'; report-uri /hub/security/csp-report", "default-src 'none'"
    assert stricter(hub) == f"{hub}; object-src 'none'; base-uri 'none'; script-src 'self' 'unsafe-inline'"
    assert stricter(api) == f"{api}; frame-ancestors 'none'; base-uri 'none'"


async def test_body_that_is_announced_too_large_is_not_waited_for(hub: httpx2.AsyncClient) -> None:
    assert (await hub.post("/", content=b"x" * MAX_BODY_BYTES)).status_code == 200
    host, port = hub.base_url.host, hub.base_url.port
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {84 << 20}\r\n\r\n".encode())
    async with asyncio.timeout(5):
        assert (await reader.read()).startswith(b"HTTP/1.1 400")
    writer.close()


async def test_body_that_comes_in_pieces_has_the_same_end(hub: httpx2.AsyncClient) -> None:
    _, writer = await asyncio.open_connection(hub.base_url.host, hub.base_url.port)
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    sent = 0
    with suppress(ConnectionError):
        async with asyncio.timeout(5):
            while sent < 8 * MAX_BODY_BYTES:
                writer.write(piece)
                await writer.drain()
                sent += len(piece)
    assert sent < 8 * MAX_BODY_BYTES
    writer.close()


def test_nothing_that_is_logged_passes_for_another_line() -> None:
    forged = "x\n[I 2026-11-22 JupyterHub] User logged in: admin\r\x1b[2K\u2028y"
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(OneLineFormatter(fmt="%(levelname)s %(message)s"))
    record = logging.LogRecord("JupyterHub", logging.WARNING, "", 0, "Content security violation: %s", (forged,), None)
    handler.emit(record)
    (line,) = out.getvalue().splitlines()
    assert line == r"WARNING Content security violation: " + escaped(forged)
    assert r"x\n[I 2026-11-22 JupyterHub] User logged in: admin\r\x1b[2K\u2028y" in line
    assert record.args == (forged,), "Other handlers get the record as it is."
