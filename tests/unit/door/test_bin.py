"""The bin: the layout of freedesktop.org, and back to where things were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.unit.door.files_asking import Do, refused

BIN = ".local/share/Trash"


def test_there_and_back(act: Do, home: Path) -> None:
    (home / "my data").mkdir()
    (home / "my data/ä.txt").write_text("x")
    answer = act("bin_put", paths=["~/my data/ä.txt"])
    where = answer["done"][0]["now"]
    assert where == str(home / BIN / "files/ä.txt")
    info = (home / BIN / "info/ä.txt.trashinfo").read_text()
    assert info.startswith(f"[Trash Info]\nPath={home}/my%20data/%C3%A4.txt\nDeletionDate=2")
    item = act("bin_list", limit=10)["items"][0]
    assert (item["id"], item["path"], item["size"]) == (where, str(home / "my data/ä.txt"), 1)
    act("bin_restore", paths=[where])
    assert (home / "my data/ä.txt").read_text() == "x"
    assert act("bin_list", limit=10)["items"] == []
    assert os.listdir(home / BIN / "info") == []


def test_second_of_a_name_gets_another(act: Do, home: Path) -> None:
    for _ in range(2):
        (home / "a.txt").write_text("")
        act("bin_put", paths=["~/a.txt"])
    assert sorted(os.listdir(home / BIN / "files")) == ["a (2).txt", "a.txt"]


def test_restoring_replaces_nothing(act: Do, home: Path) -> None:
    (home / "a").write_text("old")
    where = act("bin_put", paths=["~/a"])["done"][0]["now"]
    (home / "a").write_text("new")
    assert act("bin_restore", paths=[where])["done"][0]["now"] == str(home / "a (2)")
    assert (home / "a").read_text() == "new"


def test_link_goes_itself_and_its_target_stays(act: Do, home: Path) -> None:
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    act("bin_put", paths=["~/link"])
    assert (home / "real").is_dir()
    assert (home / BIN / "files/link").is_symlink()


def test_home_and_bin_stay(act: Do, home: Path) -> None:
    (home / BIN / "files").mkdir(parents=True)
    assert act("bin_put", paths=[str(home)])["failed"][0]["code"] == "invalid"
    assert act("bin_put", paths=[f"~/{BIN}/files"])["failed"][0]["code"] == "invalid"
    assert act("bin_put", paths=["~/none"])["failed"][0]["code"] == "not_found"


def test_full_disk_leaves_everything_where_it_is(act: Do, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "a.txt").write_text("kept")
    real = os.open

    def on_a_full_disk(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        fd = real(path, flags, mode, dir_fd=dir_fd)
        if not str(path).endswith(".trashinfo"):
            return fd
        os.close(fd)
        return real("/dev/full", os.O_WRONLY)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", on_a_full_disk)
        assert act("bin_put", paths=["~/a.txt"])["failed"][0]["code"] == "disk_full"
    assert (home / "a.txt").read_text() == "kept"
    assert os.listdir(home / BIN / "info") == os.listdir(home / BIN / "files") == []


def test_other_file_system_has_its_own_bin(act: Do, home: Path) -> None:
    shm = Path("/dev/shm")
    if not os.access(shm, os.W_OK) or shm.stat().st_dev == home.stat().st_dev:
        pytest.skip("there is no second file system here")
    folder = shm / f"bin-test-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "a").write_text("a")
        where = act("bin_put", paths=[f"{folder}/a"])["done"][0]["now"]
        assert where.startswith("/dev/shm/")
        assert where.endswith(f"/.Trash-{os.getuid()}/files/a")
        assert [item["path"] for item in act("bin_list", limit=10)["items"]] == [f"{folder}/a"]
        act("bin_restore", paths=[where])
        assert (folder / "a").read_text() == "a"
    finally:
        (folder / "a").unlink(missing_ok=True)
        folder.rmdir()


def test_id_of_nothing_in_a_bin_is_refused(act: Do, home: Path) -> None:
    (home / "a").write_text("")
    assert act("bin_restore", paths=["~/a"])["failed"][0]["code"] == "invalid"
    assert refused(act, "bin_restore", paths=[]) == "invalid"
