"""Copies of templates as the door brings them: nothing of the user's is ever lost.

That the user's rights and disk end it is in tests/integration/test_templates.py: here everything runs as one account.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from door.__main__ import parse
from door.config import CONFIG
from door.refused import Refused
from tests.unit.door.asking import entry

NAME = "pytorch/digits.ipynb"
Do = Callable[..., dict[str, Any]]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "templates"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "site.ipynb"
    path.write_text("first")
    return path


@pytest.fixture
def do(home: Path) -> Do:
    def do(verb: str, **changes: Any) -> dict[str, Any]:
        request = {"verb": verb, "user": "alice", "deadline_s": 10} | changes
        _, fields, act = parse(json.dumps(request).encode())
        assert act is not None
        return act(fields, entry(home), CONFIG) or {}

    return do


@pytest.fixture
def place(do: Do, source: Path) -> Do:
    def place(how: str, content: str | None = None) -> dict[str, Any]:
        if content is not None:
            source.write_text(content)
        return do("template_place", source=str(source), file=NAME, how=how)

    return place


@pytest.fixture
def state(do: Do) -> Callable[[], dict[str, Any]]:
    return lambda: dict(do("template_states", files=[NAME])["copies"][0])


def test_a_missing_copy_is_brought_and_an_untouched_one_renewed(place: Do, folder: Path, state: Do) -> None:
    assert state() == {"digest": None, "brought": None}
    assert place("bring") == {"ok": True, "file": NAME, "backup": None}
    assert (folder / NAME).read_text() == "first"
    assert state() == {"digest": sha("first"), "brought": sha("first")}
    place("bring", "second")
    assert (folder / NAME).read_text() == "second"
    assert sorted(path.name for path in folder.iterdir()) == [".shipped.json", "pytorch"]


def test_a_changed_copy_is_not_touched_and_its_origin_stays_known(place: Do, folder: Path, state: Do) -> None:
    place("bring")
    (folder / NAME).write_text("mine")
    assert place("bring", "second")["file"] == NAME
    assert (folder / NAME).read_text() == "mine"
    assert state() == {"digest": sha("mine"), "brought": sha("first")}


def test_keeping_remembers_the_version_and_writes_nothing_else(place: Do, folder: Path, state: Do) -> None:
    place("bring")
    (folder / NAME).write_text("mine")
    place("keep", "second")
    assert (folder / NAME).read_text() == "mine"
    assert state() == {"digest": sha("mine"), "brought": sha("second")}
    assert os.listdir(folder / "pytorch") == ["digits.ipynb"]


def test_the_new_one_comes_beside_once_and_never_over_another_file(place: Do, folder: Path) -> None:
    place("bring")
    (folder / NAME).write_text("mine")
    assert place("beside", "second")["file"] == "pytorch/digits (new).ipynb"
    assert place("beside")["file"] == "pytorch/digits (new).ipynb"
    assert place("beside", "third")["file"] == "pytorch/digits (new 2).ipynb"
    content = {path.name: path.read_text() for path in (folder / "pytorch").iterdir()}
    assert content == {"digits.ipynb": "mine", "digits (new).ipynb": "second", "digits (new 2).ipynb": "third"}


def test_replacing_keeps_what_was_there_every_time(place: Do, folder: Path, state: Do) -> None:
    place("bring")
    backups = []
    for content in ("second", "third"):
        (folder / NAME).write_text(f"mine before {content}")
        backups.append(place("replace", content)["backup"])
        assert (folder / NAME).read_text() == content
    assert [(folder / backup).read_text() for backup in backups] == ["mine before second", "mine before third"]
    assert state() == {"digest": sha("third"), "brought": sha("third")}
    assert place("replace")["backup"] is None, "there is nothing to keep"


def test_where_links_are_not_known_it_works_as_well(place: Do, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    place("bring")
    (folder / NAME).write_text("mine")
    backup = place("replace", "second")["backup"]
    assert (folder / NAME).read_text() == "second"
    assert (folder / backup).read_text() == "mine"
    assert len(os.listdir(folder / "pytorch")) == 2


@pytest.mark.parametrize("how", ["beside", "replace", "keep"])
def test_a_full_home_is_told_and_everything_stays(
    how: str, place: Do, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place("bring")
    (folder / NAME).write_text("mine")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused) as caught:
        place(how, "second")
    error = caught.value.answer["error"]
    assert (error["code"], error["message"]) == (
        "home",
        f"~/templates/{NAME} cannot be written: No space left on device.",
    )
    assert (folder / NAME).read_text() == "mine"
    assert os.listdir(folder / "pytorch") == ["digits.ipynb"]


def test_a_full_home_does_not_keep_a_copy_that_is_there_from_opening(
    place: Do, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place("bring")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert place("bring", "second")["file"] == NAME
    assert (folder / NAME).read_text() == "first"
    (folder / NAME).unlink()
    with pytest.raises(Refused, match="cannot be written"):
        place("bring")


def test_what_is_no_notebook_in_its_place_is_never_written_over(place: Do, folder: Path, state: Do) -> None:
    (folder / NAME).mkdir(parents=True)
    assert state()["digest"] == ""
    place("bring")
    assert (folder / NAME).is_dir()
    assert (folder / place("beside")["file"]).read_text() == "first"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '"text"', "\ud800", "[" * 100_000, '{"a":' * 50_000, f'{{"{NAME}": 7}}', " " * (1 << 21) + "{}"],
    ids=range(9),
)
def test_a_broken_manifest_means_that_nothing_is_known(content: str, place: Do, folder: Path, state: Do) -> None:
    place("bring")
    (folder / ".shipped.json").write_text(content, errors="surrogatepass")
    assert state()["brought"] is None
    (folder / NAME).write_text("mine")
    place("bring", "second")
    assert (folder / NAME).read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["", "/a.ipynb", "../a.ipynb", "a/../b.ipynb", "a//b.ipynb", "a.txt", ".shipped.json", "a\0.ipynb", 5, None]
)
def test_only_notebooks_below_the_folder_are_named(name: object, do: Do, source: Path) -> None:
    for request in ({"verb": "template_states", "files": [name]}, {"verb": "template_place", "file": name}):
        fields = {"source": str(source), "how": "bring"} if "file" in request else {}
        with pytest.raises(Refused) as caught:
            do(**request | fields)
        assert caught.value.answer["error"]["code"] == "invalid"


def test_a_source_that_cannot_be_read_is_told(do: Do, folder: Path) -> None:
    with pytest.raises(Refused, match="does not exist"):
        do("template_place", source="/no/such.ipynb", file=NAME, how="bring")
    assert not folder.exists()
