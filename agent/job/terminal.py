"""The terminal app: shells of this node in a browser, `agent.pyz serve-terminal SOCKET [WORDS…]`.

It serves a page (its script is `frontend/src/terminal`, packed into the agent) and the shells' websockets on a Unix
socket; the proxy has already checked the user. A shell outlives the page that shows it: a user who comes back, or opens
a second page, sees the same shell with its last output.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import pkgutil
import re
import signal
from contextlib import suppress
from html import escape

from .proxy.messages import Request, parse_request, whole
from .proxy.wire import EMPTY_LINE, Malformed
from .shell import Shell
from .websocket import Closed, WebSocket

MAX_SHELLS = 20
NAME = re.compile(r"[a-z0-9-]{1,32}")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Terminal · {node}</title>
<script type="module" src="terminal.js"></script>
<script type="module" src=".portal/frame.js"></script>
</head>
<body data-node="{node}"><header id="portal-session"></header><noscript>A terminal needs JavaScript.</noscript></body>
</html>
"""
SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; "
    "font-src 'self' data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
NOT_FOUND = whole(404, "Not Found", [])


def serve(arguments: list[str]) -> int:
    """Serve `SOCKET [WORDS…]`: the words precede the shell's command, to enter an environment."""
    path, *words = arguments
    script = pkgutil.get_data(__package__ or "", "terminal.js") or b""
    with suppress(asyncio.CancelledError):
        asyncio.run(Terminal(_shell(words), script).serve(path))
    return 0


def _shell(words: list[str]) -> list[str]:
    """Return the user's own shell; inside an image, which may lack it, the best available."""
    if "enter-image" in words:
        return [*words, "/bin/sh", "-c", "command -v bash >/dev/null && exec bash; exec sh"]
    return [*words, os.environ.get("SHELL", "/bin/sh")]


class Terminal:
    def __init__(self, shell: list[str], script: bytes) -> None:
        self._shell = shell
        self._script = gzip.compress(script, 6)  # every browser accepts it
        self._shells: dict[str, Shell] = {}

    async def serve(self, path: str) -> None:
        """Serve until SIGTERM, then hang up the shells."""
        server = await asyncio.start_unix_server(self._come, path)
        serving = asyncio.ensure_future(server.serve_forever())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
        try:
            await serving
        finally:
            for shell in self._shells.values():
                shell.end()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = parse_request(await reader.readuntil(EMPTY_LINE))
            if request.wants_websocket:
                await self._show(request, reader, writer)
            elif request.path == "/":
                writer.write(_found(self._page(), "text/html"))
            elif request.path == "/terminal.js":
                writer.write(_found(self._script, "text/javascript", ("Content-Encoding", "gzip")))
            else:
                writer.write(NOT_FOUND)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, Malformed, Closed):
            pass  # the page was closed
        finally:
            writer.close()

    async def _show(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = request.path.rpartition("/")[2]
        if not NAME.fullmatch(name) or (name not in self._shells and len(self._shells) >= MAX_SHELLS):
            writer.write(NOT_FOUND)
            return
        page = WebSocket(request, reader, writer)
        if name not in self._shells:
            self._shells[name] = Shell(self._shell, lambda: self._forget(name))
        await self._shells[name].show(page)

    def _forget(self, name: str) -> None:
        del self._shells[name]

    @staticmethod
    def _page() -> bytes:
        node = os.environ.get("SLURMD_NODENAME", os.uname().nodename)
        return PAGE.format(node=escape(node, quote=True)).encode()


def _found(content: bytes, kind: str, *more: tuple[str, str]) -> bytes:
    headers = [
        *more,
        ("Content-Type", f"{kind}; charset=utf-8"),
        ("Content-Security-Policy", SECURITY),
        ("Cache-Control", "no-store"),
    ]
    return whole(200, "OK", headers, content)
