"""A save that fails for lack of space says what is full, how much it holds, and what to delete."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest
from tornado.web import HTTPError

from agent.lab.full_disk import explain_full_disks, measure, reason_of

MIB = 1 << 20


class Contents:
    """Fails as Jupyter does: its own error over that of a missing temporary file, over the disk's."""

    def __init__(self, root: Path, number: int) -> None:
        self.root_dir = str(root)
        self.number = number

    def save(self, model: dict[str, Any], path: str = "") -> None:
        try:
            try:
                raise OSError(self.number, os.strerror(self.number))
            except OSError:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", ".~x.ipynb")  # noqa: B904 - as Jupyter does
        except OSError as error:
            raise HTTPError(500, f"Unexpected error while saving file: {path} {error}") from error

    async def create_checkpoint(self, path: str) -> None:
        self.save({}, path)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, mib in (("data", 3), (".cache", 2), ("small", 0)):
        (tmp_path / name / "below").mkdir(parents=True)
        (tmp_path / name / "below" / "file").write_bytes(os.urandom(mib * MIB))
    return tmp_path


@pytest.mark.parametrize(
    ("number", "what"),
    [(errno.ENOSPC, r"The disk is full \(.*: .* of .* free\)\."), (errno.EDQUOT, r"Your disk quota is used up\.")],
)
async def test_a_save_without_space_says_what_is_full_and_what_to_delete(home: Path, number: int, what: str) -> None:
    contents = Contents(home, number)
    explain_full_disks(contents)
    with pytest.raises(HTTPError) as told:
        contents.save({}, path="data/x.ipynb")
    assert told.value.status_code == 507
    assert told.match(f"x.ipynb was not saved. {what} Your home folder holds 5 MB; the largest in it: data")
    assert told.match(r"data \(3 MB\), \.cache \(2 MB\)\. Delete .* still in this tab\.")
    with pytest.raises(HTTPError, match=r"no room for a checkpoint of x\.ipynb"):
        await contents.create_checkpoint("data/x.ipynb")


def test_another_failure_stays_as_it_is(home: Path) -> None:
    contents = Contents(home, errno.EIO)
    explain_full_disks(contents)
    with pytest.raises(HTTPError, match=r"Unexpected error while saving file: x\.ipynb"):
        contents.save({}, "x.ipynb")


def test_a_large_home_is_measured_in_part(home: Path) -> None:
    sizes, whole = measure(str(home), time.monotonic() - 1)
    assert not whole
    assert len(sizes) == 1


def test_an_error_that_names_itself_as_its_cause_has_no_reason() -> None:
    error = OSError(errno.EIO, "I/O")
    error.__cause__ = error
    assert reason_of(error) is None
