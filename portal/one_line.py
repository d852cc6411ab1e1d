"""Text that others write, for places where each thing is one line: lists, logs, messages."""

from __future__ import annotations

from pydantic import AfterValidator


def one_line(text: str) -> str:
    """Return the text with control characters, line ends and what changes the direction of text as spaces."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


OneLine = AfterValidator(one_line)
