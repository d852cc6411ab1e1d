"""Other people's text, for places where each item is one line: lists, logs, messages."""

from __future__ import annotations

from pydantic import AfterValidator


def one_line(text: str) -> str:
    """Return the text with control characters, line breaks and bidirectional controls replaced by spaces."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


OneLine = AfterValidator(one_line)
