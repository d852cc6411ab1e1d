"""The parts of the portal's Jupyter extension do not depend on each other."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.websocket import WebSocketHandler

from agent import lab
from agent.lab import shared


class Log:
    def __init__(self) -> None:
        self.failed: list[str] = []

    def exception(self, text: str, *values: object) -> None:
        self.failed.append(text % values)


class BrokenApplication:
    """Whatever is asked of it fails."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_websockets_end_with_their_login_though_every_other_part_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    detach = WebSocketHandler._detach_stream  # noqa: SLF001  (Tornado's name, which a part replaces)
    monkeypatch.setattr(WebSocketHandler, "_detach_stream", detach)
    called: list[Any] = []
    log = Log()
    server = SimpleNamespace(
        identity_provider=SimpleNamespace(hub_auth=SimpleNamespace(user_for_token=None), get_user=None),
        io_loop=SimpleNamespace(add_callback=called.append),
        web_app=BrokenApplication(),
        log=log,
    )
    lab._load_jupyter_server_extension(server)  # noqa: SLF001  (Jupyter's name)
    assert [callback.__name__ for callback in called] == ["watch"]
    assert "The portal's extension could not add tensorboard." in log.failed


@pytest.mark.parametrize("held", [None, "", "http://portal.example/lab"])
def test_a_portal_that_holds_no_build_changes_nothing(monkeypatch: pytest.MonkeyPatch, held: str | None) -> None:
    """So it is until a new portal has copied JupyterLab's files."""
    if held is None:
        monkeypatch.delenv(shared.HELD, raising=False)
    else:
        monkeypatch.setenv(shared.HELD, held)
    server = SimpleNamespace(web_app=BrokenApplication())
    before = dict(vars(server))
    shared.share(server)
    assert vars(server) == before


def test_page_asks_for_a_rebuild_only_where_its_user_could_rebuild(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: dict[str, Any] = {"page_config_data": {"buildCheck": True}}
    apps = {"jupyterlab": [SimpleNamespace(app_dir=str(tmp_path))]}
    server: Any = SimpleNamespace(
        extension_manager=SimpleNamespace(extension_apps=apps), web_app=SimpleNamespace(settings=settings)
    )
    lab.skip_build_check(server)
    assert settings["page_config_data"]["buildCheck"] is True
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root can write everywhere
    lab.skip_build_check(server)
    assert settings["page_config_data"]["buildCheck"] is False
