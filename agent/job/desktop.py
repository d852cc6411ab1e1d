"""The desktop app: an X server of this node in a browser, `agent.pyz serve-desktop SOCKET [WORDS…] Xvnc`.

TigerVNC's Xvnc is X server and VNC server in one. Its VNC side listens on a Unix socket beside the app's own, in a
folder that only its user may enter, and on no port; it needs no password, because the proxy has checked whoever comes
through here. Its X side listens where all X servers do, for programs that have the cookie in a file of that folder.

Guests, with whom the owner shares the desktop to look, see it and can do nothing in it (`onlooker.py`).

The page (`frontend/src/desktop`) is noVNC. Programs outlive it: a page that comes back sees the same desktop. The
session ends with the X server, or with the window manager ("Exit" in its menu).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import struct
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Sequence

from .app_page import NOT_FOUND, AppPage, Visit, packed
from .onlooker import NotAllowed, Onlooker
from .websocket import Closed, WebSocket

ADDRESS = "/rfb"
MAX_PAGES = 8  # a page more closes the one that has been open longest: it may be long gone; and so for onlookers'
PIECE = 65_536
SLOW_S = 20.0
START_S = 30.0
END_S = 1.0
OPTIONS = [
    *("-displayfd", "1"),  # it chooses a free display, and writes its number to its output
    *("-rfbport", "-1"),
    *("-rfbunixmode", "0600"),
    *("-SecurityTypes", "None"),
    *("-nolisten", "tcp"),
    *("-geometry", "1280x800"),
    *("-depth", "24"),
    *("-Log", "*:stderr:10"),  # errors and states, not each connection's figures
    "-AlwaysShared",
]
# A terminal to begin with, because a window manager alone shows an empty screen.
START = """
if command -v xsetroot >/dev/null; then xsetroot -solid '#37474f'; fi
if command -v xterm >/dev/null; then xterm -title Terminal -fa Monospace -fs 11 & fi
exec "$1"
"""
MANAGER = "openbox-session"
NOT_FOUND_STATUS = 127  # a shell's, for a program that does not exist
FAMILY_WILD = 0xFFFF
COOKIE = b"MIT-MAGIC-COOKIE-1"


class CannotStart(Exception):
    """The desktop cannot start; carries a sentence for the user."""


def serve(arguments: list[str]) -> int:
    """Serve `SOCKET WORDS…`; the last word is the X server, those before it enter an environment.

    PORTAL_DESKTOP in the environment names the window manager.
    """
    path, *words = arguments
    try:
        return asyncio.run(Desktop(words, Path(path).parent, packed("desktop.js")).serve(path))
    except CannotStart as error:
        print(error, file=sys.stderr, flush=True)
        return 1


class Desktop:
    def __init__(self, words: Sequence[str], folder: Path, script: bytes) -> None:
        """`folder`: one that only the user may enter, for sockets and the cookie."""
        *self._inside, self._server = words
        self._rfb = str(folder / "vnc.sock")  # a path as short as the app's own
        self._cookie = folder / "xauthority"
        self._page = AppPage("Desktop", ("desktop.js", script), self._show)
        self._manager = os.environ.get("PORTAL_DESKTOP") or MANAGER
        self._pages: list[asyncio.Task[None]] = []
        self._onlookers: list[asyncio.Task[None]] = []

    async def serve(self, path: str) -> int:
        """Serve until SIGTERM, or until the desktop ends; return its exit status. Raises CannotStart."""
        stopped = asyncio.ensure_future(asyncio.Event().wait())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.cancel)
        write_cookie(self._cookie)
        async with AsyncExitStack() as left:
            left.callback(stopped.cancel)
            x_server = await self._start_x()
            left.push_async_callback(_end, x_server)
            manager = await self._start_manager(await _display(x_server))
            left.push_async_callback(_end, manager)
            server = await self._page.listen(path)
            left.callback(server.close)
            ends = [asyncio.ensure_future(process.wait()) for process in (x_server, manager)]
            ended, _ = await asyncio.wait([stopped, *ends], return_when=asyncio.FIRST_COMPLETED)
            if manager.returncode == NOT_FOUND_STATUS:
                raise CannotStart(f"There is no window manager {self._manager} here. Tell the administrators.")
            return next((_status(end.result()) for end in ends if end in ended), 0)

    async def _start_x(self) -> asyncio.subprocess.Process:
        words = [*self._inside, self._server, *OPTIONS, "-auth", str(self._cookie), "-rfbunixpath", self._rfb]
        try:
            return await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        except OSError as error:
            raise CannotStart(f"{words[0]} cannot be started on this node: {error.strerror}.") from error

    async def _start_manager(self, display: str) -> asyncio.subprocess.Process:
        environment = {**os.environ, "DISPLAY": display, "XAUTHORITY": str(self._cookie)}
        words = [*self._inside, "/bin/sh", "-c", START, "sh", self._manager]
        return await asyncio.create_subprocess_exec(*words, env=environment)

    async def _show(self, visit: Visit) -> None:
        if visit.request.path != ADDRESS:
            visit.writer.write(NOT_FOUND)
            return
        reader, writer = await asyncio.open_unix_connection(self._rfb)
        try:
            page = WebSocket(*visit)
            onlooker, pages = (Onlooker(), self._onlookers) if visit.only_looks else (None, self._pages)
            showing = asyncio.ensure_future(bridge(page, reader, writer, onlooker))
            pages.append(showing)
            if len(pages) > MAX_PAGES:
                pages[0].cancel()
            try:
                with suppress(asyncio.CancelledError):
                    await showing
            finally:
                showing.cancel()
                pages.remove(showing)
        finally:
            writer.close()


async def bridge(
    page: WebSocket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, onlooker: Onlooker | None = None
) -> None:
    """Pass bytes between a page and the VNC server until either closes, or the page takes nothing for a while.

    With `onlooker` only what that one may say.
    """

    async def to_server() -> None:
        while True:
            data = (await page.receive()).data
            writer.write(onlooker.passes(data) if onlooker else data)
            await writer.drain()

    async def to_page() -> None:
        while True:
            piece = await reader.read(PIECE)
            if not piece:
                return
            await asyncio.wait_for(page.send(piece), SLOW_S)

    ways = [asyncio.ensure_future(to_server()), asyncio.ensure_future(to_page())]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        with suppress(Closed, NotAllowed, OSError, asyncio.TimeoutError):
            await asyncio.gather(*ways, return_exceptions=True)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Give the process a moment to end by itself; the agent kills what is left."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(process.wait(), END_S)


def _status(code: int) -> int:
    """Return the exit status for that of a process, which is negative for a signal."""
    return code if code >= 0 else 128 - code


def write_cookie(path: Path) -> None:
    """Write an Xauthority file (Xau(3)) with a random cookie for whatever display: of mode 0600."""
    entry = struct.pack(">HHHH", FAMILY_WILD, 0, 0, len(COOKIE)) + COOKIE + struct.pack(">H", 16)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(entry + secrets.token_bytes(16))


async def _display(x_server: asyncio.subprocess.Process) -> str:
    """Return the display that the X server has chosen, once it accepts connections. Raises CannotStart."""
    assert x_server.stdout is not None  # noqa: S101 - a pipe
    try:
        line = await asyncio.wait_for(x_server.stdout.readline(), START_S)
    except asyncio.TimeoutError:
        raise CannotStart(f"The X server did not start within {START_S:.0f} s.") from None
    if not line.strip().isdigit():
        raise CannotStart("The X server has ended before it was ready; what it wrote is above.")
    return f":{int(line)}"
