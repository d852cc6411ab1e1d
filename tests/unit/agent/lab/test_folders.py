"""What TensorBoard is asked to show, and what stands there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.lab import folders
from agent.lab.folders import look, resolve

EVENTS = "events.out.tfevents.1700000000.node001.77.0"


def test_event_files_are_found_wherever_they_lie_below(tmp_path: Path) -> None:
    deep = tmp_path / "runs" / "lr=0.1" / "train"
    deep.mkdir(parents=True)
    assert look(str(tmp_path / "runs")).state == "empty"
    (deep / "model.ckpt").touch()
    assert look(str(tmp_path / "runs")).state == "empty"
    (deep / EVENTS).touch()
    assert look(str(tmp_path / "runs")).state == "ready"


def test_a_folder_named_like_an_event_file_is_none(tmp_path: Path) -> None:
    (tmp_path / EVENTS).mkdir()
    assert look(str(tmp_path)).state == "empty"


def test_what_is_no_folder_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert look(str(tmp_path / "nothing")) == ("missing", f"There is no folder {tmp_path}/nothing yet.")
    assert look(str(tmp_path / "file")).state == "refused"
    assert look(str(tmp_path / "file" / "below")).state == "missing"


def test_a_folder_that_may_not_be_read_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scandir(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert look(str(tmp_path)).state == "refused"
    assert "Permission denied" in look(str(tmp_path)).message


def test_a_folder_below_that_may_not_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / EVENTS).touch()
    scandir = os.scandir

    def guarded(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    assert look(str(tmp_path)).state == "ready"


def test_a_circle_of_links_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(tmp_path)
    assert look(str(tmp_path)).state == "empty"


def test_a_tree_too_large_to_look_through_counts_as_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / str(number)).touch()
    monkeypatch.setattr(folders, "MOST_ENTRIES", 3)
    assert look(str(tmp_path)).state == "ready"


@pytest.mark.parametrize(
    ("value", "meant"), [("runs", "/data/runs"), ("", "/data"), ("~/runs", "/home/alice/runs"), ("/x/../y", "/y")]
)
def test_a_folder_may_be_said_in_three_ways(value: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/alice")
    assert resolve(value, "/data") == meant
