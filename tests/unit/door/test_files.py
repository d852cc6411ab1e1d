"""Files as the door reads them: only regular files are opened, and everything is bounded.

That the user's rights end it is in tests/integration/test_files.py: here everything runs as one account.
"""

from __future__ import annotations

import base64
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from door.__main__ import parse
from door.config import CONFIG
from door.files import MAX_ENTRIES
from door.refused import Refused
from tests.unit.door.asking import entry

DEFAULTS: dict[str, dict[str, Any]] = {
    "look": {},
    "list": {"limit": 100},
    "read": {"offset": 0, "limit": 4096},
    "find": {"glob": "*", "depth": 4, "limit": 100},
}
Do = Callable[..., dict[str, Any]]


@pytest.fixture
def do(home: Path) -> Do:
    def do(verb: str, path: str, **changes: Any) -> dict[str, Any]:
        request = {"verb": verb, "user": "alice", "path": path, "deadline_s": 10} | DEFAULTS[verb] | changes
        _, fields, act = parse(json.dumps(request).encode())
        assert act is not None
        return act(fields, entry(home), CONFIG)

    return do


def refused(do: Do, *asked: str, **changes: Any) -> str:
    with pytest.raises(Refused) as caught:
        do(*asked, **changes)
    return str(caught.value.answer["error"]["code"])


def test_file_is_looked_at(do: Do, home: Path) -> None:
    (home / "a.py").write_text("x" * 600)
    results = do("look", "~/a.py")
    assert (results["kind"], results["size"], results["readable"], results["writable"]) == ("file", 600, True, True)
    assert base64.b64decode(results["head"]) == b"x" * 512
    assert results["path"] == str(home / "a.py")


def test_folder_the_home_itself_and_what_is_missing_are_told_apart(do: Do, home: Path) -> None:
    assert do("look", "~")["kind"] == do("look", str(home))["kind"] == do("look", "~/")["kind"] == "folder"
    missing = do("look", "~/not/there")
    assert (missing["kind"], missing["readable"], missing["writable"]) == ("missing", False, False)
    assert do("look", "~/new")["writable"]


def test_folder_is_listed_folders_first_with_odd_names(do: Do, home: Path) -> None:
    (home / "b").mkdir()
    for name in (b"a.txt", b"new\nline", "ünïcode".encode(), b"bytes-\xff"):
        Path(os.fsdecode(bytes(home) + b"/" + name)).write_bytes(b"12345")
    results = do("list", "~")
    assert [entry["name"] for entry in results["entries"]] == ["b", "a.txt", "bytes-\ufffd", "new\nline", "ünïcode"]
    assert [entry["kind"] for entry in results["entries"]] == ["folder", *["file"] * 4]
    assert results["entries"][1]["size"] == 5
    assert not results["truncated"]
    assert json.dumps(results).isascii()


def test_listing_of_a_large_folder_is_a_part_and_says_so(do: Do, home: Path) -> None:
    for number in range(30):
        (home / f"{number}").touch()
    results = do("list", "~", limit=10)
    assert (len(results["entries"]), results["truncated"]) == (10, True)
    assert not do("list", "~", limit=30)["truncated"]


def test_file_is_read_in_pieces_and_from_its_end(do: Do, home: Path) -> None:
    (home / "f").write_bytes(b"0123456789\xff")
    assert base64.b64decode(do("read", "~/f", offset=2, limit=3)["data"]) == b"234"
    assert base64.b64decode(do("read", "~/f", offset=-2)["data"]) == b"9\xff"
    behind = do("read", "~/f", offset=100)
    assert (behind["data"], behind["offset"], behind["size"]) == ("", 11, 11)
    (home / "f").write_bytes(b"0123456789")
    assert do("read", "~/f")["version"] != behind["version"]


def test_found_by_name_near_ones_first_and_not_through_links(do: Do, home: Path) -> None:
    (home / "a" / "b").mkdir(parents=True)
    for where in ("x.sh", "a/y.sh", "a/b/z.sh", "a/no.txt"):
        (home / where).touch()
    (home / "a" / "loop").symlink_to(home)
    assert [entry["name"] for entry in do("find", "~", glob="*.sh")["entries"]] == ["x.sh", "a/y.sh", "a/b/z.sh"]
    assert [entry["name"] for entry in do("find", "~", glob="*.sh", depth=1)["entries"]] == ["x.sh"]
    assert do("find", "~", limit=2)["truncated"]


def test_links_lead_where_they_lead(do: Do, home: Path) -> None:
    (home / "real").write_text("there")
    (home / "link").symlink_to("real")
    (home / "dead").symlink_to("nowhere")
    (home / "self").symlink_to("self")
    assert do("look", "~/link")["path"] == str(home / "real")
    assert base64.b64decode(do("read", "~/link")["data"]) == b"there"
    assert do("look", "~/dead")["kind"] == "missing"
    assert {entry["name"]: entry["kind"] for entry in do("list", "~")["entries"]}["dead"] == "other"
    assert refused(do, "look", "~/self") == "file"


@pytest.mark.parametrize("kind", ["fifo", "socket", "device", "folder"])
def test_what_is_no_plain_file_is_not_opened(do: Do, home: Path, kind: str) -> None:
    path = home / "it"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as result:
            result.bind(str(path))
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    assert refused(do, "read", "~/it") == "not_a_file"
    assert do("look", "~/it")["head"] == ""


def test_what_is_not_there_or_no_folder_is_told(do: Do, home: Path) -> None:
    (home / "f").touch()
    assert (
        refused(do, "read", "~/gone") == refused(do, "list", "~/gone") == refused(do, "find", "~/gone") == "not_found"
    )
    assert refused(do, "list", "~/f") == "not_a_folder"
    assert refused(do, "read", "~/f/g") == "not_found"
    assert refused(do, "look", "/" + "x" * 300) == "file"


@given(st.text(max_size=50))
def test_path_is_absolute_or_of_the_home_or_refused(path: str) -> None:
    request = {"verb": "look", "user": "alice", "path": path, "deadline_s": 5}
    try:
        taken = parse(json.dumps(request).encode())[1]["path"]
    except Refused:
        return
    assert taken == path
    assert path == "~" or path.startswith(("/", "~/"))
    assert "\0" not in path


@pytest.mark.parametrize("path", ["", "x", "~bob/x", "../x", "a\0b", "/\0", "/" + "x" * 4096, "/\ud800", 5, None])
def test_paths_that_are_none_are_refused(path: object) -> None:
    with pytest.raises(Refused):
        parse(json.dumps({"verb": "look", "user": "alice", "path": path, "deadline_s": 5}).encode())


@pytest.mark.parametrize(
    ("verb", "field", "value"),
    [("list", "limit", MAX_ENTRIES + 1), ("read", "limit", (1 << 20) + 1), ("find", "depth", 99), ("find", "glob", 1)],
)
def test_bounds_hold(do: Do, verb: str, field: str, value: object) -> None:
    assert refused(do, verb, "~", **{field: value}) == "invalid"
