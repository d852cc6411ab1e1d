"""Puts off what JupyterLab's page requests as it opens but does not need yet, until its user no longer waits for it.

jupyter-lsp looks for language servers with a process of npm and one of R, and the list of export formats imports
nbconvert. Each takes half a second of a processor, while JupyterLab starts or its first notebook opens.
"""

from __future__ import annotations

import asyncio
import importlib
from contextlib import suppress
from typing import Any, Awaitable, Callable

PUT_OFF_S = 6.0
FORMATS = "nbconvert.exporters.base"


class Later:
    """Work that is done once, `PUT_OFF_S` after the server's start."""

    def __init__(self, server: Any, work: Callable[[], Awaitable[Any]]) -> None:
        self._work = work
        self._begun = asyncio.Event()
        self._tasks: list[asyncio.Future[Any]] = []
        server.io_loop.call_later(PUT_OFF_S, self._begin)

    def _begin(self) -> None:
        self._tasks.append(asyncio.ensure_future(self._work()))
        self._begun.set()

    async def done(self) -> bool:
        """Wait until it is done. Raises what the work raises."""
        await self._begun.wait()
        await asyncio.shield(self._tasks[0])
        return True


def put_off(server: Any) -> None:
    _put_off_language_servers(server)
    _put_off_formats(server, importlib.import_module("jupyter_server.services.nbconvert.handlers"))


def _put_off_language_servers(server: Any) -> None:
    """jupyter-lsp has been loaded before us, and searches once the server runs; its requests await `ready`."""
    manager = getattr(server, "language_server_manager", None)
    if manager is None:
        return
    search = manager.initialize

    async def initialize() -> None:
        manager.initialize = search
        extension = importlib.import_module("jupyter_lsp.serverextension")
        await extension.initialize(server, server.web_app.settings["page_config_data"]["virtualDocumentsUri"])

    manager.initialize = _nothing
    manager.ready = Later(server, initialize).done


def _nothing() -> None:
    """Stands for the search at the server's start."""


def _put_off_formats(server: Any, handlers: Any) -> None:
    async def load() -> None:
        with suppress(ImportError):  # Jupyter's own answer says so
            await asyncio.get_running_loop().run_in_executor(None, importlib.import_module, FORMATS)

    loaded, get = Later(server, load), handlers.NbconvertRootHandler.get

    async def get_later(handler: Any) -> None:
        await loaded.done()
        await get(handler)

    handlers.NbconvertRootHandler.get = get_later
