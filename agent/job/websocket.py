"""The server side of one websocket (RFC 6455), without extensions."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import struct
from typing import NamedTuple

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
MAX_MESSAGE = 1 << 20
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class Closed(Exception):
    """The other side has closed, or broken the protocol."""


class Message(NamedTuple):
    text: bool
    data: bytes


class _Frame(NamedTuple):
    last: bool
    kind: int
    data: bytes


def accept(key: str) -> list[tuple[str, str]]:
    """Return the headers that answer a browser's Sec-WebSocket-Key."""
    digest = hashlib.sha1((key + GUID).encode()).digest()  # noqa: S324 - required by the protocol, not a secret
    return [
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", base64.b64encode(digest).decode()),
    ]


class WebSocket:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> Message:
        """Return the next message; answers pings on the way. Raises Closed."""
        kind, whole = 0, b""
        while True:
            frame = await self._frame()
            if frame.kind == PING:
                await self._send(PONG, frame.data)
            elif frame.kind == CLOSE:
                await self._send(CLOSE, frame.data[:2])
                raise Closed
            elif frame.kind in (TEXT, BINARY, CONTINUED):
                if (frame.kind == CONTINUED) != bool(kind) or len(whole) + len(frame.data) > MAX_MESSAGE:
                    raise Closed
                kind, whole = kind or frame.kind, whole + frame.data
                if frame.last:
                    return Message(kind == TEXT, whole)
            elif frame.kind != PONG:
                raise Closed

    async def send(self, data: bytes) -> None:
        """Send bytes, and wait until the other side takes them. Raises Closed."""
        await self._send(BINARY, data)

    async def send_text(self, text: str) -> None:
        await self._send(TEXT, text.encode())

    async def _frame(self) -> _Frame:
        try:
            first, second = await self._reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self._reader.readexactly(8))
            if first & 0x70 or not second & 0x80 or length > MAX_MESSAGE:
                raise Closed  # an extension that was not negotiated, no mask, or too long
            mask = await self._reader.readexactly(4)
            data = await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise Closed from error
        return _Frame(bool(first & 0x80), first & 0x0F, _unmasked(data, mask))

    async def _send(self, kind: int, data: bytes) -> None:
        length = len(data)
        if length < 126:
            head = struct.pack("!BB", 0x80 | kind, length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", 0x80 | kind, 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 127, length)
        try:
            self._writer.write(head + data)
            await self._writer.drain()
        except OSError as error:
            raise Closed from error


def _unmasked(data: bytes, mask: bytes) -> bytes:
    """Unmask with one exclusive-or of two large integers: a loop over bytes is fifty times slower."""
    repeated = (mask * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(data), "big")
