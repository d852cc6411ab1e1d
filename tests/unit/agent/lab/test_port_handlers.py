"""Requests for ports that Jupyter itself answers, because it does not hand them to the agent."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncIterator
from types import ModuleType, SimpleNamespace

import pytest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

BASE = "/user/alice/lab/"


class JupyterHandler(RequestHandler):
    """Stands in for Jupyter's, which this environment lacks. Knows bob by his token, and nobody else."""

    async def prepare(self) -> None:
        if self.request.headers.get("Authorization") == "token bobs":
            self.current_user = SimpleNamespace(username="bob")


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    monkeypatch.setenv("JUPYTERHUB_USER", "alice")
    for name in ("jupyter_server", "jupyter_server.base", "jupyter_server.base.handlers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["jupyter_server.base.handlers"], "JupyterHandler", JupyterHandler, raising=False)
    routes = importlib.import_module("agent.lab.port_handlers").routes
    server = HTTPServer(Application(routes(BASE), login_url="/hub/api/oauth2/authorize"))
    listener, port = bind_unused_port()
    server.add_sockets([listener])
    yield port
    server.stop()
    await server.close_all_connections()


async def test_a_key_is_left_to_the_agent_to_check_on_a_port_alone(port: int) -> None:
    """No agent is here: handing the request over fails, and the owner's login is not asked for."""
    key = f"Authorization: Bearer dsp-{'k' * 43}\r\n"
    for path, who, status in (
        ("proxy-port/8501/", key, "503"),
        ("proxy-port/8501/", key.replace("dsp-", "abc-"), "302"),
        ("api/contents", key, "404"),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {BASE}{path} HTTP/1.1\r\nHost: x\r\n{who}Connection: close\r\n\r\n".encode())
        answer = (await asyncio.wait_for(reader.read(), 10)).decode()
        writer.close()
        assert answer.split()[1] == status, (path, who)


@pytest.mark.parametrize("path", ["proxy-port/8501/", "proxy-port/8501/echo"])
@pytest.mark.parametrize("who", ["", "Authorization: token bobs\r\n"])
async def test_a_refusal_says_that_its_connection_ends(port: int, who: str, path: str) -> None:
    """Tornado closes it, because the request's body may be unread: a proxy must not send its next request there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {BASE}{path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n{who}\r\n".encode())
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()  # to the end of the connection
    writer.close()
    head = answer.partition("\r\n\r\n")[0].lower()
    assert head.split()[1] in ("302", "403", "404")
    assert "\r\nconnection: close" in head
