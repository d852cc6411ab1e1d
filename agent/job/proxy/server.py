"""The proxy's server: checks each request, and hands it to what answers it."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import suppress
from typing import Callable

from . import pages
from .admission import Admission
from .app_side import AppSide, Connect
from .bar import Bar
from .forward import Rules
from .gate import Gate
from .guests import Guests
from .messages import Exchange, Request
from .open_ports import OpenPorts
from .passage import Passage
from .ssh import Ssh
from .wire import Disconnected, Malformed, Wire

HEAD_TIMEOUT_S = 30.0
IDLE_S = 600.0
BACKLOG = 128
ACCEPT_PAUSE_S = 1.0
WATCH_S = 10.0


class Proxy(threading.Thread):
    def __init__(
        self,
        *,
        listener: socket.socket,
        gate: Gate,
        rules: Rules,
        connect: Connect,
        output: Callable[[], str],
        log: Callable[[str], None],
        bar: Bar | None = None,
        ssh: Ssh | None = None,
        ports: OpenPorts | None = None,
        guests: Guests | None = None,
        watch_s: float = WATCH_S,
    ) -> None:
        """`output`: the last lines that the app wrote; `watch_s`: how often long-lived requests are checked again."""
        super().__init__(name="proxy", daemon=True)
        self._listener = listener
        self._rules = rules
        self._admission = Admission(gate, rules, guests)
        self._passage = Passage(rules, AppSide(connect), self._silent)
        self._output = output
        self._log = log
        self._bar = bar
        self._ssh = ssh
        self._ports = ports
        self._watch_s = watch_s
        self._serving: asyncio.Task[None] | None = None
        self._connections: dict[Wire, asyncio.Task[None]] = {}
        self._going_on: dict[Wire, Request] = {}
        self._following: dict[Wire, Request] = {}  # requests of the bar: a page that shows it is no use of the app
        self.last_used: float | None = None

    @property
    def open(self) -> int:
        """The number of requests in progress, websockets included."""
        return len(self._going_on)

    def run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    def stop(self) -> None:
        """End all connections, and accept no more."""
        if self._serving is not None:
            self._serving.get_loop().call_soon_threadsafe(self._serving.cancel)
            self.join()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        self._serving = asyncio.current_task()
        self._listener.listen(BACKLOG)
        self._listener.setblocking(False)
        watching = loop.create_task(self._watch())
        while not watching.done():
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError as error:  # for example no free descriptor
                self._log(f"proxy: {error!r}")
                await asyncio.sleep(ACCEPT_PAUSE_S)
                continue
            browser = Wire(connection)
            self._connections[browser] = loop.create_task(self._come(browser))

    async def _watch(self) -> None:
        """End long-lived requests, websockets above all, once their user may no longer enter."""
        while True:
            await asyncio.sleep(self._watch_s)
            for going_on in (self._going_on, self._following):
                for browser, request in list(going_on.items()):
                    if not await self._admission.still(request) and going_on.get(browser) is request:
                        self._connections[browser].cancel()

    def _used(self) -> None:
        self.last_used = time.time()

    async def _come(self, browser: Wire) -> None:
        """Serve one connection, one request after the other."""
        try:
            patience = HEAD_TIMEOUT_S
            while await self._answer(browser, patience):
                patience = IDLE_S
        except Malformed as error:
            with suppress(OSError):
                browser.write(self._page(400, "This request cannot be read", f"The problem: {error}."))
                await browser.flush()
        except (OSError, Disconnected, asyncio.TimeoutError):
            pass  # one side has closed; the other notices when its connection closes
        except Exception as error:
            self._log(f"proxy: {error!r}")
        finally:
            browser.close()
            del self._connections[browser]

    async def _answer(self, browser: Wire, patience: float) -> bool:
        """Answer the next request; return whether another may follow."""
        exchange = Exchange(browser, serving=True)
        request = await asyncio.wait_for(exchange.read_request(), patience)
        if request is None:
            return False
        visitor = await self._admission.of(request)
        if isinstance(visitor, bytes):
            browser.write(visitor)
            await browser.flush()
            return False
        user = visitor.name
        if self._ssh is not None and self._ssh.owns(request):
            self._going_on[browser] = request
            try:
                await self._ssh.answer(request, user, browser, self._used)
            finally:
                del self._going_on[browser]
            return False
        if self._bar is not None and self._bar.owns(request):
            self._following[browser] = request
            try:
                await self._bar.answer(request, user, exchange)
            finally:
                del self._following[browser]
            return False
        self._going_on[browser] = request
        try:
            if self._ports is not None and self._ports.owns(request):
                return await self._ports.answer(request, visitor, exchange, self._used)
            self._used()
            bar = self._bar if self._bar is not None and self._bar.wants(request, user) else None
            return await self._passage.pass_on(request, visitor, exchange, self._used, bar)
        finally:
            del self._going_on[browser]

    def _silent(self, _: Exception) -> bytes:
        text = "It may be busy, or may have ended."
        return self._page(502, "The app does not answer", text, output=self._output())

    def _page(self, status: int, title: str, text: str, output: str = "") -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url, output=output)
