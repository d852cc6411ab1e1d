"""Answers requests for ports in JupyterLab's sessions, where Jupyter is the server on the network.

Jupyter checks the login and hands the browser's connection over, on a Unix socket in the session's folder (mode 0700),
with what it has read from it. It holds its end of that socket for as long as the login lasts. Guests have no login at
Jupyter: their requests come marked, and are checked here.
"""

from __future__ import annotations

import array
import asyncio
import os
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Callable

from . import pages
from .forward import Visitor
from .guests import Guests, PortalAway, TooManyKeys
from .messages import Exchange, Request
from .open_ports import OpenPorts
from .wire import Malformed, Wire

LENGTH = struct.Struct("!I")
MOST_READ = 4 << 20
REQUEST_S = 5.0
USED_EVERY_S = 30.0
USED = b"+"
#: Added to the length: Jupyter has not checked who sent the request.
UNCHECKED = 1 << 31
WATCH_S = 10.0


class HandedOver:
    def __init__(
        self,
        ports: OpenPorts,
        *,
        owner: str,
        guests: Guests | None,
        portal_url: str,
        log: Callable[[str], None],
        watch_s: float = WATCH_S,
    ) -> None:
        """`owner`: the user that Jupyter lets in; `watch_s`: how often guests are checked again."""
        self._ports = ports
        self._guests = guests
        self._watch_s = watch_s
        self._owner = owner
        self._portal_url = portal_url
        self._log = log
        self._loop = asyncio.new_event_loop()
        self.last_used: float | None = None
        threading.Thread(target=self._loop.run_forever, name="ports", daemon=True).start()

    def take(self, connection: socket.socket) -> None:
        """Take one request from Jupyter and serve it to its end; takes over the connection."""
        try:
            connection.settimeout(REQUEST_S)
            client, raw, checked = _received(connection)
        except (OSError, ValueError, IndexError) as error:
            self._log(f"ports: {error!r}")
            connection.close()
            return
        connection.setblocking(False)
        asyncio.run_coroutine_threadsafe(self._serve(client, raw, connection, checked), self._loop)

    async def _serve(self, client: socket.socket, raw: bytes, holder: socket.socket, checked: bool) -> None:
        browser = Wire(client)
        browser.put_back(raw)
        answering = asyncio.ensure_future(self._answer(browser, holder, checked))
        held = asyncio.ensure_future(self._loop.sock_recv(holder, 1))
        try:
            await asyncio.wait([answering, held], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, held):
                task.cancel()
            outcome = (await asyncio.gather(answering, held, return_exceptions=True))[0]
            browser.close()
            holder.close()
        if isinstance(outcome, Exception) and not isinstance(outcome, (OSError, Malformed)):
            self._log(f"ports: {outcome!r}")

    async def _answer(self, browser: Wire, holder: socket.socket, checked: bool) -> None:
        exchange = Exchange(browser, serving=True)
        try:
            request = await asyncio.wait_for(exchange.read_request(), REQUEST_S)
        except Malformed as error:
            text = f"The problem: {error}."
            browser.write(pages.page(400, "This request cannot be read", text, portal=self._portal_url))
            await browser.flush()
            return
        if request is None:
            return
        # The next request on this connection may be another user's: Jupyter has to check it, on a new one.
        last = request._replace(minor=0)
        visitor = Visitor(self._owner) if checked else await self._guest(request)
        if isinstance(visitor, bytes):
            browser.write(visitor)
            await browser.flush()
            return
        serving = asyncio.ensure_future(self._ports.answer(last, visitor, exchange, lambda: self._used(holder)))
        watching = [] if checked else [asyncio.ensure_future(self._until_over(request))]
        try:
            await asyncio.wait([serving, *watching], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (serving, *watching):
                task.cancel()
            outcome = (await asyncio.gather(serving, *watching, return_exceptions=True))[0]
        if isinstance(outcome, Exception):
            raise outcome

    async def _guest(self, request: Request) -> Visitor | bytes:
        """Return the guest who sent the request, or the answer to send instead."""
        refusal = pages.page(403, "Not logged in", "Open the link that you were sent.", portal=self._portal_url)
        if self._guests is None:
            return refusal
        if self._guests.owns(request):
            return await self._guests.answer(request)
        try:
            guest = await self._guests.of(request)
        except (PortalAway, TooManyKeys) as error:
            return self._guests.unknown(error)
        return self._guests.over(request) or refusal if guest is None else guest

    async def _until_over(self, request: Request) -> None:
        """Wait until the guest may no longer enter."""
        while True:
            await asyncio.sleep(self._watch_s)
            with suppress(PortalAway, TooManyKeys):
                if self._guests is None or await self._guests.of(request) is None:
                    return

    def _used(self, holder: socket.socket) -> None:
        now = time.time()
        if self.last_used is None or now - self.last_used >= USED_EVERY_S:
            with suppress(OSError):
                holder.send(USED)
        self.last_used = now


def _received(connection: socket.socket) -> tuple[socket.socket, bytes, bool]:
    """Receive the browser's connection, what has been read from it, and whether Jupyter has checked the login.

    Raises OSError, ValueError, IndexError.
    """
    if _user_of(connection) != os.getuid():
        raise PermissionError("a request from another user")
    descriptors = array.array("i")
    head, ancillary, _, _ = connection.recvmsg(LENGTH.size, socket.CMSG_SPACE(descriptors.itemsize))
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    client = socket.socket(fileno=descriptors[0])
    try:
        left = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else MOST_READ + 1
        checked = left < UNCHECKED
        left &= ~UNCHECKED
        if left > MOST_READ:
            raise ValueError("the request is too large")
        raw = b""
        while len(raw) < left:
            piece = connection.recv(left - len(raw))
            if not piece:
                raise ConnectionAbortedError("Jupyter has closed the connection")
            raw += piece
    except BaseException:
        client.close()
        raise
    return client, raw, checked


def _user_of(connection: socket.socket) -> int:
    """Return the user at the other end (unix(7), SO_PEERCRED)."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", raw)[1])
