"""What a page requests as it opens, but is done only when nobody waits any more."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from agent.lab import later


class IoLoop:
    def __init__(self) -> None:
        self.put_off: list[tuple[float, Any]] = []

    def call_later(self, delay_s: float, call: Any) -> None:
        self.put_off.append((delay_s, call))

    def pass_time(self) -> None:
        for _, call in self.put_off:
            call()


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> Any:
    class NbconvertRootHandler:
        async def get(self) -> None:
            done.append("formats")

    done: list[str] = []
    module: Any = ModuleType("jupyter_server.services.nbconvert.handlers")
    module.NbconvertRootHandler, module.done = NbconvertRootHandler, done
    for name in ("jupyter_server", "jupyter_server.services", "jupyter_server.services.nbconvert"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, later.FORMATS, None)  # an environment without nbconvert
    return module


async def test_language_servers_are_looked_for_once_and_later(monkeypatch: pytest.MonkeyPatch, handlers: Any) -> None:
    searches: list[str] = []
    manager = SimpleNamespace(initialize=lambda: searches.append("search"), ready=None)

    async def initialize(server: Any, uri: str) -> None:
        server.language_server_manager.initialize()
        searches.append(uri)

    extension: Any = ModuleType("jupyter_lsp.serverextension")
    extension.initialize = initialize
    monkeypatch.setitem(sys.modules, "jupyter_lsp", ModuleType("jupyter_lsp"))
    monkeypatch.setitem(sys.modules, "jupyter_lsp.serverextension", extension)
    settings = {"page_config_data": {"virtualDocumentsUri": "file:///virtual"}}
    loop = IoLoop()
    server = SimpleNamespace(io_loop=loop, language_server_manager=manager, web_app=SimpleNamespace(settings=settings))
    later.put_off(server)
    manager.initialize()  # what jupyter-lsp does once the server runs
    request = asyncio.ensure_future(manager.ready())
    await asyncio.sleep(0)
    assert (searches, request.done()) == ([], False)
    loop.pass_time()
    assert await request
    assert await manager.ready()
    assert searches == ["search", "file:///virtual"]
    assert {delay_s for delay_s, _ in loop.put_off} == {later.PUT_OFF_S}


async def test_export_formats_are_listed_later_by_jupyter_itself(handlers: Any) -> None:
    loop = IoLoop()
    later.put_off(SimpleNamespace(io_loop=loop))
    request = asyncio.ensure_future(handlers.NbconvertRootHandler().get())
    await asyncio.sleep(0)
    assert handlers.done == []
    loop.pass_time()
    await request
    assert handlers.done == ["formats"]
