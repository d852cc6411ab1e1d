"""Pieces of an event stream that are made once and sent to every reader, compressed as well.

A piece ends with a full flush of the compressor (zlib.h, `Z_FULL_FLUSH`): it stands on a byte of its own and refers to
nothing before it. So the same bytes fit into any reader's gzip stream, whatever that one has been sent so far.
"""

from __future__ import annotations

import zlib
from functools import cached_property

#: How a gzip stream begins (RFC 1952): deflate, no name, no time, Unix.
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
LEVEL = 6


class Piece:
    """Some events as text, and the same compressed; made when first needed."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def plain(self) -> bytes:
        return self._text.encode()

    @cached_property
    def packed(self) -> bytes:
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        return packer.compress(self.plain) + packer.flush(zlib.Z_FULL_FLUSH)


def event(kind: str, data: str) -> Piece:
    return Piece(f"event: {kind}\ndata: {data}\n\n")


class Document:
    """A JSON text as it is answered: made and compressed once."""

    def __init__(self, text: str, tag: str) -> None:
        self.text = text
        self.tag = tag

    @cached_property
    def gzipped(self) -> bytes:
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        return packer.compress(self.text.encode()) + packer.flush()
