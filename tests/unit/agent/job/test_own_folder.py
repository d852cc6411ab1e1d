"""The session's own folder on the node, and what killed sessions have left there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from agent.job import own_folder
from agent.job.own_folder import LOCK, OwnFolder


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The node's folder for temporary files, which others may read."""
    tmp_path.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_that_cannot_be_deleted_changes_nothing_outside(scratch: Path) -> None:
    own_folder.remove(str(scratch / "gone"))
    assert stat.S_IMODE(scratch.stat().st_mode) == 0o755


def test_a_folder_is_in_use_from_its_first_moment(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sessions start at once: one looks for abandoned folders just before the other has its lock."""
    first = OwnFolder("first0first0")
    flock = own_folder.fcntl.flock
    removed = []

    def another_looks(lock: int, how: int) -> None:
        monkeypatch.setattr(own_folder.fcntl, "flock", flock)
        removed.append(first.remove_abandoned())
        flock(lock, how)

    monkeypatch.setattr(own_folder.fcntl, "flock", another_looks)
    second = OwnFolder("second0second0")
    assert removed == [0]
    assert os.path.exists(os.path.join(second.path, LOCK))
    for folder in (first, second):
        folder.remove()
    assert list(scratch.iterdir()) == []
