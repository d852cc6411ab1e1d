"""What nobody can go on with is deleted in seven days; whatever else is in the folder stays."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from door import bulk as bulk_module
from door import parts
from tests.unit.door.files_asking import Do
from tests.unit.door.test_bulk import Bulk, Portal, bulk, portal

__all__ = ["Portal", "bulk", "portal"]

ID = "abcdefghijkmnpqrstuvwxyz"
OTHER = "b" * 24


@pytest.fixture
def in_eight_days(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    monkeypatch.setattr(parts.time, "time", lambda: now() + 8 * 86_400)


@pytest.fixture
def left(home: Path) -> Path:
    """A folder with the part of a file and of a folder, and with what only looks like one."""
    to = home / "to"
    (to / f".tree.{OTHER}.part" / "in").mkdir(parents=True)
    (to / f".tree.{OTHER}.part" / "in" / "f").write_text("f")
    (to / f".tree.{OTHER}.part" / "in").chmod(0o500)
    (to / f".big.{OTHER}.part").write_text("b")
    for name in (".mine.part", f".short.{'b' * 23}.part", f"seen.{OTHER}.part", ".get.1f-2e-3d.part", "data"):
        (to / name).write_text("mine")
    (home / "aim").write_text("aim")
    (to / f".link.{OTHER}.part").symlink_to(home / "aim")
    to.chmod(0o755)
    return to


STAYS = {
    ".mine.part",
    f".short.{'b' * 23}.part",
    f"seen.{OTHER}.part",
    ".get.1f-2e-3d.part",
    "data",
    f".link.{OTHER}.part",
}


def upload(act: Do) -> None:
    act("part_make", path="~/to/new", upload=ID, length=1, conflict="refuse")


@pytest.mark.usefixtures("in_eight_days")
def test_upload_takes_old_parts_of_files_along(act: Do, left: Path) -> None:
    upload(act)
    assert set(os.listdir(left)) == STAYS | {f".tree.{OTHER}.part", f".new.{ID}.part"}


@pytest.mark.usefixtures("in_eight_days")
def test_copy_takes_old_parts_along(bulk: Bulk, left: Path, home: Path) -> None:
    bulk("bulk_copy", ["~/aim"], "~/to")
    assert set(os.listdir(left)) == STAYS | {"aim"}
    assert (home / "aim").read_text() == "aim"


@pytest.mark.usefixtures("in_eight_days")
def test_folders_stay_where_others_may_write(bulk: Bulk, left: Path) -> None:
    left.chmod(0o1777)
    bulk("bulk_copy", ["~/aim"], "~/to")
    assert set(os.listdir(left)) == STAYS | {"aim", f".tree.{OTHER}.part"}


def test_what_is_newer_stays(act: Do, bulk: Bulk, left: Path) -> None:
    for name in os.listdir(left):
        os.utime(left / name, (1, 1), follow_symlinks=False)  # the time of a change cannot be set
    before = set(os.listdir(left))
    bulk("bulk_copy", ["~/aim"], "~/to")
    upload(act)
    assert set(os.listdir(left)) == before | {"aim", f".new.{ID}.part"}


@pytest.mark.usefixtures("in_eight_days")
def test_bounded(act: Do, left: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MAX_SEEN", 0)
    before = set(os.listdir(left))
    upload(act)
    assert set(os.listdir(left)) == before | {f".new.{ID}.part"}


def test_failed_copy_takes_away_only_what_it_has_made(bulk: Bulk, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shared folder, somebody puts one of the user's folders where the copy was."""
    (home / "to" / "precious").mkdir(parents=True)
    (home / "to" / "precious" / "f").write_text("years of work")
    (home / "data").mkdir()

    def swap(_: int, part: str, *__: Any, **___: Any) -> None:
        os.rename(home / "to" / part, home / "to" / "aside")
        os.rename(home / "to" / "precious", home / "to" / part)
        raise OSError(errno.ENOSPC, "")

    monkeypatch.setattr(bulk_module, "rename", swap)
    assert bulk("bulk_copy", ["~/data"], "~/to")["failed"] == 1
    assert (home / "to" / f".data.{ID}.part" / "f").read_text() == "years of work"


@pytest.mark.usefixtures("in_eight_days")
def test_folder_exchanged_at_the_last_moment_stays(
    bulk: Bulk, left: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "precious").mkdir()
    (home / "precious" / "f").write_text("years of work")
    real, part = os.open, f".tree.{OTHER}.part"

    def exchange(name: Any, *args: Any, **more: Any) -> int:
        if name == part:
            os.rename(left / part, left / "aside")
            os.rename(home / "precious", left / part)
        return real(name, *args, **more)

    monkeypatch.setattr(os, "open", exchange)
    bulk("bulk_copy", ["~/aim"], "~/to")
    assert (left / part / "f").read_text() == "years of work"
