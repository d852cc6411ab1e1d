"""Following a file: whole for a reader that keeps up, moved forward for one that does not, never kept for anybody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from door import follow
from door.refused import Refused

CODE = """\
import pwd, sys
from door.follow import follow
entry = pwd.struct_passwd(("alice", "x", 1, 1, "", {home!r}, "/bin/sh"))
follow({{"path": "~/f", "offset": {offset}, "life_s": {life_s}}}, entry, {{}})
"""


class Following:
    """A follower in a process of its own, as the door is."""

    def __init__(self, home: Path, offset: int = 0, life_s: int = 20) -> None:
        code = CODE.format(home=str(home), offset=offset, life_s=life_s)
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def frame(self) -> tuple[dict[str, int], bytes]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "The follower has ended."
        frame: dict[str, int] = json.loads(line)
        return frame, self.process.stdout.read(frame["bytes"])

    def piece(self) -> tuple[dict[str, int], bytes]:
        while True:
            frame, piece = self.frame()
            if piece:
                return frame, piece

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(timeout=10) == 0
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Any]:
    started: list[Following] = []

    def begin(**more: int) -> Following:
        started.append(Following(tmp_path, **more))
        return started[-1]

    yield begin
    for following in started:
        following.end()


def test_file_is_followed_as_it_grows_from_where_one_was(begin: Any, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("old new ")
    following = begin(offset=4)
    frame, piece = following.piece()
    assert (piece, frame["offset"], frame["next_offset"], frame["skipped"]) == (b"new ", 4, 8, 0)
    with file.open("a") as stream:
        stream.write("more é")
    assert following.piece()[1].decode() == "more é"


def test_file_that_is_not_there_yet_is_waited_for(begin: Any, tmp_path: Path) -> None:
    following = begin()
    assert following.frame()[0]["size"] == 0
    (tmp_path / "f").write_text("there")
    assert following.piece()[1] == b"there"


def test_file_that_is_begun_anew_is_read_from_its_beginning(begin: Any, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("a long first life")
    following = begin()
    following.piece()
    (tmp_path / "g").write_text("second")
    (tmp_path / "g").replace(file)
    frame, piece = following.piece()
    assert (frame["offset"], piece) == (0, b"second")
    file.write_text("3")
    assert following.piece()[1] == b"3"


def test_reader_far_behind_is_moved_forward_to_a_line_and_told(begin: Any, tmp_path: Path) -> None:
    line = b"x" * 99 + b"\n"
    (tmp_path / "f").write_bytes(line * 100_000)
    frame, piece = begin().piece()
    assert frame["skipped"] == frame["offset"] > 10_000_000 - follow.NEAR - 1000
    assert piece.startswith(line)


def test_slow_reader_holds_the_follower_up_and_nothing_is_kept_for_it(begin: Any, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"")
    following = begin()
    following.frame()
    with file.open("ab") as stream:
        for _ in range(100):
            stream.write(b"y" * 999_999 + b"\n")
    time.sleep(1.5)  # an absence: it has had the time to read on
    status = Path(f"/proc/{following.process.pid}/status").read_text()
    resident = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
    assert resident < 60_000
    skipped, frame = 0, {"next_offset": 0}
    while frame["next_offset"] < file.stat().st_size:
        frame, _ = following.piece()
        skipped += frame["skipped"]
    assert skipped > 50_000_000


def test_end_from_the_end_counts(begin: Any, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    assert begin(offset=-3).piece()[1] == b"789"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f")
    with pytest.raises(Refused):
        follow.Follower(str(tmp_path / "f"), "~/f", 0).next()
    (tmp_path / "folder").mkdir()
    with pytest.raises(Refused):
        follow.Follower(str(tmp_path / "folder"), "~/folder", 0).next()


def test_it_ends_when_the_portal_has_gone(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    following = Following(tmp_path)
    following.piece()
    following.end()


def test_it_ends_when_its_time_is_up(tmp_path: Path) -> None:
    following = Following(tmp_path, life_s=1)
    assert following.process.wait(timeout=15) == 0
    following.end()
