"""Websockets of a session's Jupyter send small messages at once."""

from __future__ import annotations

import asyncio
import socket

import pytest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler, websocket_connect

from agent.lab.undelayed import send_at_once


@pytest.mark.parametrize("at_once", [False, True])
def test_small_messages_do_not_wait_for_one_another(at_once: bool) -> None:
    """Tornado by itself leaves Nagle's algorithm on."""
    delays: list[int] = []

    class Channels(WebSocketHandler):
        def on_message(self, message: str | bytes) -> None:
            assert self.ws_connection is not None
            stream = self.ws_connection.stream  # type: ignore[attr-defined]
            delays.append(stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            self.write_message(message)

    async def talk() -> None:
        listener, port = bind_unused_port()
        server = HTTPServer(Application([("/channels", Channels)]))
        server.add_socket(listener)
        client = await websocket_connect(f"ws://127.0.0.1:{port}/channels")
        for _ in range(2):
            await client.write_message("a cell")
            assert await client.read_message() == "a cell"
        client.close()
        server.stop()
        await server.close_all_connections()

    if at_once:
        send_at_once(Channels)
    asyncio.run(talk())
    assert delays == [int(at_once)] * 2
