"""A folder that is fetched: whole under its name or not at all, and never beside it."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from portal.client.file_trees import fetch_tree
from portal.client.http import ApiError, PortalUnavailable


class FakePortal:
    def __init__(self, raw: bytes, error: Exception | None = None) -> None:
        self._raw = raw
        self._error = error

    @contextmanager
    def download(self, *_: Any, **__: Any) -> Iterator[Any]:
        yield self

    def iter_raw(self, size: int) -> Iterator[bytes]:
        for offset in range(0, len(self._raw), 700):
            yield self._raw[offset : offset + 700]
        if self._error:
            raise self._error


def tar(*names: str, link: tuple[str, str] | None = None) -> bytes:
    """Return an archive: folders end in a slash, everything else is a file; the link comes first below the top."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, name in enumerate(names):
            info = tarfile.TarInfo(name.rstrip("/"))
            if name.endswith("/"):
                info.type, info.mode = tarfile.DIRTYPE, 0o555
                archive.addfile(info)
            else:
                info.size = 2000
                archive.addfile(info, io.BytesIO(b"x" * 2000))
            if link and number == 0:
                info = tarfile.TarInfo(link[0])
                info.type, info.linkname = tarfile.SYMTYPE, link[1]
                archive.addfile(info)
    return out.getvalue()


def fetch(portal: FakePortal, local: Path) -> tuple[Path, bool]:
    return fetch_tree(portal, "~/a", local, lambda _: None)  # type: ignore[arg-type]


def test_whole_archive_gets_its_name_at_the_end(tmp_path: Path) -> None:
    target, whole = fetch(FakePortal(tar("a/", "a/b/", "a/b/c", "a/d", link=("a/l", "b/c"))), tmp_path)
    assert (target, whole) == (tmp_path / "a", True)
    assert (target / "l").read_bytes() == b"x" * 2000
    assert sorted(os.listdir(tmp_path)) == ["a"]


@pytest.mark.parametrize("cut", [512, 3000, 5000])
def test_archive_that_was_cut_off_leaves_nothing(tmp_path: Path, cut: int) -> None:
    raw = tar("a/", "a/b/", "a/b/c", "a/d")[:cut]
    with pytest.raises(PortalUnavailable):
        fetch(FakePortal(raw, PortalUnavailable.of("lost", "")), tmp_path)
    with pytest.raises(PortalUnavailable):
        fetch(FakePortal(tar("a/", "a/d"), PortalUnavailable.of("lost", "")), tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("names", [("a/", "a/../../b"), ("a/", "/b"), ("../b",)])
def test_nothing_is_written_beside_it(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "to").mkdir()
    with pytest.raises(ApiError, match="leads out"):
        fetch(FakePortal(tar(*names)), tmp_path / "to")
    assert os.listdir(tmp_path) == ["to"]
    assert os.listdir(tmp_path / "to") == []


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    (tmp_path / "away").mkdir()
    with pytest.raises(OSError, match="l"):
        fetch(FakePortal(tar("a/", "a/l/", "a/l/x", link=("a/l", str(tmp_path / "away")))), tmp_path / "to")
    assert os.listdir(tmp_path / "away") == []
    assert os.listdir(tmp_path / "to") == []


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(FileExistsError):
        fetch(FakePortal(tar("a/", "a/d")), tmp_path)
    assert (tmp_path / "a").read_text() == "mine"
    assert os.listdir(tmp_path) == ["a"]
