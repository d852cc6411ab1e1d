"""Archives of folders: everything that can be had, what cannot be had in words, and the rest of the disk never."""

from __future__ import annotations

import io
import os
import socket
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door import archive as module
from door.refused import Refused
from tests.unit.door.files_asking import Do
from tests.unit.door.test_transfer import frames

Archive = Callable[..., bytes]


@pytest.fixture
def archive(act: Do, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Pack; return the archive."""

    def archive(*paths: str, kind: str = "zip") -> bytes:
        out = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out))
        monkeypatch.setattr(os, "nice", lambda _: 0)
        assert act("archive_send", paths=list(paths), format=kind, life_s=60)["ok"]
        sys.stdout.flush()
        return b"".join(piece for _, piece in frames(out.getvalue()))

    return archive


def zipped(raw: bytes) -> zipfile.ZipFile:
    found = zipfile.ZipFile(io.BytesIO(raw))
    assert found.testzip() is None
    return found


def tarred(raw: bytes) -> tarfile.TarFile:
    return tarfile.open(fileobj=io.BytesIO(raw), errorlevel=2)


@pytest.fixture
def tree(home: Path) -> Path:
    top = home / "data"
    (top / "in" / "empty").mkdir(parents=True)
    (top / "a").write_bytes(b"x" * 3_000_000)
    (top / "random").write_bytes(os.urandom(600_000))
    (top / "in" / "grün 数据.txt").write_text("hello\n")
    (top / "in" / "run.sh").write_text("echo\n")
    (top / "in" / "run.sh").chmod(0o750)
    os.utime(top / "in" / "run.sh", (10**9, 10**9))
    (top / "in" / "link").symlink_to("../a")
    (top / "in" / "away").symlink_to("/etc")
    return top


def test_zip_has_everything(archive: Archive, tree: Path, tmp_path: Path) -> None:
    raw = archive("~/data")
    found = zipped(raw)
    assert sorted(found.namelist()) == [
        "data/", "data/a", "data/in/", "data/in/away", "data/in/empty/", "data/in/grün 数据.txt", "data/in/link",
        "data/in/run.sh", "data/random",
    ]  # fmt: skip
    assert found.read("data/a") == b"x" * 3_000_000
    assert found.getinfo("data/a").compress_size < 30_000
    assert found.read("data/random") == (tree / "random").read_bytes()
    assert stat.S_ISLNK(found.getinfo("data/in/away").external_attr >> 16)
    assert found.read("data/in/away") == b"/etc"
    assert found.getinfo("data/in/run.sh").external_attr >> 16 == stat.S_IFREG | 0o750
    assert found.getinfo("data/in/grün 数据.txt").flag_bits & 0x800  # the name is said to be in UTF-8
    (tmp_path / "x.zip").write_bytes(raw)
    subprocess.run(["unzip", "-q", "x.zip"], cwd=tmp_path, check=True)
    subprocess.run(["diff", "-r", "--no-dereference", "data", tree], cwd=tmp_path, check=True)


def test_tar_has_everything(archive: Archive, tree: Path, tmp_path: Path) -> None:
    os.link(tree / "a", tree / "hard")
    os.mkdir(os.fsencode(tree) + b"/\xff\xfe")
    (tmp_path / "x.tar").write_bytes(archive("~/data", kind="tar"))
    subprocess.run(["tar", "xf", "x.tar"], cwd=tmp_path, check=True)
    subprocess.run(["diff", "-r", "--no-dereference", "data", tree], cwd=tmp_path, check=True)
    found = (tmp_path / "data/in/run.sh").stat()
    assert (stat.S_IMODE(found.st_mode), found.st_mtime) == (0o750, 10**9)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_what_cannot_be_had_is_listed(archive: Archive, tree: Path, kind: str) -> None:
    os.mkfifo(tree / "in" / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        where = os.open(tree, os.O_PATH)
        listener.bind(f"/proc/self/fd/{where}/socket")
        os.close(where)
    raw = archive("~/data", "~/data/a", kind=kind)
    names = zipped(raw).namelist() if kind == "zip" else tarred(raw).getnames()
    assert names[-1] == "LEFT-OUT.txt"
    assert "a" in names
    listing = zipped(raw).read(names[-1]) if kind == "zip" else tarred(raw).extractfile(names[-1]).read()  # type: ignore[union-attr]
    assert sorted(listing.decode().splitlines()[1:]) == [
        "~/data/in/fifo: It is a device, FIFO or socket.",
        "~/data/socket: It is a device, FIFO or socket.",
    ]


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_unreadable_and_vanishing_files_do_not_end_an_archive(
    archive: Archive, tree: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(name: Any, flags: int, *args: Any, **more: Any) -> int:
        if name == "a":
            raise PermissionError(13, "")
        if name == "run.sh":
            raise FileNotFoundError(2, "")
        return real(name, flags, *args, **more)

    monkeypatch.setattr(os, "open", refuse)
    raw = archive("~/data", kind=kind)
    listing = zipped(raw).read("LEFT-OUT.txt") if kind == "zip" else tarred(raw).extractfile("LEFT-OUT.txt").read()  # type: ignore[union-attr]
    assert sorted(listing.decode().splitlines()[1:]) == [
        "~/data/a: It cannot be read.",
        "~/data/in/run.sh: It is gone.",
    ]


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_that_are_not_utf8(archive: Archive, tree: Path, kind: str) -> None:
    with open(os.fsencode(tree) + b"/gr\xfcn", "wb") as file:
        file.write(b"latin-1")
    raw = archive("~/data", kind=kind)
    if kind == "zip":
        assert zipped(raw).read("data/gr%FCn") == b"latin-1"
    else:
        assert "data/gr\udcfcn" in tarred(raw).getnames()


@pytest.mark.parametrize("left", [1 << 20, (1 << 20) + 100])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_file_that_shrinks_is_named(
    archive: Archive, tree: Path, kind: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.pread

    def shrinking(fd: int, most: int, offset: int) -> bytes:
        return real(fd, min(most, max(left - offset, 0)), offset)

    monkeypatch.setattr(os, "pread", shrinking)
    raw = archive("~/data", kind=kind)
    listing = zipped(raw).read("LEFT-OUT.txt") if kind == "zip" else tarred(raw).extractfile("LEFT-OUT.txt").read()  # type: ignore[union-attr]
    lost = 3_000_000 - left
    assert f"~/data/a: It became shorter while it was read: the last {lost} B are zeros.".encode() in listing


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_file_that_is_read_in_small_pieces_is_whole(
    archive: Archive, tree: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, real = (tree / "random").read_bytes(), os.pread
    monkeypatch.setattr(os, "pread", lambda fd, most, offset: real(fd, min(most, 1000), offset))
    raw = archive("~/data", kind=kind)
    got = zipped(raw).read("data/random") if kind == "zip" else tarred(raw).extractfile("data/random").read()  # type: ignore[union-attr]
    assert got == whole


def test_equal_names_stay_apart_and_nothing_leads_out(archive: Archive, tree: Path, home: Path) -> None:
    (home / "LEFT-OUT.txt").write_text("mine")
    os.mkfifo(tree / "fifo")
    names = zipped(archive("~/data/a", "~/data/../data/a", "~/LEFT-OUT.txt", "~/data/in/..")).namelist()
    assert [name for name in names if "/" not in name] == ["a", "a (2)", "LEFT-OUT.txt", "LEFT-OUT (2).txt"]
    assert not any(name.startswith(("/", "..")) for name in names)


@pytest.mark.parametrize(
    ("path", "code"), [("~/none", "not_found"), ("/dev/zero", "not_a_file"), ("~/data/in/fifo", "not_a_file")]
)
def test_what_is_not_there_is_refused_before_it_begins(act: Do, tree: Path, path: str, code: str) -> None:
    os.mkfifo(tree / "in" / "fifo")
    with pytest.raises(Refused) as caught:
        act("archive_send", paths=["~/data", path], format="zip", life_s=60)
    assert caught.value.code == code


def test_too_many_for_zip_are_refused_in_words(act: Do, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ZIP", 5)
    with pytest.raises(Refused, match="Choose tar instead"):
        act("archive_send", paths=["~/data"], format="zip", life_s=60)


def test_file_system_that_fails_ends_the_archive(archive: Archive, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", away)
    with pytest.raises(Refused, match="does not answer"):
        archive("~/data")


def test_tar_holds_no_names(archive: Archive, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    real = module.Tar.add

    def add(self: module.Tar, *args: Any, **more: Any) -> None:
        real(self, *args, **more)
        held.append(len(self.archive.members))  # type: ignore[attr-defined]

    monkeypatch.setattr(module.Tar, "add", add)
    archive("~/data", kind="tar")
    assert set(held) == {0}


def test_file_exchanged_for_a_link_is_not_followed(
    archive: Archive, tree: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "secret").write_text("secret")
    real = os.open

    def exchange(name: Any, *args: Any, **more: Any) -> int:
        if name == "a":
            (tree / "a").unlink()
            (tree / "a").symlink_to(home / "secret")
        return real(name, *args, **more)

    monkeypatch.setattr(os, "open", exchange)
    found = zipped(archive("~/data"))
    assert "data/a" not in found.namelist()
    assert b"~/data/a: It cannot be read." in found.read("LEFT-OUT.txt")
