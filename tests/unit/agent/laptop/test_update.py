"""An update replaces the program only if the checksum matches."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from agent.laptop import update
from agent.laptop.errors import Failure

NEW = b"a new program"
OFFERED = {"version": "2", "sha256": hashlib.sha256(NEW).hexdigest(), "size": len(NEW)}


def serve(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    def fetch(method: str, url: str) -> tuple[int, bytes, dict[str, str]]:
        return 200, json.dumps(OFFERED).encode() if url.endswith(".json") else content, {}

    monkeypatch.setattr(update, "fetch", fetch)


def test_the_program_is_replaced_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "portal"
    program.write_bytes(b"old")
    program.chmod(0o755)
    serve(monkeypatch, NEW)
    assert update.update("https://portal", program) == "Updated to version 2."
    assert (program.read_bytes(), program.stat().st_mode & 0o777) == (NEW, 0o755)
    assert "up to date" in update.update("https://portal", program)


def test_a_broken_download_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "portal"
    program.write_bytes(b"old")
    serve(monkeypatch, NEW[:-1])
    with pytest.raises(Failure, match="checksum"):
        update.update("https://portal", program)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]
