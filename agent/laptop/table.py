"""Prints tables on a terminal."""

from __future__ import annotations

from typing import Any


def show(heading: list[str], rows: list[list[Any]]) -> None:
    """Print rows in aligned columns, without control characters: names may come from other users."""
    cells = [heading] + [[printable(str(cell or "")) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(heading))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def printable(text: str) -> str:
    """Return a text without its control characters."""
    return "".join(c for c in text if c.isprintable())
