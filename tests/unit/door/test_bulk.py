"""Copies, moves between file systems and deletions of whole folders: whole or not at all, and told."""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from door import arrange, trees
from door import bulk as bulk_module
from door.place import rename
from door.refused import Refused
from tests.unit.door.files_asking import Do, somebody_elses_link

ID = "abcdefghijkmnpqrstuvwxyz"
Bulk = Callable[..., dict[str, Any]]


class Portal:
    """The portal's ends of an act: `hang_up` as it does, `frames` that it has read."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self.stdin = os.fdopen(reading)
        self.buffer = io.BytesIO()

    def hang_up(self) -> None:
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    def frames(self, kind: str) -> list[Any]:
        return [frame[kind] for line in self.buffer.getvalue().splitlines() if kind in (frame := json.loads(line))]


@pytest.fixture
def portal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Portal]:
    portal = Portal()
    monkeypatch.setattr(trees, "TELL_S", 0)
    yield portal
    portal.hang_up()
    portal.stdin.close()


@pytest.fixture
def bulk(act: Do, portal: Portal, monkeypatch: pytest.MonkeyPatch) -> Bulk:
    def bulk(verb: str, paths: list[str], target: str | None = None, conflict: str = "refuse") -> dict[str, Any]:
        into = {} if target is None else {"target": target, "conflict": conflict}
        monkeypatch.setattr(sys, "stdin", portal.stdin)
        monkeypatch.setattr(sys, "stdout", portal)
        named = {"ids": paths} if verb == "bulk_empty" else {"paths": paths}
        return act(verb, operation=ID, life_s=60, **named, **into)

    return bulk


def codes(portal: Portal) -> list[str]:
    return [failure["code"] for failure in portal.frames("failure")]


@pytest.fixture
def tree(home: Path) -> Path:
    top = home / "data"
    (top / "in").mkdir(parents=True)
    (top / "a").write_bytes(b"x" * 3_000_000)
    (top / "in" / "run.sh").write_text("echo\n")
    (top / "in" / "run.sh").chmod(0o750)
    (top / "in" / "link").symlink_to("../a")
    (top / "in" / "nowhere").symlink_to("/nowhere")
    os.utime(top / "in" / "run.sh", ns=(10**18, 10**18 + 123_456_789))
    (top / "locked").mkdir()
    (top / "locked" / "f").write_text("f")
    (top / "locked").chmod(0o555)
    os.utime(top, (10**9, 10**9))
    (home / "to").mkdir()
    return top


def test_copy_keeps_contents_modes_times_and_links(bulk: Bulk, portal: Portal, tree: Path, home: Path) -> None:
    answer = bulk("bulk_copy", ["~/data"], "~/to")
    copied = home / "to" / "data"
    assert (answer["done"], answer["failed"], answer["left"], answer["stopped"]) == (1, 0, 0, False)
    assert (answer["entries"], answer["size"]) == (answer["entries_total"], answer["bytes_total"]) == (8, 3_000_006)
    assert (copied / "a").read_bytes() == (tree / "a").read_bytes()
    for name in (".", "in/run.sh", "locked"):
        was, now = (tree / name).stat(), (copied / name).stat()
        assert (stat.S_IMODE(was.st_mode), was.st_mtime_ns) == (stat.S_IMODE(now.st_mode), now.st_mtime_ns)
    assert os.readlink(copied / "in/link") == "../a"
    assert os.readlink(copied / "in/nowhere") == "/nowhere"
    assert os.listdir(home / "to") == ["data"]
    assert (tree / "a").exists()
    told = portal.frames("entries")
    assert len(told) > 5
    assert told == sorted(told)


def test_copy_lends_no_rights(bulk: Bulk, home: Path) -> None:
    (home / "to").mkdir()
    (home / "tool").write_text("x")
    (home / "tool").chmod(0o6755)
    bulk("bulk_copy", ["~/tool"], "~/to")
    assert stat.S_IMODE((home / "to" / "tool").stat().st_mode) == 0o755


def test_holes_stay_holes(bulk: Bulk, home: Path) -> None:
    (home / "to").mkdir()
    with (home / "sparse").open("wb") as file:
        file.seek(64 << 20)
        file.write(b"end")
        file.truncate(128 << 20)
    bulk("bulk_copy", ["~/sparse"], "~/to")
    copied = home / "to" / "sparse"
    assert copied.stat().st_size == 128 << 20
    assert copied.stat().st_blocks * 512 < 2 << 20
    with copied.open("rb") as file:
        file.seek(64 << 20)
        assert file.read(4) == b"end\0"


def test_special_files_are_left_out_and_named(bulk: Bulk, portal: Portal, tree: Path, home: Path) -> None:
    os.mkfifo(tree / "in" / "fifo")
    answer = bulk("bulk_copy", ["~/data"], "~/to")
    assert (answer["done"], answer["left"]) == (1, 1)
    assert portal.frames("omission")[0]["path"] == "~/data/in/fifo"
    assert not (home / "to/data/in/fifo").exists()
    assert (home / "to/data/in/run.sh").exists()
    os.mkfifo(home / "alone")
    bulk("bulk_copy", ["~/alone"], "~/to")
    assert codes(portal) == ["not_a_file"]


@pytest.mark.parametrize(
    ("paths", "target", "conflict", "code"),
    [
        (["~/data"], "~/data/in", "refuse", "invalid"),
        (["~/data"], "~", "refuse", "exists"),
        (["~/data/a"], "~/data", "replace", "exists"),
        (["~/missing"], "~/to", "refuse", "not_found"),
        (["~/data"], "~", "replace", "exists"),
    ],
)
def test_refusals_of_copies_change_nothing(
    bulk: Bulk, portal: Portal, tree: Path, home: Path, paths: list[str], target: str, conflict: str, code: str
) -> None:
    before = sorted(map(str, home.rglob("*")))
    assert bulk("bulk_copy", paths, target, conflict)["failed"] == 1
    assert codes(portal) == [code]
    assert sorted(map(str, home.rglob("*"))) == before


def test_taken_name(bulk: Bulk, tree: Path, home: Path) -> None:
    bulk("bulk_copy", ["~/data/a"], "~/data", "rename")
    assert (tree / "a (2)").stat().st_size == 3_000_000
    (home / "to" / "a").write_text("old")
    bulk("bulk_copy", ["~/data/a"], "~/to", "replace")
    assert (home / "to" / "a").stat().st_size == 3_000_000


def test_locked_folder_of_ones_own_is_deleted(bulk: Bulk, tree: Path) -> None:
    if not os.getuid():
        pytest.skip("root may write to locked folders")
    assert bulk("bulk_delete", ["~/data"])["done"] == 1
    assert not tree.exists()


def test_another_users_link_is_no_way_to_a_target(bulk: Bulk, tree: Path, home: Path) -> None:
    somebody_elses_link(home / "link", home / "to")
    with pytest.raises(Refused) as caught:
        bulk("bulk_copy", ["~/data"], "~/link")
    assert caught.value.code == "link"
    assert os.listdir(home / "to") == []


def full_after(monkeypatch: pytest.MonkeyPatch, pieces: int, number: int = errno.ENOSPC) -> None:
    write, left = os.pwrite, pieces

    def pwrite(fd: int, data: Any, offset: int) -> int:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(number, os.strerror(number))
        return write(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "disk_full"), (errno.EDQUOT, "quota")])
def test_full_disk_leaves_nothing_behind(
    bulk: Bulk, portal: Portal, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    full_after(monkeypatch, 2, number)
    assert bulk("bulk_copy", ["~/data"], "~/to")["failed"] == 1
    assert codes(portal) == [code]
    assert "~/to" in portal.frames("failure")[0]["message"]
    assert os.listdir(home / "to") == []


def test_copy_that_cannot_fit_is_refused_at_once(
    bulk: Bulk, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.statvfs(home)
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*real[:4], 1, *real[5:])))
    with pytest.raises(Refused) as caught:
        bulk("bulk_copy", ["~/data"], "~/to")
    assert caught.value.code == "disk_full"
    assert os.listdir(home / "to") == []


def test_portal_that_hangs_up_stops_a_copy_and_nothing_of_it_stays(
    bulk: Bulk, portal: Portal, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite

    def pwrite(fd: int, data: Any, offset: int) -> int:
        portal.hang_up()
        return write(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    answer = bulk("bulk_copy", ["~/data", "~/data/in"], "~/to")
    assert (answer["stopped"], answer["done"]) == (True, 0)
    assert os.listdir(home / "to") == []
    assert (tree / "a").stat().st_size == 3_000_000


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the target be on another file system, as far as a rename can tell."""

    def rename(*_: Any, **__: Any) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(arrange, "rename", rename)


@pytest.mark.usefixtures("elsewhere")
def test_move_between_file_systems(bulk: Bulk, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    answer = bulk("bulk_move", ["~/data"], "~/to")
    assert (answer["done"], answer["failed"], answer["left"]) == (1, 0, 0)
    assert not tree.exists()
    assert len(synced) == 3  # each file, before its source goes
    assert (home / "to/data/a").stat().st_size == 3_000_000
    assert (home / "to/data/locked/f").read_text() == "f"


@pytest.mark.usefixtures("elsewhere")
def test_move_that_cannot_take_everything_takes_nothing(bulk: Bulk, portal: Portal, tree: Path, home: Path) -> None:
    os.mkfifo(tree / "in" / "fifo")
    assert bulk("bulk_move", ["~/data"], "~/to")["failed"] == 1
    assert codes(portal) == ["not_a_file"]
    assert os.listdir(home / "to") == []
    assert (tree / "a").exists()


@pytest.mark.usefixtures("elsewhere")
def test_what_changed_during_a_move_stays(
    bulk: Bulk, portal: Portal, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(*args: Any, **more: Any) -> None:
        (tree / "in" / "run.sh").write_text("newer\n")
        (tree / "new").write_text("new")
        rename(*args, **more)

    monkeypatch.setattr(bulk_module, "rename", changed)
    assert bulk("bulk_move", ["~/data"], "~/to")["failed"] == 1
    assert codes(portal) == ["left"]
    assert sorted(item["path"] for item in portal.frames("omission")) == ["~/data/in/run.sh", "~/data/new"]
    assert (tree / "in" / "run.sh").read_text() == "newer\n"
    assert (tree / "new").read_text() == "new"
    assert not (tree / "a").exists()
    assert (home / "to/data/in/run.sh").read_text() == "echo\n"


def test_delete_for_good_follows_no_link(bulk: Bulk, tree: Path, home: Path) -> None:
    (home / "kept").mkdir()
    (home / "kept" / "f").write_text("f")
    (tree / "away").symlink_to(home / "kept")
    answer = bulk("bulk_delete", ["~/data"])
    assert (answer["done"], answer["failed"]) == (1, 0)
    assert not tree.exists()
    assert (home / "kept" / "f").exists()


def test_nobody_deletes_a_home(bulk: Bulk, portal: Portal, tree: Path, home: Path) -> None:
    bulk("bulk_delete", ["~/../home", str(home), str(home.parent)])
    assert set(codes(portal)) == {"invalid"}
    assert (tree / "a").exists()


def test_deletion_goes_on_after_a_failure(
    bulk: Bulk, portal: Portal, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = os.unlink

    def refuse(name: str, *, dir_fd: int | None = None) -> None:
        if name == "run.sh":
            raise PermissionError(errno.EACCES, "")
        unlink(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", refuse)
    answer = bulk("bulk_delete", ["~/data"])
    assert (answer["failed"], answer["left"]) == (1, 1)
    assert portal.frames("omission")[0]["path"] == "~/data/in/run.sh"
    assert [path.name for path in sorted(tree.rglob("*"))] == ["in", "run.sh"]


def test_emptying_the_bin(bulk: Bulk, act: Do, tree: Path, home: Path) -> None:
    (home / "b").write_text("b")
    (home / "c").write_text("c")
    act("bin_put", paths=["~/data", "~/b", "~/c"])
    ids = {item["name"]: item["id"] for item in act("bin_list", limit=10)["items"]}
    assert bulk("bulk_empty", [ids["b"]])["done"] == 1
    assert {item["name"] for item in act("bin_list", limit=10)["items"]} == {"data", "c"}
    assert bulk("bulk_empty", [])["done"] == 2
    bin_ = home / ".local/share/Trash"
    assert os.listdir(bin_ / "files") == os.listdir(bin_ / "info") == []


def test_emptying_takes_no_other_path(bulk: Bulk, portal: Portal, tree: Path) -> None:
    bulk("bulk_empty", ["~/data"])
    assert codes(portal) == ["invalid"]
    assert tree.exists()
