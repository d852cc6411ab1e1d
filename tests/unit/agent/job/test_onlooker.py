"""What a guest may say to the desktop's VNC server: pictures are asked for, nothing else gets through."""

from __future__ import annotations

import struct

import pytest

from agent.job.onlooker import CLIPBOARD_ON_REQUEST, MORE_BUTTONS, NotAllowed, Onlooker

GREETING = b"RFB 003.008\n\1\1"
UPDATE = struct.pack(">BBHHHH", 3, 1, 0, 0, 1280, 800)
PIXELS = b"\0" + bytes(19)
CONTINUOUS = struct.pack(">BBHHHH", 150, 1, 0, 0, 9, 9)
FENCE = b"\xf8\0\0\0" + struct.pack(">IB", 1, 3) + b"abc"
KEY = struct.pack(">BBxxI", 4, 1, 0x61)
POINTER = struct.pack(">BBHH", 5, 1, 3, 4)
CUT_TEXT = b"\6\0\0\0" + struct.pack(">i", 5) + b"hello"
EXTENDED_CUT_TEXT = b"\6\0\0\0" + struct.pack(">iI", -4, 1 << 25 | 1)  # asks for the clipboard
SIZE = struct.pack(">BxHHBx", 251, 640, 480, 1) + bytes(16)
QEMU_KEY = struct.pack(">BBHII", 255, 0, 1, 0x61, 30)
FORBIDDEN = [KEY, POINTER, CUT_TEXT, EXTENDED_CUT_TEXT, SIZE, QEMU_KEY]


def encodings(*numbers: int) -> bytes:
    return struct.pack(f">BxH{len(numbers)}i", 2, len(numbers), *numbers)


FIRST = GREETING + encodings(0, CLIPBOARD_ON_REQUEST)


@pytest.fixture
def onlooker() -> Onlooker:
    greeted = Onlooker()
    assert greeted.passes(GREETING) == FIRST
    return greeted


@pytest.mark.parametrize("message", [UPDATE, PIXELS, CONTINUOUS, FENCE])
def test_what_asks_for_pictures_passes_as_it_is(onlooker: Onlooker, message: bytes) -> None:
    assert onlooker.passes(message) == message


@pytest.mark.parametrize("message", FORBIDDEN)
def test_keys_pointer_clipboard_and_size_do_not_pass_and_what_follows_does(onlooker: Onlooker, message: bytes) -> None:
    assert onlooker.passes(UPDATE + message + UPDATE) == UPDATE + UPDATE


def test_pieces_of_any_size_pass_the_same(onlooker: Onlooker) -> None:
    everything = b"".join([UPDATE, *FORBIDDEN, FENCE, encodings(7, 16), PIXELS, *FORBIDDEN, CONTINUOUS])
    one_by_one = Onlooker()
    pieces = [one_by_one.passes(bytes([byte])) for byte in GREETING + everything]
    assert b"".join(pieces) == FIRST + onlooker.passes(everything)


def test_the_clipboard_is_sent_to_nobody_who_has_not_asked_and_the_pointer_keeps_its_length(onlooker: Onlooker) -> None:
    assert onlooker.passes(encodings(16, MORE_BUTTONS, -239)) == encodings(16, -239, CLIPBOARD_ON_REQUEST)
    assert onlooker.passes(encodings()) == encodings(CLIPBOARD_ON_REQUEST)


def test_a_guest_who_asks_to_be_alone_is_not(onlooker: Onlooker) -> None:
    assert Onlooker().passes(GREETING[:-1] + b"\0") == FIRST


@pytest.mark.parametrize(
    "said",
    [b"RFB 003.003\n", b"GET / HTTP/1", b"RFB 003.008\n\2", GREETING + b"\x63", GREETING + b"\6\0\0\0\x7f\0\0\0"],
)
def test_whoever_says_something_else_is_not_understood(said: bytes) -> None:
    with pytest.raises(NotAllowed):
        Onlooker().passes(said)
