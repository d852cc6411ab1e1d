"""Websocket frames (RFC 6455, 5.2) of one long stream of bytes, passed on as they arrive.

wsproto, which serves the other websockets, copies and masks each byte in Python, which is too slow for gigabytes. The
client masks with zeros: masking protects caches from scripts in web pages, and SSH's bytes are encrypted anyway.

Python ≥ 3.8, the standard library alone: packed into the agent and into the laptop's program.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
GOING_AWAY, PROTOCOL_ERROR = 1001, 1002
MOST_CONTROL = 125
MOST_TEXT = 4096
ZERO = b"\0\0\0\0"


class BrokenFrames(Exception):
    """The other side violates the protocol."""


class Piece(NamedTuple):
    """Bytes of the stream (BINARY), or a whole message of another kind."""

    kind: int
    data: memoryview


def head(kind: int, length: int, *, masked: bool) -> bytes:
    """Return the head of a frame for `length` bytes, which follow unchanged."""
    mask = 0x80 if masked else 0
    if length <= MOST_CONTROL:
        start = struct.pack("!BB", 0x80 | kind, mask | length)
    elif length < 1 << 16:
        start = struct.pack("!BBH", 0x80 | kind, mask | 126, length)
    else:
        start = struct.pack("!BBQ", 0x80 | kind, mask | 127, length)
    return start + ZERO if masked else start


def message(kind: int, data: bytes = b"", *, masked: bool = False) -> bytes:
    return head(kind, len(data), masked=masked) + data


def closing(code: int, reason: str = "") -> bytes:
    """Return the body of a close frame; a long reason is cut."""
    return struct.pack("!H", code) + reason.encode()[: MOST_CONTROL - 2].decode("utf-8", "ignore").encode()


def close_reason(data: memoryview) -> str:
    return bytes(data[2:]).decode("utf-8", "replace")


class Frames:
    """Splits a connection's bytes into frames; `masked`: whether the other side must mask, as clients do."""

    def __init__(self, *, masked: bool) -> None:
        self._masked = masked
        self._head = bytearray()
        self._left = 0
        self._kind = BINARY
        self._message = BINARY  # what a continuation continues
        self._final = True
        self._mask: bytes | None = None
        self._at = 0
        self._text = bytearray()
        self._control = bytearray()

    def feed(self, data: memoryview) -> Iterator[Piece]:
        """Yield the contents of `data`; views into it are valid until the next call. Raises BrokenFrames."""
        while data:
            if not self._left:
                data, begun = self._read_head(data)
                if begun and not self._left:
                    yield from self._complete()
                continue
            piece, data = data[: self._left], data[self._left :]
            self._left -= len(piece)
            if self._mask is not None:
                piece = self._unmasked(piece)
            if self._kind == BINARY:
                yield Piece(BINARY, piece)
                continue
            whole = self._whole
            whole += piece
            if len(whole) > MOST_TEXT:
                raise BrokenFrames("a message that is too long")
            if not self._left:
                yield from self._complete()

    @property
    def _whole(self) -> bytearray:
        return self._control if self._kind >= CLOSE else self._text

    def _complete(self) -> Iterator[Piece]:
        """Yield a message of another kind than BINARY, once its last frame is complete."""
        if self._kind != BINARY and self._final:
            yield Piece(self._kind, memoryview(bytes(self._whole)))
            self._whole.clear()

    def _read_head(self, data: memoryview) -> tuple[memoryview, bool]:
        """Read (part of) a frame's head; return what follows it, and whether the head is complete."""
        missing = self._head_length() - len(self._head)
        self._head += data[:missing]
        complete = len(self._head) >= 2 and len(self._head) == self._head_length()
        if complete:
            self._begin()
        return data[missing:], complete

    def _head_length(self) -> int:
        if len(self._head) < 2:
            return 2
        extended = {126: 2, 127: 8}.get(self._head[1] & 0x7F, 0)
        return 2 + extended + (4 if self._head[1] & 0x80 else 0)

    def _begin(self) -> None:
        first, second = self._head[0], self._head[1]
        kind, self._final = first & 0x0F, bool(first & 0x80)
        if first & 0x70 or bool(second & 0x80) != self._masked:
            raise BrokenFrames("a frame that was not agreed on")
        self._left = second & 0x7F
        if kind >= CLOSE and (self._left > MOST_CONTROL or not self._final):
            raise BrokenFrames("a control frame that is too long")
        if self._left == 126:
            (self._left,) = struct.unpack("!H", self._head[2:4])
        elif self._left == 127:
            (self._left,) = struct.unpack("!Q", self._head[2:10])
        mask = bytes(self._head[-4:]) if self._masked else ZERO
        self._mask, self._at = (None if mask == ZERO else mask), 0
        self._head.clear()
        if kind in (TEXT, BINARY):
            self._message = kind
        elif kind not in (CONTINUATION, CLOSE, PING, PONG):
            raise BrokenFrames("a frame of an unknown kind")
        self._kind = self._message if kind == CONTINUATION else kind

    def _unmasked(self, piece: memoryview) -> memoryview:
        """Apply the mask, which an intermediary may have changed."""
        mask = self._mask or ZERO
        at, length = self._at % 4, len(piece)
        self._at += length
        key = (mask[at:] + mask * (length // 4 + 1))[:length]
        number = int.from_bytes(piece, "big") ^ int.from_bytes(key, "big")
        return memoryview(number.to_bytes(length, "big"))
