"""A session's log: private, read in pieces, and nothing but a regular file."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from door.config import CONFIG
from door.log import open_log, read_log
from door.refused import Refused
from tests.unit.door.asking import entry


def read(home: Path, offset: int = 0, limit: int = 4096) -> dict[str, Any]:
    fields = {"user": "alice", "session": "abcdefghijkl", "offset": offset, "limit": limit}
    return read_log(fields, entry(home), CONFIG)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = Path(open_log("abcdefghijkl", entry(tmp_path), CONFIG))
    path.write_bytes(b"")
    return path


def test_log_is_made_private_with_its_folders(tmp_path: Path) -> None:
    path = Path(open_log("abcdefghijkl", entry(tmp_path), CONFIG))
    assert path == tmp_path / ".portal/sessions/abcdefghijkl.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_text().endswith("submitted by the portal\n")


def test_log_is_read_in_pieces_and_from_the_end(log: Path, tmp_path: Path) -> None:
    log.write_text("0123456789")
    assert read(tmp_path, 2, 3) == {"ok": True, "text": "234", "offset": 2, "next_offset": 5, "size": 10}
    assert read(tmp_path, -4)["text"] == "6789"
    assert read(tmp_path, -400)["text"] == "0123456789"
    assert read(tmp_path, 400) == {"ok": True, "text": "", "offset": 10, "next_offset": 10, "size": 10}


@given(st.text(), st.integers(1, 7))
def test_pieces_put_together_are_the_log_whatever_the_characters(text: str, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        Path(open_log("abcdefghijkl", entry(home), CONFIG)).write_bytes(text.encode(errors="replace"))
        offset, pieces = 0, []
        while True:
            piece = read(home, offset, max(4, limit))
            if piece["next_offset"] == offset:
                break
            offset = piece["next_offset"]
            pieces.append(piece["text"])
        assert "".join(pieces) == text.encode(errors="replace").decode()


@given(st.binary(max_size=64), st.integers(1, 8))
def test_any_bytes_are_read_to_the_end(content: bytes, limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        Path(open_log("abcdefghijkl", entry(home), CONFIG)).write_bytes(content)
        offset = 0
        for _ in range(len(content) + 1):
            offset = read(home, offset, limit)["next_offset"]
        assert offset == len(content)


def test_log_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path) == {"ok": True, "text": "", "offset": 0, "next_offset": 0, "size": 0}


@pytest.mark.parametrize("kind", ["symlink", "fifo", "folder"])
def test_what_is_no_plain_file_is_neither_read_nor_written(log: Path, tmp_path: Path, kind: str) -> None:
    log.unlink()
    if kind == "symlink":
        log.symlink_to("/etc/passwd")
    elif kind == "fifo":
        os.mkfifo(log)
    else:
        log.mkdir()
    for act in (lambda: read(tmp_path), lambda: open_log("abcdefghijkl", entry(tmp_path), CONFIG)):
        with pytest.raises(Refused) as caught:
            act()
        assert caught.value.answer["error"]["code"] == "home"


def test_home_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="No such file"):
        open_log("abcdefghijkl", entry(tmp_path / "gone"), CONFIG)
