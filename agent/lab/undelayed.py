"""Sends what a websocket has to say at once, as tornado advises for small messages but does not do by itself.

A kernel answers with several small messages. With Nagle's algorithm the second waits until the first is acknowledged,
which the proxy's system delays: each cell, completion and keystroke in a terminal would take 40 ms longer.
"""

from __future__ import annotations

from typing import Any

from tornado.websocket import WebSocketHandler


def send_at_once(sockets: Any = WebSocketHandler) -> None:
    """Let all websockets of this process that open from now on be without delay."""
    detach = sockets._detach_stream  # noqa: SLF001  (Tornado's name)

    def detach_undelayed(self: WebSocketHandler) -> Any:
        stream = detach(self)
        stream.set_nodelay(True)
        return stream

    sockets._detach_stream = detach_undelayed  # noqa: SLF001  (same)
