"""A pretended TensorBoard package: the same way in, and a page that tells what it was asked."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.lab.tensorboards import TensorBoards

PROGRAM = """
import json, os, sys, threading
if os.environ.get("BOARD") == "broken":
    raise ImportError("no module named protobuf")
if os.environ.get("BOARD") == "silent":
    threading.Event().wait()

class TensorBoardServer:
    pass

class TensorBoard:
    def __init__(self, server_class):
        self.server_class = server_class
    def configure(self, argv):
        self.argv = argv
    def app(self, environ, start_response):
        seen = {key: value for key, value in environ.items() if key.startswith("HTTP_")}
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
        start_response("200 OK", [("Content-Type", "application/json"), ("Set-Cookie", "a=b"), ("X-Theirs", "1")])
        told = {"argv": self.argv, "seen": seen, "body": body, "path": environ["PATH_INFO"], "method":
                environ["REQUEST_METHOD"], "token": os.environ.get("JUPYTERHUB_API_TOKEN")}
        return [json.dumps(told).encode()]
    def launch(self):
        threading.Thread(target=self.server_class(self.app, None).serve_forever, daemon=True).start()
"""


class Log:
    def info(self, *value: Any) -> None:
        """Nobody reads it here."""


@pytest.fixture
async def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TensorBoards]:
    package = tmp_path / "site" / "tensorboard"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "program.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("JUPYTERHUB_API_TOKEN", "a secret")
    known = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: name if name == "tensorboard" else known(name, *more)
    )
    boards = TensorBoards(root=str(tmp_path), scratch=str(tmp_path / "scratch"), base_url="/user/alice/x/", log=Log())
    yield boards
    for board in boards.running():
        await boards.close(board.id)
