"""Making, renaming, moving, and changing modes: nothing is replaced unasked, and no stranger's link is followed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from door import place
from tests.unit.door.files_asking import Do, refused, somebody_elses_link


def move(act: Do, *paths: str, target: str = "~/t", conflict: str = "refuse") -> dict[str, Any]:
    return act("file_move", paths=list(paths), target=target, conflict=conflict)


def test_folder_is_made_once(act: Do, home: Path) -> None:
    act("folder_make", path="~/new")
    assert (home / "new").stat().st_mode & 0o777 == 0o755
    assert refused(act, "folder_make", path="~/new") == "exists"
    assert refused(act, "folder_make", path="~/none/new") == "not_found"


@pytest.mark.parametrize("path", ["/", "~/..", "~/."])
def test_what_names_nothing_in_a_folder_is_refused(act: Do, path: str) -> None:
    assert refused(act, "folder_make", path=path) == "invalid"


@pytest.mark.parametrize("in_one_step", [True, False])
def test_rename_replaces_nothing(act: Do, home: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool) -> None:
    if not in_one_step:  # as on NFS
        monkeypatch.setattr(place, "renameat2", unsupported)
    (home / "a").write_text("a")
    (home / "b").write_text("b")
    (home / "folder").mkdir()
    assert refused(act, "file_rename", path="~/a", name="b") == "exists"
    assert refused(act, "file_rename", path="~/folder", name="b") == "exists"
    act("file_rename", path="~/a", name="c")
    act("file_rename", path="~/folder", name="d")
    assert sorted(os.listdir(home)) == ["b", "c", "d"]
    assert (home / "b").read_text() == "b"


def unsupported(*_: object) -> None:
    raise OSError(22, "Invalid argument")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b"])
def test_name_is_one_name(act: Do, home: Path, name: str) -> None:
    (home / "a").write_text("a")
    assert refused(act, "file_rename", path="~/a", name=name) == "invalid"


def test_move_tells_each_outcome(act: Do, home: Path) -> None:
    (home / "t").mkdir()
    (home / "t/b").write_text("old")
    (home / "a").write_text("a")
    (home / "b").write_text("b")
    answer = move(act, "~/a", "~/b", "~/none")
    assert [item["path"] for item in answer["done"]] == ["~/a"]
    assert [(item["path"], item["code"]) for item in answer["failed"]] == [("~/b", "exists"), ("~/none", "not_found")]
    assert (home / "t/b").read_text() == "old"
    assert move(act, "~/b", conflict="rename")["done"][0]["now"] == "b (2)"
    (home / "b").write_text("new")
    move(act, "~/b", conflict="replace")
    assert (home / "t/b").read_text() == "new"


def test_folder_does_not_go_into_itself(act: Do, home: Path) -> None:
    (home / "t/in").mkdir(parents=True)
    assert move(act, "~/t", target="~/t/in")["failed"][0]["code"] == "invalid"


def test_replacing_never_deletes_what_a_folder_holds(act: Do, home: Path) -> None:
    (home / "t/data").mkdir(parents=True)
    (home / "t/data/kept").write_text("")
    (home / "data").mkdir()
    assert move(act, "~/data", conflict="replace")["failed"][0]["code"] == "exists"
    assert (home / "t/data/kept").exists()


def test_strangers_link_is_not_followed(act: Do, home: Path, tmp_path: Path) -> None:
    (home / "precious").mkdir()
    (home / "precious/file").write_text("")
    shared = tmp_path / "shared"
    shared.mkdir()
    somebody_elses_link(shared / "x", home / "precious")
    assert refused(act, "folder_make", path=f"{shared}/x/new") == "link"
    assert refused(act, "file_rename", path=f"{shared}/x/file", name="y") == "link"
    assert move(act, f"{shared}/x/file", target=str(shared))["failed"][0]["code"] == "link"
    assert refused(act, "file_mode", path=f"{shared}/x/file", mode="777") == "link"
    assert os.listdir(home / "precious") == ["file"]


def test_own_links_are_followed_to_the_folder_and_kept(act: Do, home: Path) -> None:
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    act("folder_make", path="~/link/new")
    assert (home / "real/new").is_dir()
    act("file_rename", path="~/link", name="other")
    assert (home / "other").is_symlink()
    (home / "loop").symlink_to("loop")
    assert refused(act, "folder_make", path="~/loop/x") == "file"


def test_mode_changes_files_and_folders_alone(act: Do, home: Path) -> None:
    (home / "a").write_text("")
    (home / "d").mkdir()
    os.chmod(home / "d", 0o2755)  # noqa: S103  (the group bit is what the test is about)
    (home / "link").symlink_to("a")
    act("file_mode", path="~/a", mode="640")
    act("file_mode", path="~/d", mode="770")
    assert ((home / "a").stat().st_mode & 0o7777, (home / "d").stat().st_mode & 0o7777) == (0o640, 0o2770)
    assert refused(act, "file_mode", path="~/link", mode="777") == "not_a_file"
    assert refused(act, "file_mode", path="~/a", mode="4755") == "invalid"
