"""Texts that are built and compressed once and sent to every reader: whole documents, and pieces of a stream.

A piece ends with a full flush of the compressor (zlib.h, `Z_FULL_FLUSH`), so it ends at a byte boundary and refers to
nothing before it. The same bytes fit into any reader's gzip stream, whatever that reader has received so far.
"""

from __future__ import annotations

import asyncio
import zlib
from functools import cached_property

#: The start of a gzip stream (RFC 1952): deflate, no name, no time, Unix.
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
LEVEL = 6
#: A longer text is compressed in a thread; zlib releases Python's lock meanwhile.
LARGE = 1 << 16


class Text:
    """A text in bytes, plain and compressed; each is built on first use and shared by all readers."""

    _wbits: int
    _flush: int

    def __init__(self, text: str) -> None:
        self.text = text
        self._packing = asyncio.Lock()
        self._packed: bytes | None = None

    @cached_property
    def plain(self) -> bytes:
        return self.text.encode()

    async def packed(self) -> bytes:
        if self._packed is not None:
            return self._packed
        async with self._packing:
            if self._packed is None:
                large = len(self.plain) > LARGE
                self._packed = await asyncio.to_thread(self._pack) if large else self._pack()
            return self._packed

    def _pack(self) -> bytes:
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, self._wbits)
        return packer.compress(self.plain) + packer.flush(self._flush)


class Piece(Text):
    """Some events of a stream."""

    _wbits, _flush = -zlib.MAX_WBITS, zlib.Z_FULL_FLUSH


def event(kind: str, data: str) -> Piece:
    return Piece(f"event: {kind}\ndata: {data}\n\n")


class Document(Text):
    """A JSON text as the API sends it; `tag` changes whenever the text does."""

    _wbits, _flush = zlib.MAX_WBITS | 16, zlib.Z_FINISH

    def __init__(self, text: str, tag: str) -> None:
        super().__init__(text)
        self.tag = tag
