"""Pieces of text files, cut where a character ends."""

from __future__ import annotations


def whole_characters(piece: bytes) -> bytes:
    """Return `piece` without an unfinished UTF-8 character at its end, which waits for the next piece.

    A piece that is nothing but such a beginning is returned as it is: reading must always go on.
    """
    for back in range(1, min(4, len(piece)) + 1):
        if piece[-back] >= 0xC0:
            needed = 2 + (piece[-back] >= 0xE0) + (piece[-back] >= 0xF0)
            if back < needed and back < len(piece):
                return piece[:-back]
            break
    return piece
