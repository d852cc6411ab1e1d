"""A page of a folder: sorted, filtered, and only the page looked at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.unit.door.files_asking import Do, refused

PAGE: dict[str, Any] = {
    "path": "~", "q": "", "sort": "name", "order": "asc", "hidden": True, "offset": 0, "limit": 100,
}  # fmt: skip


def names(act: Do, **changes: Any) -> list[str]:
    return [entry["name"] for entry in act("folder", **PAGE | changes)["entries"]]


def test_folders_come_first_and_numbers_count_as_numbers(act: Do, home: Path) -> None:
    for name in ("run10", "run2", "Run3"):
        (home / name).write_text("")
    (home / "z").mkdir()
    (home / "to-z").symlink_to("z")
    assert names(act) == ["to-z", "z", "run2", "Run3", "run10"]
    assert names(act, order="desc") == ["z", "to-z", "run10", "Run3", "run2"]


def test_pages_make_up_the_whole_list_in_every_order(act: Do, home: Path) -> None:
    numbered = [f"{start}{number}" for start in ("Ä", "ß", "x ", "") for number in (7, 10, "007", "٣")]
    files = [*numbered, *(f"{name}.b" for name in numbered)]
    files += [b"gr\xfcn".decode(errors="surrogateescape"), "0", "00"]
    for name in files:
        (home / name).write_text("")
    for number in range(30):
        (home / f"folder{number}").mkdir()
    for order in ("asc", "desc"):
        whole = names(act, order=order)
        assert len(whole) == len(set(whole)) == len(set(files)) + 30
        pages = [name for at in range(0, len(whole), 7) for name in names(act, order=order, offset=at, limit=7)]
        assert pages == whole
        for early in (2, 33):
            assert names(act, order=order, limit=early) == whole[:early]
        folders = [f"folder{number}" for number in range(30)]
        assert whole[:30] == (folders if order == "asc" else folders[::-1])
    assert names(act, order="asc")[30:] == names(act, order="desc")[:29:-1]
    for sort in ("size", "modified"):
        assert sorted(names(act, sort=sort)) == sorted(whole)


def test_filter_takes_both_cases(act: Do, home: Path) -> None:
    for name in ("Straße", "STRASSE", "other"):
        (home / name).write_text("")
    assert sorted(names(act, q="strasse")) == ["STRASSE", "Straße"]


def test_sort_by_size_and_time(act: Do, home: Path) -> None:
    for name, size, at in (("a", 3, 100), ("b", 1, 300), ("c", 2, 200)):
        (home / name).write_text("x" * size)
        os.utime(home / name, (at, at))
    assert names(act, sort="size") == ["b", "c", "a"]
    assert names(act, sort="modified", order="desc") == ["b", "c", "a"]


def test_filter_and_pages(act: Do, home: Path) -> None:
    for number in range(10):
        (home / f"Log{number}.txt").write_text("")
    (home / ".hidden-log").write_text("")
    (home / "other").write_text("")
    page = act("folder", **PAGE | {"q": "log", "hidden": False, "offset": 4, "limit": 3})
    assert [entry["name"] for entry in page["entries"]] == ["Log4.txt", "Log5.txt", "Log6.txt"]
    assert (page["total"], page["truncated"]) == (10, True)
    assert not act("folder", **PAGE | {"q": "log", "offset": 8, "limit": 3})["truncated"]


def test_only_the_page_is_looked_at(act: Do, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(200):
        (home / f"f{number}").write_text("")
    seen: list[str] = []
    stat = os.stat

    def counting(path: Any, *args: Any, **options: Any) -> os.stat_result:
        seen.append(str(path))
        return stat(path, *args, **options)

    monkeypatch.setattr(os, "stat", counting)
    assert len(names(act, limit=5)) == 5
    assert len([name for name in seen if name.startswith("f")]) == 5


def test_what_an_entry_says(act: Do, home: Path) -> None:
    (home / "data").mkdir(mode=0o750)
    (home / "dangling").symlink_to("nowhere")
    os.mkfifo(home / "fifo")
    page = act("folder", **PAGE)
    entries = {entry["name"]: entry for entry in page["entries"]}
    assert (entries["data"]["kind"], entries["data"]["mode"], entries["data"]["writable"]) == (
        "folder", "rwxr-x---", True,
    )  # fmt: skip
    assert (entries["dangling"]["kind"], entries["dangling"]["link"]) == ("other", True)
    assert entries["fifo"]["kind"] == "other"
    assert page["writable"]
    assert page["real_path"] == str(home)


def test_file_is_not_a_folder(act: Do, home: Path) -> None:
    (home / "a").write_text("")
    assert refused(act, "folder", **PAGE | {"path": "~/a"}) == "not_a_folder"
    assert refused(act, "folder", **PAGE | {"path": "~/none"}) == "not_found"
    assert refused(act, "folder", **PAGE | {"sort": "owner"}) == "invalid"
