"""Notebooks are compared by cells, and within a cell by lines; outputs do not count."""

from __future__ import annotations

from typing import Any

from portal.notebooks.difference import CellChange, Change, compare


def notebook(*cells: tuple[str, str]) -> dict[str, Any]:
    """Of (id, source); the id empty for a notebook of an older format."""
    return {
        "cells": [
            {"cell_type": "markdown" if source.startswith("#") else "code", "source": source.splitlines(keepends=True)}
            | ({"id": name} if name else {})
            for name, source in cells
        ]
    }


def told(changes: list[CellChange]) -> list[tuple[Change, list[str]]]:
    signs = {Change.SAME: " ", Change.MINE: "-", Change.NEW: "+"}
    return [(change.change, [signs[line.change] + line.text for line in change.lines]) for change in changes]


def test_the_same_cells_with_other_outputs_are_the_same() -> None:
    mine, new = notebook(("a", "x = 1")), notebook(("a", "x = 1"))
    mine["cells"][0]["outputs"] = [{"output_type": "stream", "text": "1"}]
    assert told(compare(mine, new)) == [(Change.SAME, [" x = 1"])]


def test_a_changed_cell_is_shown_line_by_line() -> None:
    mine = notebook(("a", "# Title"), ("b", "rate = 0.5\nepochs = 3"))
    new = notebook(("a", "# Title"), ("b", "rate = 0.1\nepochs = 3\nsave()"))
    assert told(compare(mine, new)) == [
        (Change.SAME, [" # Title"]),
        (Change.CHANGED, ["-rate = 0.5", "+rate = 0.1", " epochs = 3", "+save()"]),
    ]


def test_cells_of_one_side_only_stand_where_they_are() -> None:
    mine = notebook(("a", "first()"), ("mine", "my_own()"), ("b", "last()"))
    new = notebook(("a", "first()"), ("b", "last()"), ("new", "save()"))
    assert told(compare(mine, new)) == [
        (Change.SAME, [" first()"]),
        (Change.MINE, ["-my_own()"]),
        (Change.SAME, [" last()"]),
        (Change.NEW, ["+save()"]),
    ]


def test_a_cell_that_was_rewritten_keeps_its_counterpart() -> None:
    changes = compare(notebook(("a", "x = 1")), notebook(("a", "import numpy\nprint(numpy.pi)")))
    assert told(changes) == [(Change.CHANGED, ["-x = 1", "+import numpy", "+print(numpy.pi)"])]


def test_cells_without_ids_are_matched_by_what_they_say() -> None:
    mine = notebook(("", "a = 1\nb = 2\nc = 3"), ("", "mine()"))
    new = notebook(("", "# New"), ("", "a = 1\nb = 20\nc = 3"))
    assert told(compare(mine, new)) == [
        (Change.NEW, ["+# New"]),
        (Change.CHANGED, [" a = 1", "-b = 2", "+b = 20", " c = 3"]),
        (Change.MINE, ["-mine()"]),
    ]


def test_a_cell_of_very_many_lines_is_shown_as_a_whole() -> None:
    long = "\n".join(["x = 1"] * 5_000)
    (change,) = compare(notebook(("a", long)), notebook(("a", long + "\ny = 2")))
    assert change.change is Change.CHANGED
    assert len(change.lines) == 10_001
