"""Whole files in and out: what was cut is kept, and nothing incomplete ever has the file's name."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.refused import Refused
from tests.unit.door.files_asking import Do, refused, somebody_elses_link

ID = "abcdefghijkmnpqrstuvwxyz"
Talk = Callable[..., tuple[dict[str, Any], list[tuple[dict[str, Any], bytes]]]]


@pytest.fixture
def talk(act: Do, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Do a streaming act with `sent` on its input; return its answer and the frames before it."""

    def talk(verb: str, sent: bytes, **fields: Any) -> tuple[dict[str, Any], list[tuple[dict[str, Any], bytes]]]:
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
        answer = act(verb, **fields)
        sys.stdout.flush()
        return answer, frames(out.getvalue())

    return talk


def frames(raw: bytes) -> list[tuple[dict[str, Any], bytes]]:
    found = []
    while raw:
        line, _, raw = raw.partition(b"\n")
        frame = json.loads(line)
        found.append((frame, raw[: frame["bytes"]]))
        raw = raw[frame["bytes"] :]
    return found


def begin(act: Do, length: int, conflict: str = "refuse", path: str = "~/a") -> int:
    return int(act("part_make", path=path, upload=ID, length=length, conflict=conflict)["inode"])


def store(talk: Talk, sent: bytes, offset: int, length: int, path: str = "~/a", **changes: Any) -> dict[str, Any]:
    fields = {"conflict": "refuse", "modified": None, "sha256": None, "piece_sha256": None} | changes
    answer, _ = talk("part_store", sent, path=path, upload=ID, offset=offset, length=length, life_s=60, **fields)
    return answer


def test_cut_upload_goes_on_from_what_arrived(act: Do, talk: Talk, home: Path) -> None:
    inode = begin(act, 10)
    assert not store(talk, b"6\n0123", 0, 10)["done"]  # cut in the middle of a piece
    assert act("part_look", path="~/a", upload=ID, inode=inode)["offset"] == 4
    assert os.listdir(home) == [f".a.{ID}.part"]
    assert refused_store(talk, b"1\n4", 3, 10) == "offset"
    done = store(talk, b"3\n4563\n7890\n", 4, 10, modified=1_000_000)
    assert (done["done"], done["offset"]) == (True, 10)
    assert (home / "a").read_bytes() == b"0123456789"
    assert ((home / "a").stat().st_mode & 0o777, (home / "a").stat().st_mtime) == (0o644, 1_000_000)
    assert os.listdir(home) == ["a"]
    after = act("part_look", path="~/a", upload=ID, inode=inode)
    assert (after["offset"], after["done"]) == (10, True)


def refused_store(talk: Talk, sent: bytes, offset: int, length: int, **changes: Any) -> str:
    with pytest.raises(Refused) as caught:
        store(talk, sent, offset, length, **changes)
    return str(caught.value.answer["error"]["code"])


def test_damaged_file_never_gets_its_name(act: Do, talk: Talk, home: Path) -> None:
    begin(act, 3)
    assert refused_store(talk, b"3\nabc0\n", 0, 3, sha256="0" * 64) == "checksum"
    assert os.listdir(home) == []
    begin(act, 3)
    assert store(talk, b"3\nabc0\n", 0, 3, sha256=hashlib.sha256(b"abc").hexdigest())["done"]


def test_damaged_piece_is_dropped(act: Do, talk: Talk, home: Path) -> None:
    inode = begin(act, 4)
    store(talk, b"2\nab0\n", 0, 4)
    assert refused_store(talk, b"2\ncx0\n", 2, 4, piece_sha256=hashlib.sha256(b"cd").hexdigest()) == "checksum"
    assert act("part_look", path="~/a", upload=ID, inode=inode)["offset"] == 2


def test_name_taken_during_the_upload_is_not_replaced(act: Do, talk: Talk, home: Path) -> None:
    begin(act, 2)
    (home / "a").write_text("theirs")
    assert refused_store(talk, b"2\nab0\n", 0, 2) == "exists"
    assert (home / "a").read_text() == "theirs"
    assert store(talk, b"0\n", 2, 2, conflict="rename")["name"] == "a (2)"


def test_more_than_announced_is_refused(act: Do, talk: Talk, home: Path) -> None:
    begin(act, 2)
    assert refused_store(talk, b"3\nabc0\n", 0, 2) == "invalid"
    assert not (home / "a").exists()


def test_begin_says_what_is_in_the_way(act: Do, home: Path) -> None:
    (home / "a").write_text("")
    fields = {"path": "~/a", "upload": ID, "length": 1}
    assert refused(act, "part_make", conflict="refuse", **fields) == "exists"
    assert refused(act, "part_make", conflict="rename", **fields | {"length": 1 << 49}) == "disk_full"
    assert refused(act, "part_make", conflict="rename", **fields | {"path": "~/none/a"}) == "not_found"
    assert refused(act, "part_look", path="~/b", upload=ID, inode=1) == "not_found"


def test_drop_deletes_the_part(act: Do, home: Path) -> None:
    begin(act, 5)
    act("part_drop", path="~/a", upload=ID)
    assert os.listdir(home) == []


def test_strangers_link_is_no_target(act: Do, home: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    somebody_elses_link(shared / "x", home)
    fields = {"upload": ID, "length": 1, "conflict": "refuse"}
    assert refused(act, "part_make", path=f"{shared}/x/a", **fields) == "link"


def test_file_is_sent_from_an_offset(act: Do, talk: Talk, home: Path) -> None:
    (home / "a").write_bytes(bytes(range(256)) * 2000)
    _, sent = talk("file_send", b"100\n300000\n", path="~/a", life_s=60)
    assert sent[0][0]["size"] == 512_000
    assert b"".join(piece for _, piece in sent) == (bytes(range(256)) * 2000)[100:300_100]
    assert len(sent) == 3
    _, sent = talk("file_send", b"", path="~/a", life_s=60)
    assert [piece for _, piece in sent] == [b""]


def test_file_that_shrinks_is_not_passed_off_as_whole(act: Do, talk: Talk, home: Path) -> None:
    (home / "a").write_bytes(b"abc")
    with pytest.raises(Refused, match="shorter"):
        talk("file_send", b"0\n10\n", path="~/a", life_s=60)
