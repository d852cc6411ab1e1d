"""Encodings and line ends: what was read is what is written back."""

from __future__ import annotations

import pytest

from portal.errors import InvalidRequest
from portal.files.text import decode, encode


@pytest.mark.parametrize(
    ("data", "encoding", "line_end"),
    [
        (b"", "utf-8", "lf"),
        ("grün\nrot\n".encode(), "utf-8", "lf"),
        ("grün\r\nrot\r\n".encode(), "utf-8", "crlf"),
        (b"a\rb\r", "utf-8", "cr"),
        (b"a\nb\r\nc", "utf-8", None),
        (b"\xef\xbb\xbfa\n", "utf-8-sig", "lf"),
        (b"\xff\xfea\0\n\0", "utf-16-le", "lf"),
        (b"\xfe\xff\0a\0\r\0\n", "utf-16-be", "crlf"),
        (b"gr\xfcn\n", "latin-1", "lf"),
    ],
)
def test_text_comes_back_byte_for_byte(data: bytes, encoding: str, line_end: str | None) -> None:
    found = decode(data, "~/a")
    assert (found.encoding, found.line_end) == (encoding, line_end)
    assert encode(found.text, found.encoding, found.line_end) == data


def test_editors_line_ends_become_the_files_own() -> None:
    assert encode("a\nb\r\n", "utf-8", "crlf") == b"a\r\nb\r\n"


@pytest.mark.parametrize("data", [b"\x7fELF\x02\0\0", b"\x89PNG\r\n\x1a\n\0", b"a\0b"])
def test_binary_is_not_shown_as_text(data: bytes) -> None:
    with pytest.raises(InvalidRequest, match="not a text file"):
        decode(data, "~/a")


def test_letter_that_the_encoding_lacks_is_named() -> None:
    with pytest.raises(InvalidRequest, match="“€” cannot be written in latin-1"):
        encode("1 €", "latin-1", "lf")
