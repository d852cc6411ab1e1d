"""The proxy's server: checks each request and passes it on in both directions, with backpressure."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import suppress
from typing import Callable

from . import messages, pages
from .admission import Admission
from .app_side import AppSide, Connect
from .bar import Bar, lengthened
from .forward import Rules
from .gate import Gate
from .messages import NO_BODY, Exchange, Request, Response
from .ssh import Ssh
from .wire import Disconnected, Malformed, Wire

HEAD_TIMEOUT_S = 30.0
IDLE_S = 600.0
HALF_CLOSED_S = 30.0
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
        watch_s: float = WATCH_S,
    ) -> None:
        """`output`: the last lines that the app wrote; `watch_s`: how often long-lived requests are checked again."""
        super().__init__(name="proxy", daemon=True)
        self._listener = listener
        self._rules = rules
        self._admission = Admission(gate, rules)
        self._apps = AppSide(connect)
        self._output = output
        self._log = log
        self._bar = bar
        self._ssh = ssh
        self._watch_s = watch_s
        self._connections: dict[Wire, asyncio.Task[None]] = {}
        self._going_on: dict[Wire, Request] = {}
        self._following: dict[Wire, Request] = {}  # requests of the bar: a page that shows it is no use of the app
        self.last_used: float | None = None

    @property
    def open(self) -> int:
        """The number of requests in progress, websockets included."""
        return len(self._going_on)

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
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
        user = await self._admission.of(request)
        if isinstance(user, bytes):
            browser.write(user)
            await browser.flush()
            return False
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
        self._used()
        self._going_on[browser] = request
        try:
            return await self._pass_on(request, user, exchange)
        finally:
            del self._going_on[browser]

    # --- passing on ---

    async def _pass_on(self, request: Request, user: str, browser: Exchange) -> bool:
        browser.go_ahead()
        await browser.wire.flush()
        bar = self._bar if self._bar is not None and self._bar.wants(request, user) else None
        sent = self._rules.to_app(bar.plainly(request) if bar else request, user)
        sending: asyncio.Task[None] | None = None
        app: Exchange | None = None
        try:
            try:
                if browser.body == NO_BODY:
                    app, answer = await self._apps.ask(sent)
                else:
                    app = Exchange(await self._apps.open(), serving=False)
                    app.send_request(sent)
                    sending = asyncio.ensure_future(self._send(browser, app))
                    answer = await app.read_response()
            except (OSError, Disconnected, Malformed):
                await self._say_silent(browser.wire)
                return False
            addition = bar.addition(answer) if bar and app.body != NO_BODY else b""
            goes_on = await self._pass_back(request, answer, app, browser, addition)
            if sending is not None and not sending.done():
                return False
            if goes_on and messages.goes_on(answer):
                self._apps.keep(app.wire)
                app = None
            return goes_on
        finally:
            if sending is not None:
                sending.cancel()
                with suppress(OSError, Disconnected, Malformed, asyncio.CancelledError):
                    await sending
            if app is not None:
                app.wire.close()

    async def _send(self, browser: Exchange, app: Exchange) -> None:
        """Send the request's body; do not wait for an app that will never take all of it."""
        try:
            await browser.pass_body(app, self._used)
        except BaseException:
            app.wire.abort()
            raise

    async def _pass_back(
        self, request: Request, answer: Response, app: Exchange, browser: Exchange, addition: bytes
    ) -> bool:
        """Copy the answer; return whether another request may follow on the browser's connection."""
        goes_on = messages.goes_on(request)
        answer = lengthened(answer, len(addition))
        browser.send_response(self._rules.to_browser(answer, request.get("host"), goes_on=goes_on))
        if answer.status == 101:
            await browser.wire.flush()
            await self._tunnel(browser.wire, app.wire)
            return False
        await app.pass_body(browser, self._used, addition)
        return goes_on

    async def _tunnel(self, browser: Wire, app: Wire) -> None:
        """Pass bytes both ways until both sides end, or one ends and the other stays silent."""
        directions = [
            asyncio.ensure_future(self._stream(browser, app)),
            asyncio.ensure_future(self._stream(app, browser)),
        ]
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait(directions, timeout=HALF_CLOSED_S)
        finally:
            for direction in directions:
                direction.cancel()
            await asyncio.gather(*directions, return_exceptions=True)

    async def _stream(self, source: Wire, target: Wire) -> None:
        await source.pour(target, None, self._used)
        target.write_eof()

    async def _say_silent(self, browser: Wire) -> None:
        browser.write(
            self._page(502, "The app does not answer", "It may be busy, or may have ended.", output=self._output())
        )
        await browser.flush()

    def _page(self, status: int, title: str, text: str, output: str = "") -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url, output=output)
