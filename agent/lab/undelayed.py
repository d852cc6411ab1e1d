"""Sends websocket messages without delay, as Tornado advises for small messages but does not do by itself.

A kernel answers with several small messages. With Nagle's algorithm, the second waits until the first is
acknowledged, which the proxy's machine delays: each cell, completion and keystroke in a terminal would take 40 ms more.
"""

from __future__ import annotations

from typing import Any

from tornado.websocket import WebSocketHandler


def send_at_once(sockets: Any = WebSocketHandler) -> None:
    """Turn off the delay for all websockets that this process opens from now on."""
    detach = sockets._detach_stream  # noqa: SLF001  (Tornado's name)

    def detach_undelayed(self: WebSocketHandler) -> Any:
        stream = detach(self)
        stream.set_nodelay(True)
        return stream

    sockets._detach_stream = detach_undelayed  # noqa: SLF001  (same)
