"""Templates come into the home, newer ones replace untouched ones, and what the user changed stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.job import copies

TARGET = "templates/pytorch/digits.ipynb"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "site" / "digits.ipynb"
    path.parent.mkdir()
    path.write_text("first")
    return path


def bring(source: Path, home: Path) -> list[str]:
    return copies.bring([{"source": str(source), "target": TARGET}], home)


def test_a_template_comes_into_an_empty_home(source: Path, home: Path) -> None:
    assert bring(source, home) == []
    assert (home / TARGET).read_text() == "first"


def test_an_untouched_template_is_renewed(source: Path, home: Path) -> None:
    bring(source, home)
    source.write_text("second")
    assert bring(source, home) == []
    assert (home / TARGET).read_text() == "second"
    source.write_text("third")
    bring(source, home)
    assert (home / TARGET).read_text() == "third"


def test_a_changed_template_stays_through_every_renewal(source: Path, home: Path) -> None:
    bring(source, home)
    (home / TARGET).write_text("mine")
    for version in ("second", "third"):
        source.write_text(version)
        assert bring(source, home) == []
        assert (home / TARGET).read_text() == "mine"


def test_a_file_of_the_users_own_with_the_same_name_stays(source: Path, home: Path) -> None:
    (home / TARGET).parent.mkdir(parents=True)
    (home / TARGET).write_text("mine from before")
    bring(source, home)
    assert (home / TARGET).read_text() == "mine from before"


def test_a_deleted_template_comes_back(source: Path, home: Path) -> None:
    bring(source, home)
    (home / TARGET).unlink()
    bring(source, home)
    assert (home / TARGET).read_text() == "first"


def test_nothing_is_written_when_nothing_is_new(source: Path, home: Path) -> None:
    bring(source, home)
    manifest = home / "templates" / ".shipped.json"
    os.utime(manifest, (1, 1))
    os.utime(home / TARGET, (1, 1))
    bring(source, home)
    assert manifest.stat().st_mtime == 1
    assert (home / TARGET).stat().st_mtime == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '"text"'])
def test_a_broken_manifest_loses_nothing(content: str, source: Path, home: Path) -> None:
    bring(source, home)
    (home / TARGET).write_text("mine")
    (home / "templates" / ".shipped.json").write_text(content)
    source.write_text("second")
    assert bring(source, home) == []
    assert (home / TARGET).read_text() == "mine"


def test_an_unreadable_source_is_told_and_the_others_come(source: Path, home: Path) -> None:
    problems = copies.bring(
        [
            {"source": str(source) + ".gone", "target": "templates/gone.ipynb"},
            {"source": str(source), "target": TARGET},
        ],
        home,
    )
    assert len(problems) == 1
    assert "templates/gone.ipynb cannot be read on this node" in problems[0]
    assert (home / TARGET).exists()


MOVED = "templates/pytorch-examples/digits.ipynb"


def test_an_untouched_copy_at_an_earlier_path_gives_way_to_the_new_one(source: Path, home: Path) -> None:
    bring(source, home)
    assert copies.bring([{"source": str(source), "target": MOVED}], home) == []
    assert (home / MOVED).read_text() == "first"
    assert not (home / TARGET).parent.exists()
    assert json.loads((home / "templates" / ".shipped.json").read_text()).keys() == {MOVED}


def test_a_changed_copy_at_an_earlier_path_stays(source: Path, home: Path) -> None:
    bring(source, home)
    (home / TARGET).write_text("mine")
    assert copies.bring([{"source": str(source), "target": MOVED}], home) == []
    assert (home / TARGET).read_text() == "mine"
    assert (home / MOVED).read_text() == "first"


def test_files_beside_a_copy_at_an_earlier_path_stay(source: Path, home: Path) -> None:
    bring(source, home)
    (home / TARGET).with_name("notes.txt").write_text("mine")
    assert copies.bring([{"source": str(source), "target": MOVED}], home) == []
    assert [path.name for path in (home / TARGET).parent.iterdir()] == ["notes.txt"]


def test_a_copy_that_the_site_no_longer_offers_stays(source: Path, home: Path) -> None:
    bring(source, home)
    other = source.with_name("other.ipynb")
    other.write_text("another notebook")
    assert copies.bring([{"source": str(other), "target": MOVED}], home) == []
    assert (home / TARGET).read_text() == "first"


def test_something_in_the_way_is_told_in_words(source: Path, home: Path) -> None:
    (home / "templates").write_text("a file, not a folder")
    (problem,) = bring(source, home)
    assert "could not be copied to your home" in problem
    assert (home / "templates").read_text() == "a file, not a folder"


def test_a_full_home_is_told_and_leaves_no_half_file(source: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(source, home)
    source.write_text("second")

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    (problem,) = bring(source, home)
    assert "No space left on device" in problem
    assert (home / TARGET).read_text() == "first"
    assert sorted(path.name for path in (home / TARGET).parent.iterdir()) == ["digits.ipynb"]


def test_two_sessions_that_start_together_leave_whole_files(source: Path, home: Path) -> None:
    source.write_text("x" * 2_000_000)
    spec = json.dumps([{"source": str(source), "target": TARGET}])
    script = "import json, sys, pathlib; sys.path.insert(0, sys.argv[1]); import copies; "
    script += "print(copies.bring(json.loads(sys.argv[2]), pathlib.Path(sys.argv[3])))"
    command = [sys.executable, "-I", "-c", script, str(Path(copies.__file__).parent), spec, str(home)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert {process.communicate(timeout=60)[0].strip() for process in running} == {"[]"}
    assert (home / TARGET).read_bytes() == source.read_bytes()
    assert json.loads((home / "templates" / ".shipped.json").read_text()).keys() == {TARGET}
