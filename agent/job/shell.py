"""One shell on a pseudo-terminal, and the pages that show it."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import pty
import signal
import struct
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress

from .websocket import Closed, WebSocket

KEPT = 262_144  # bytes of scrollback sent to a page that connects later
PIECE = 65_536
SLOW_S = 20.0


class Shell:
    def __init__(self, argv: Sequence[str], ended: Callable[[], None]) -> None:
        """Start the shell; `ended` is called once, when it exits."""
        self._ended = ended
        self._kept = bytearray()
        self._pages: set[WebSocket] = set()
        self._typing = asyncio.Lock()  # a loop calls one writer per descriptor; this keeps two pages' input apart
        self._pid, self._descriptor = pty.fork()
        if self._pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            try:
                os.execvp(argv[0], list(argv))  # noqa: S606 - an argv list, no shell
            except OSError as error:
                os.write(2, f"{argv[0]}: {error.strerror}\r\n".encode())
            os._exit(127)
        os.set_blocking(self._descriptor, False)
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        """Pass on the shell's output, never faster than the pages take it, until it ends."""
        while True:
            piece = await self._piece()
            if not piece:
                break
            self._kept += piece
            del self._kept[:-KEPT]
            await asyncio.gather(*(self._pass(page, piece) for page in list(self._pages)))
        os.close(self._descriptor)
        _, status = await asyncio.get_running_loop().run_in_executor(None, os.waitpid, self._pid, 0)
        self._ended()
        message = json.dumps({"ended": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)})
        for page in list(self._pages):
            with suppress(Closed):
                await page.send_text(message)

    async def _piece(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        loop.add_reader(self._descriptor, _done, ready)
        try:
            await ready
            return os.read(self._descriptor, PIECE)
        except OSError:  # Linux reports like this that the last process on the terminal has exited
            return b""
        finally:
            loop.remove_reader(self._descriptor)

    async def _pass(self, page: WebSocket, piece: bytes) -> None:
        """Send to one page; drop it if it takes nothing for a while, so that it does not hold up the others."""
        try:
            await asyncio.wait_for(page.send(piece), SLOW_S)
        except (Closed, asyncio.TimeoutError):
            self._pages.discard(page)

    async def show(self, page: WebSocket) -> None:
        """Serve a page until it closes."""
        try:
            if self._kept:
                await page.send(bytes(self._kept))
            self._pages.add(page)
            while True:
                message = await page.receive()
                if message.text:
                    self._resize(message.data)
                else:
                    await self._write(message.data)
        except Closed:
            pass
        finally:
            self._pages.discard(page)

    async def _write(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        async with self._typing:
            while data:
                ready = loop.create_future()
                loop.add_writer(self._descriptor, _done, ready)
                try:
                    await ready
                finally:
                    loop.remove_writer(self._descriptor)
                data = data[self._take(data) :]

    def _take(self, data: bytes) -> int:
        """Write as much as the shell takes now; drop input after its end."""
        try:
            return os.write(self._descriptor, data[:PIECE])
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def _resize(self, message: bytes) -> None:
        """Resize to `[columns, rows]`; ignore anything else."""
        with suppress(ValueError, TypeError, OSError, struct.error):
            columns, rows = json.loads(message)
            fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self) -> None:
        with suppress(OSError):
            os.kill(self._pid, signal.SIGHUP)


def _done(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
