"""What a guest who may only look is allowed to say to the desktop's VNC server (RFC 6143, 7.1 to 7.5).

Only whole messages that ask for pictures go on. Keys, the pointer, the clipboard and the desktop's size are dropped
here, whatever the guest's page sends.
"""

from __future__ import annotations

import struct

VERSION = b"RFB 003.008\n"
NO_PASSWORD = b"\1"
SHARED = b"\1"
SET_PIXEL_FORMAT, SET_ENCODINGS, UPDATE_REQUEST, KEY, POINTER, CUT_TEXT = 0, 2, 3, 4, 5, 6
CONTINUOUS_UPDATES, FENCE, SET_DESKTOP_SIZE, QEMU = 150, 248, 251, 255
LENGTHS = {SET_PIXEL_FORMAT: 20, UPDATE_REQUEST: 10, KEY: 8, POINTER: 6, CONTINUOUS_UPDATES: 10, QEMU: 12}
GO_ON = {SET_PIXEL_FORMAT, UPDATE_REQUEST, CONTINUOUS_UPDATES, FENCE}
MOST_CUT_TEXT = 1 << 20
MOST_ENCODINGS = 500
RAW = 0
#: With it the server says that there is something to paste, and sends it only if asked; without it, it sends it.
CLIPBOARD_ON_REQUEST = -0x3F5E1A32
#: It would change the length of what a page says about the pointer.
MORE_BUTTONS = -316


class NotAllowed(Exception):
    """The guest says something that is not understood here, so nothing after it would be."""


class Onlooker:
    """Takes what one guest says, from the beginning of its connection."""

    def __init__(self) -> None:
        self._left = b""
        self._greetings = [VERSION, NO_PASSWORD, SHARED]

    def passes(self, data: bytes) -> bytes:
        """Return what goes on to the server. Raises NotAllowed."""
        self._left += data
        passed = b""
        while self._greetings and len(self._left) >= len(self._greetings[0]):
            expected = self._greetings.pop(0)
            if self._take(len(expected)) != expected and self._greetings:  # the last one may differ: all share
                raise NotAllowed
            passed += expected
            if not self._greetings:
                passed += _encodings([RAW])  # before the guest asks for any
        while not self._greetings and self._left and (length := self._length()) and len(self._left) >= length:
            kind, message = self._left[0], self._take(length)
            if kind == SET_ENCODINGS:
                passed += _encodings(list(struct.unpack(f">{(length - 4) // 4}i", message[4:])))
            elif kind in GO_ON:
                passed += message
        return passed

    def _length(self) -> int:
        """Return the length of the next message; 0 while its head is incomplete."""
        kind, start = self._left[0], self._left
        if kind in LENGTHS:
            return LENGTHS[kind]
        if kind == SET_ENCODINGS:
            return 4 + 4 * int.from_bytes(start[2:4], "big") if len(start) >= 4 else 0
        if kind == CUT_TEXT:
            size = abs(struct.unpack(">i", start[4:8])[0]) if len(start) >= 8 else 0
            if size > MOST_CUT_TEXT:
                raise NotAllowed
            return 8 + size if len(start) >= 8 else 0
        if kind == FENCE:
            return 9 + start[8] if len(start) >= 9 else 0
        if kind == SET_DESKTOP_SIZE:
            return 8 + 16 * start[6] if len(start) >= 8 else 0
        raise NotAllowed

    def _take(self, count: int) -> bytes:
        taken, self._left = self._left[:count], self._left[count:]
        return taken


def _encodings(asked: list[int]) -> bytes:
    allowed = [*(encoding for encoding in asked[:MOST_ENCODINGS] if encoding != MORE_BUTTONS), CLIPBOARD_ON_REQUEST]
    return struct.pack(f">BxH{len(allowed)}i", SET_ENCODINGS, len(allowed), *allowed)
