"""The differences between a user's copy of a notebook and the site's version, by cell, and by line within a cell.

Compares only the cells' sources: outputs and metadata change with every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_LINES = 1_000
"""Maximum lines of a cell to compare line by line; a longer cell is shown whole."""
ALIKE = 0.5
"""Two cells without a common id count as versions of one cell if at least this share of their lines is the same."""


class Change(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    MINE = "mine"
    """Only in the user's copy."""
    NEW = "new"
    """Only in the site's version."""


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    change: Literal[Change.SAME, Change.MINE, Change.NEW]
    text: str


class CellChange(BaseModel):
    """A cell of either version; for a changed one, `lines` holds the lines of both in one order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    change: Change
    kind: str = Field(description="`code`, `markdown` or `raw`.")
    lines: tuple[Line, ...]


def compare(mine: dict[str, Any], new: dict[str, Any]) -> list[CellChange]:
    """Return the cells of both notebooks in one order. Raises KeyError or TypeError for an invalid notebook."""
    ours, theirs = [_Cell(cell) for cell in mine["cells"]], [_Cell(cell) for cell in new["cells"]]
    common = {our.id for our in ours if our.id} & {their.id for their in theirs if their.id}
    mine_keys, new_keys = (
        [cell.id if cell.id in common else cell.source for cell in cells] for cells in (ours, theirs)
    )
    changes: list[CellChange] = []
    for tag, a, b, c, d in SequenceMatcher(None, mine_keys, new_keys, autojunk=False).get_opcodes():
        if tag == "equal":
            changes += [_both(cell, other) for cell, other in zip(ours[a:b], theirs[c:d], strict=True)]
        else:
            changes += _between(ours[a:b], theirs[c:d])
    return changes


class _Cell:
    def __init__(self, cell: dict[str, Any]) -> None:
        source = cell["source"]
        self.id = str(cell.get("id") or "")
        self.kind = str(cell["cell_type"])
        self.source = source if isinstance(source, str) else "".join(source)

    @property
    def lines(self) -> list[str]:
        return self.source.splitlines()


def _between(ours: list[_Cell], theirs: list[_Cell]) -> Iterator[CellChange]:
    """Pair cells without a common id: each with the next similar one, the rest alone."""
    for our in ours:
        match = next((number for number, other in enumerate(theirs) if _alike(our, other)), None)
        if match is None:
            yield _alone(our, Change.MINE)
        else:
            yield from (_alone(other, Change.NEW) for other in theirs[:match])
            yield _both(our, theirs[match])
            theirs = theirs[match + 1 :]
    yield from (_alone(other, Change.NEW) for other in theirs)


def _alike(cell: _Cell, other: _Cell) -> bool:
    if cell.kind != other.kind or _is_long(cell, other):
        return False
    return SequenceMatcher(None, cell.lines, other.lines).quick_ratio() >= ALIKE


def _is_long(cell: _Cell, other: _Cell) -> bool:
    return max(len(cell.lines), len(other.lines)) > MOST_LINES


def _alone(cell: _Cell, change: Literal[Change.SAME, Change.MINE, Change.NEW]) -> CellChange:
    return CellChange(change=change, kind=cell.kind, lines=_lines(cell.lines, change))


def _both(cell: _Cell, other: _Cell) -> CellChange:
    if cell.source == other.source:
        return _alone(other, Change.SAME)
    lines: list[Line] = []
    if _is_long(cell, other):
        lines += [*_lines(cell.lines, Change.MINE), *_lines(other.lines, Change.NEW)]
    else:
        for tag, a, b, c, d in SequenceMatcher(None, cell.lines, other.lines).get_opcodes():
            if tag == "equal":
                lines += _lines(other.lines[c:d], Change.SAME)
            else:
                lines += [*_lines(cell.lines[a:b], Change.MINE), *_lines(other.lines[c:d], Change.NEW)]
    return CellChange(change=Change.CHANGED, kind=other.kind, lines=tuple(lines))


def _lines(texts: list[str], change: Literal[Change.SAME, Change.MINE, Change.NEW]) -> tuple[Line, ...]:
    return tuple(Line(change=change, text=text) for text in texts)
