"""Counts in sentences. tests/unit/test_plurals.py finds texts that count without it."""

from __future__ import annotations


def plural(number: float, singular: str, many: str | None = None) -> str:
    """`1 core`, `2 cores`, `1,024 cores`; `many` where an s is not enough: `2 entries`."""
    return f"{number:,} {singular if number == 1 else many or f'{singular}s'}"
