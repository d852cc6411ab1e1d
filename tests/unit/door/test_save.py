"""Saving a text: whole or not at all, and never over a version that was not read."""

from __future__ import annotations

import base64
import errno
import os
from pathlib import Path
from typing import Any

import pytest

from door import place, save
from tests.unit.door.files_asking import Do, refused, somebody_elses_link


def fields(text: str, version: str | None, path: str = "~/a") -> dict[str, Any]:
    return {"path": path, "version": version, "content": base64.b64encode(text.encode()).decode()}


def version(act: Do, path: str = "~/a") -> str:
    return str(act("read", path=path, offset=0, limit=1)["version"])


def test_new_file_replaces_nothing(act: Do, home: Path) -> None:
    act("save", **fields("one", None))
    assert (home / "a").read_text() == "one"
    assert (home / "a").stat().st_mode & 0o777 == 0o644
    assert refused(act, "save", **fields("two", None)) == "exists"
    assert os.listdir(home) == ["a"]


@pytest.mark.parametrize("in_one_step", [True, False])
def test_second_of_two_editors_is_refused(
    act: Do, home: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(save, "renameat2", unsupported)
    (home / "a").write_text("one")
    os.chmod(home / "a", 0o600)
    read = version(act)
    answer = act("save", **fields("mine", read))
    assert refused(act, "save", **fields("theirs", read)) == "changed_meanwhile"
    act("save", **fields("mine again", answer["version"]))
    assert (home / "a").read_text() == "mine again"
    assert (home / "a").stat().st_mode & 0o777 == 0o600
    assert os.listdir(home) == ["a"]


def unsupported(*_: object) -> None:
    raise OSError(22, "Invalid argument")


def test_save_between_check_and_exchange_is_put_back(act: Do, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "a").write_text("one")
    read = version(act)
    exchange = place.renameat2

    def somebody_saves_first(*args: Any) -> None:
        monkeypatch.setattr(save, "renameat2", exchange)
        (home / "a").write_text("theirs")
        exchange(*args)

    monkeypatch.setattr(save, "renameat2", somebody_saves_first)
    assert refused(act, "save", **fields("mine", read)) == "changed_meanwhile"
    assert (home / "a").read_text() == "theirs"
    assert os.listdir(home) == ["a"]


def test_link_of_the_users_own_stays(act: Do, home: Path) -> None:
    (home / "in").mkdir()
    (home / "in/real").write_text("one")
    (home / "a").symlink_to("in/real")
    act("save", **fields("two", version(act)))
    assert (home / "a").is_symlink()
    assert (home / "in/real").read_text() == "two"


def test_strangers_link_is_not_followed(act: Do, home: Path, tmp_path: Path) -> None:
    (home / "rc").write_text("one")
    shared = tmp_path / "shared"
    shared.mkdir()
    somebody_elses_link(shared / "notes", home / "rc")
    path = f"{shared}/notes"
    assert refused(act, "save", **fields("two", version(act, path), path)) == "link"
    assert (home / "rc").read_text() == "one"


def test_only_regular_files_are_saved(act: Do, home: Path) -> None:
    os.mkfifo(home / "fifo")
    assert refused(act, "save", **fields("x", "0-0-0", "~/fifo")) == "not_a_file"
    assert refused(act, "save", **fields("x", "0-0-0", "~/none")) == "not_found"
    assert refused(act, "save", path="~/a", version=None, content="not base64!") == "invalid"


def test_file_system_that_becomes_read_only_says_so(act: Do, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(save, "write", read_only)
    monkeypatch.setattr(save.os, "unlink", read_only)
    assert refused(act, "save", **fields("one", None)) == "read_only"
