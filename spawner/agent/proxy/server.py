"""The proxy's server: checks each request and passes it on, both ways at once, never faster than it is taken."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Callable, TypeVar

from . import messages, pages
from .forward import Rules, cookies_of
from .gate import Gate, LoginFailed, Refused
from .hub import HubAway
from .messages import PIECE, Cut, Malformed, Request

T = TypeVar("T")

HEAD_TIMEOUT_S = 30.0
HALF_CLOSED_S = 30.0
BACKLOG = 128


class Proxy(threading.Thread):
    def __init__(
        self,
        *,
        listener: socket.socket,
        gate: Gate,
        rules: Rules,
        connect: Callable[[], socket.socket],
        output: Callable[[], str],
        log: Callable[[str], None],
    ) -> None:
        """`connect`: a new connection to the app; `output`: the last lines that it wrote."""
        super().__init__(name="proxy", daemon=True)
        self._listener = listener
        self._gate = gate
        self._rules = rules
        self._connect = connect
        self._output = output
        self._log = log
        # The Hub may be slow while the app is not: each has threads of its own.
        self._asking = ThreadPoolExecutor(4, "proxy-hub")
        self._connecting = ThreadPoolExecutor(4, "proxy-app")
        self.last_used: float | None = None
        self.open = 0

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._come, sock=self._listener, limit=PIECE, backlog=BACKLOG)
        async with server:
            await server.serve_forever()

    def _used(self) -> None:
        self.last_used = time.time()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, which is one request."""
        self.open += 1
        try:
            request = await asyncio.wait_for(messages.read_request(reader), HEAD_TIMEOUT_S)
            if request is not None:
                refusal = await self._admit(request)
                if isinstance(refusal, bytes):
                    writer.write(refusal)
                    await writer.drain()
                else:
                    self._used()
                    await self._pass_on(request, refusal, reader, writer)
        except Malformed as error:
            with suppress(OSError):
                writer.write(self._page(400, "This request cannot be read", f"What is wrong: {error}."))
                await writer.drain()
        except (OSError, Cut, asyncio.TimeoutError):
            pass  # one of the two sides is gone; the other sees it when its connection closes
        except Exception as error:
            self._log(f"proxy: {error!r}")
        finally:
            self.open -= 1
            await _close(writer)

    # --- who may ---

    async def _admit(self, request: Request) -> bytes | str:
        """The name of the user whose request goes on to the app; or the whole answer that it gets instead."""
        rules, gate = self._rules, self._gate
        if request.path == rules.base_url.rstrip("/"):
            return pages.redirect(rules.base_url)
        if not request.path.startswith(rules.base_url):
            return self._page(404, "There is nothing at this address", "The session that was here may have ended.")
        cookies = cookies_of(request)
        try:
            if request.path == f"{rules.base_url}oauth_callback":
                query = request.target.partition("?")[2]
                target, new = await self._ask(lambda: gate.finish(query, cookies))
                return pages.redirect(target, *new)
            user = await self._ask(lambda: gate.who(request.get("authorization"), cookies))
        except LoginFailed as error:
            return self._page(403, "Not logged in", f"{error} Open the session again from the list of sessions.")
        except Refused as error:
            return self._page(403, "This session is somebody else's", f"You are {error}, who may not open it.")
        except HubAway:
            return self._page(503, "Nobody can log in just now", "JupyterHub does not answer. Try again in a minute.")
        if user is None:
            if _is_a_visit(request):
                start = gate.start(request.target)
                return pages.redirect(start.location, start.cookie)
            return self._page(403, "Not logged in", "Open the session from the list of sessions.")
        if not rules.same_origin(request):
            return self._page(403, "Not from this page", "Another site's page may not use this session.")
        return user

    async def _ask(self, work: Callable[[], T]) -> T:
        return await _in_thread(self._asking, work)

    def _page(self, status: int, title: str, text: str, output: str = "") -> bytes:
        return pages.page(status, title, text, portal=self._rules.portal_url, output=output)

    # --- passing on ---

    async def _pass_on(
        self, request: Request, user: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        body = messages.request_body(request)
        if request.get("expect").lower() == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        try:
            connection = await _in_thread(self._connecting, self._connect)
        except OSError:
            await self._say_silent(writer)
            return
        connection.setblocking(False)
        app_reader, app_writer = await asyncio.open_connection(sock=connection, limit=PIECE)
        sent = self._rules.to_app(request, user)
        app_writer.write(messages.head(f"{sent.method} {sent.target} HTTP/1.1", sent.headers))
        sending = asyncio.ensure_future(messages.copy(body, reader, app_writer, self._used))
        try:
            try:
                answer = await messages.read_response(app_reader)
            except (OSError, Cut, Malformed):
                await self._say_silent(writer)
                return
            passed = self._rules.to_browser(answer, request.get("host"))
            writer.write(messages.head(f"HTTP/1.1 {passed.status} {passed.reason}", passed.headers))
            if answer.status == 101 and request.wants_websocket:
                await sending
                await self._tunnel(reader, writer, app_reader, app_writer)
            elif answer.status != 101:
                await messages.copy(messages.response_body(answer, request.method), app_reader, writer, self._used)
        finally:
            sending.cancel()
            with suppress(OSError, Cut, Malformed, asyncio.CancelledError):
                await sending
            await _close(app_writer)

    async def _tunnel(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        app_reader: asyncio.StreamReader,
        app_writer: asyncio.StreamWriter,
    ) -> None:
        """Pass bytes both ways until both sides have ended, or one has and the other says nothing more."""
        ways = [
            asyncio.ensure_future(self._stream(reader, app_writer)),
            asyncio.ensure_future(self._stream(app_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait(ways, timeout=HALF_CLOSED_S)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await messages.copy_all(reader, writer, self._used)
        with suppress(OSError):
            writer.write_eof()

    async def _say_silent(self, writer: asyncio.StreamWriter) -> None:
        writer.write(
            self._page(502, "The app does not answer", "It may be busy, or it has ended.", output=self._output())
        )
        await writer.drain()


def _is_a_visit(request: Request) -> bool:
    """Whether somebody opens an address, so that a login may come between; scripts of a page get a plain refusal."""
    if request.method != "GET" or request.wants_websocket:
        return False
    mode = request.get("sec-fetch-mode")
    return mode == "navigate" if mode else "text/html" in request.get("accept")


async def _in_thread(pool: Executor, work: Callable[[], T]) -> T:
    """Do what blocks beside the loop."""
    return await asyncio.get_running_loop().run_in_executor(pool, work)


async def _close(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        writer.close()
        await writer.wait_closed()
