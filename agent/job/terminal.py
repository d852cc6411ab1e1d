"""The terminal app: shells of this node in a browser, `agent.pyz serve-terminal SOCKET [WORDS…]`.

A shell outlives the page that shows it (`frontend/src/terminal`): a user who comes back, or opens a second page, sees
the same shell with its last output.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress

from .app_page import NOT_FOUND, AppPage, Visit, packed
from .shell import Shell
from .websocket import WebSocket

MAX_SHELLS = 20
NAME = re.compile(r"[a-z0-9-]{1,32}")


def serve(arguments: list[str]) -> int:
    """Serve `SOCKET [WORDS…]`: the words precede the shell's command, to enter an environment."""
    path, *words = arguments
    with suppress(asyncio.CancelledError):
        asyncio.run(Terminal(_shell(words), packed("terminal.js")).serve(path))
    return 0


def _shell(words: list[str]) -> list[str]:
    """Return the user's own shell; inside an image, which may lack it, the best available."""
    if "enter-image" in words:
        return [*words, "/bin/sh", "-c", "command -v bash >/dev/null && exec bash; exec sh"]
    return [*words, os.environ.get("SHELL", "/bin/sh")]


class Terminal:
    def __init__(self, shell: list[str], script: bytes) -> None:
        self._shell = shell
        self._page = AppPage("Terminal", ("terminal.js", script), self._show)
        self._shells: dict[str, Shell] = {}

    async def serve(self, path: str) -> None:
        """Serve until SIGTERM, then hang up the shells."""
        server = await self._page.listen(path)
        serving = asyncio.ensure_future(server.serve_forever())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
        try:
            await serving
        finally:
            for shell in self._shells.values():
                shell.end()

    async def _show(self, visit: Visit) -> None:
        name = visit.request.path.rpartition("/")[2]
        if not NAME.fullmatch(name) or (name not in self._shells and len(self._shells) >= MAX_SHELLS):
            visit.writer.write(NOT_FOUND)
            return
        page = WebSocket(*visit)
        if name not in self._shells:
            self._shells[name] = Shell(self._shell, lambda: self._forget(name))
        await self._shells[name].show(page)

    def _forget(self, name: str) -> None:
        del self._shells[name]
