"""Language servers are looked for when a page asks, and once."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from agent.lab.language_servers import look_when_asked

URI = "file:///home/alice/.virtual_documents"


class Manager:
    """As jupyter-lsp's: its search fills in what there is."""

    def __init__(self) -> None:
        self.searches = 0

    def initialize(self) -> None:
        self.searches += 1

    async def ready(self) -> bool:
        raise AssertionError("Its requests would wait for the search at the start.")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """With jupyter-lsp's extension pretended: what its start was given."""
    uris: list[str] = []
    extension = ModuleType("jupyter_lsp.serverextension")

    async def initialize(server: Any, uri: str) -> None:
        uris.append(uri)
        await asyncio.to_thread(server.language_server_manager.initialize)

    monkeypatch.setattr(extension, "initialize", initialize, raising=False)
    monkeypatch.setitem(sys.modules, "jupyter_lsp", ModuleType("jupyter_lsp"))
    monkeypatch.setitem(sys.modules, "jupyter_lsp.serverextension", extension)
    return uris


async def test_the_search_waits_for_a_page_that_asks_and_is_done_once(begun: list[str]) -> None:
    manager = Manager()
    settings = {"page_config_data": {"virtualDocumentsUri": URI}}
    look_when_asked(SimpleNamespace(language_server_manager=manager, web_app=SimpleNamespace(settings=settings)))
    manager.initialize()  # as jupyter-lsp does once the server runs
    assert manager.searches == 0

    assert all(await asyncio.gather(manager.ready(), manager.ready()))
    assert await manager.ready()
    assert manager.searches == 1
    assert begun == [URI]


def test_a_jupyter_without_language_servers_has_nothing_to_put_off() -> None:
    server = SimpleNamespace()
    look_when_asked(server)
    assert vars(server) == {}
