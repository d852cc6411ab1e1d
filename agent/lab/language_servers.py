"""Looks for language servers when a page first asks for them, not at each start of a session.

JupyterLab asks only once its user has switched language servers on. jupyter-lsp's search runs npm and R.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import Any, Callable


def look_when_asked(server: Any) -> None:
    """Put off jupyter-lsp's search; it has been loaded before us, and would search once the server runs."""
    manager = getattr(server, "language_server_manager", None)
    if manager is None:
        return
    looking = Looking(server, manager)
    manager.initialize = _nothing
    manager.ready = looking.done


def _nothing() -> None:
    """Stands for the search at the start."""


class Looking:
    """The search, once begun."""

    def __init__(self, server: Any, manager: Any) -> None:
        self._server = server
        self._manager = manager
        self._look: Callable[[], None] = manager.initialize
        self._task: asyncio.Task[None] | None = None

    async def done(self) -> bool:
        """Stand for the manager's `ready`, which all of its requests await."""
        if self._task is None:
            self._manager.initialize = self._look
            extension = importlib.import_module("jupyter_lsp.serverextension")
            uri = self._server.web_app.settings["page_config_data"]["virtualDocumentsUri"]
            self._task = asyncio.ensure_future(extension.initialize(self._server, uri))
        await asyncio.shield(self._task)
        return True
