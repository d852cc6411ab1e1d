"""The connections to the app. A connection is kept for reuse for a few seconds after its request.

If the app closes a connection just as the next request arrives, that request fails. Therefore only requests that are
safe to repeat (RFC 9110, 9.2.1) use a kept connection, and are then repeated on a new one.
"""

from __future__ import annotations

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Callable

from .messages import Exchange, Request, Response
from .wire import Disconnected, Wire

SAFE = {"GET", "HEAD", "OPTIONS"}
PATIENCE_S = 5.0
KEPT_S = 10.0
KEPT_AT_MOST = 8

Connect = Callable[[float], socket.socket]
"""Makes a new connection to the app within some seconds; with none, at once, or it raises BlockingIOError."""


class AppSide:
    def __init__(self, connect: Connect, threads: ThreadPoolExecutor | None = None) -> None:
        self._connect = connect
        self._threads = threads or ThreadPoolExecutor(4, "proxy-app")
        self._kept: list[tuple[float, Wire]] = []

    async def ask(self, request: Request) -> tuple[Exchange, Response]:
        """Send a request without a body; return its exchange and the app's answer.

        Raises OSError, Disconnected, Malformed.
        """
        if request.method in SAFE and not request.wants_websocket:
            while self._kept:
                wire = self._kept.pop()[1]
                if wire.is_quiet():
                    with suppress(OSError, Disconnected):
                        return await _answer(wire, request)
                wire.close()
        return await _answer(await self.open(), request)

    async def open(self) -> Wire:
        """Open a new connection. Raises OSError."""
        try:
            return Wire(self._connect(0))
        except BlockingIOError:
            loop = asyncio.get_running_loop()
            return Wire(await loop.run_in_executor(self._threads, lambda: self._connect(PATIENCE_S)))

    def keep(self, wire: Wire) -> None:
        """Take back a connection whose request has ended, for reuse."""
        self._let_go_of_old_ones()
        if len(self._kept) < KEPT_AT_MOST and wire.is_quiet():
            self._kept.append((time.monotonic() + KEPT_S, wire))
            asyncio.get_running_loop().call_later(KEPT_S, self._let_go_of_old_ones)
        else:
            wire.close()

    def _let_go_of_old_ones(self) -> None:
        now = time.monotonic()
        for until, wire in self._kept:
            if until <= now:
                wire.close()
        self._kept = [connection for connection in self._kept if connection[0] > now]


async def _answer(wire: Wire, request: Request) -> tuple[Exchange, Response]:
    exchange = Exchange(wire, serving=False)
    try:
        exchange.send_request(request)
        await wire.flush()
        return exchange, await exchange.read_response()
    except BaseException:
        wire.close()
        raise
