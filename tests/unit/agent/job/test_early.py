"""JupyterLab's page before its server is there, and the moment when the server takes over."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from agent.job.early import HEADER, Early, begin, hand_over
from agent.job.kept_page import KeptPage
from tests.demo_site import free_port

PAGE = KeptPage('<p>{portal:base_url} {portal:server} "{portal:tree}"</p>', "frame-ancestors 'none'", "2.21.1", "6.1.1")
PATH = "/user/alice/x1/"


class Server(RequestHandler):
    def get(self) -> None:
        self.write(f"the server: {self.request.uri}")

    def post(self) -> None:
        self.write(f"the server: {self.request.body.decode()}")


@pytest.fixture
def early() -> Early:
    return Early(f"http://127.0.0.1:{free_port()}{PATH}", PAGE)


@pytest.fixture
async def client(early: Early) -> AsyncIterator[httpx2.AsyncClient]:
    address = f"http://127.0.0.1:{early.port}{PATH}"
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=30) as client:
        yield client


def start_server(early: Early) -> HTTPServer:
    """Start a server as Jupyter does: look whether the port is free, then listen."""
    app: Any = SimpleNamespace(bind_sockets=bind_sockets)
    hand_over(early, HTTPServer, app)
    for found in app.bind_sockets(early.port, "127.0.0.1"):
        found.close()
    server = HTTPServer(Application([(".*", Server)]))
    server.listen(early.port, "127.0.0.1")
    assert app.bind_sockets is bind_sockets
    return server


async def test_page_is_there_before_the_server_and_the_server_takes_over(
    early: Early, client: httpx2.AsyncClient
) -> None:
    answer = await client.get("lab?reset")
    assert answer.text == f'<p>{PATH} x1 ""</p>'
    assert answer.headers["Content-Security-Policy"] == PAGE.policy
    assert answer.headers[HEADER]
    assert (await client.get("lab/tree/a%20b/%3Cc%3E.ipynb")).text == f'<p>{PATH} x1 "a b/\\u003cc\\u003e.ipynb"</p>'
    answer = await client.get("api")
    assert (answer.json(), answer.headers["X-JupyterHub-Version"]) == ({"version": PAGE.server}, PAGE.hub)
    server = start_server(early)
    try:
        assert (await client.get("lab")).text == f"the server: {PATH}lab"
        assert HEADER not in (await client.get("api")).headers
    finally:
        server.stop()


async def test_any_other_request_waits_for_the_server(early: Early, client: httpx2.AsyncClient) -> None:
    waiting = [
        asyncio.ensure_future(request)
        for request in (
            client.get("api/kernels"),
            client.get("lab/api/settings"),
            client.get("lab/workspaces/mine"),
            client.post("lab", content=b"x" * 100_000),
        )
    ]
    reader, writer = await asyncio.open_connection("127.0.0.1", early.port)
    writer.write(f"GET {PATH}lab HTTP/1.1\r\n".encode())  # the rest comes later
    await asyncio.sleep(0.2)
    assert not any(request.done() for request in waiting)
    server = start_server(early)
    try:
        texts = [(await request).text for request in waiting]
        assert [text[:40] for text in texts] == [
            f"the server: {PATH}api/kernels",
            f"the server: {PATH}lab/api/settings"[:40],
            f"the server: {PATH}lab/workspaces/mine"[:40],
            f"the server: {'x' * 28}",
        ]
        writer.write(b"Host: x\r\nConnection: close\r\n\r\n")
        assert b"the server" in await reader.read()
    finally:
        writer.close()
        server.stop()


async def test_connection_that_sends_nothing_stops_nobody(early: Early, client: httpx2.AsyncClient) -> None:
    _, silent = await asyncio.open_connection("127.0.0.1", early.port)
    assert (await client.get("lab")).status_code == 200
    start_server(early).stop()
    silent.close()


def test_without_a_page_or_with_the_port_taken_nothing_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}{PATH}"
        environ = {"HOME": str(tmp_path), "JUPYTERHUB_SERVICE_URL": url}
        assert begin(environ) is None
        PAGE.write(environ)
        assert begin(environ) is None
        assert begin({"HOME": str(tmp_path)}) is None
