"""Text files as an editor needs them: their encoding and line ends are found, kept, and given back unchanged."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Literal, get_args

from portal.errors import FieldProblem, InvalidRequest

Encoding = Literal["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "latin-1"]
LineEnd = Literal["lf", "crlf", "cr"]
ENCODINGS: tuple[str, ...] = get_args(Encoding)
_MARKS: dict[Encoding, bytes] = {
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-8-sig": codecs.BOM_UTF8,
}
_ENDS: dict[LineEnd, str] = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
#: Control characters that no text file has.
_BINARY = frozenset(range(9)) | frozenset(range(14, 27)) | frozenset(range(28, 32))


@dataclass(frozen=True, slots=True)
class Text:
    """`text` has `line_end` as its line ends; None: they are mixed, and kept as they are."""

    text: str
    encoding: Encoding
    line_end: LineEnd | None


def decode(data: bytes, path: str) -> Text:
    """Raises InvalidRequest for what is not text."""
    encoding = _encoding_of(data)
    if encoding is None:
        raise InvalidRequest(f"{path} is not a text file.", hint="Download it instead.")
    text = data.removeprefix(_MARKS.get(encoding, b"")).decode("utf-8" if encoding == "utf-8-sig" else encoding)
    return Text(text, encoding, _line_end_of(text))


def encode(text: str, encoding: Encoding, line_end: LineEnd | None) -> bytes:
    """Return the file's bytes. Raises InvalidRequest if the encoding lacks a character."""
    if line_end is not None:
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", _ENDS[line_end])
    try:
        data = text.encode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeEncodeError as error:
        letter = text[error.start]
        message = f"“{letter}” cannot be written in {encoding}."
        hint = "Remove the character, or save the file in UTF-8."
        raise InvalidRequest(message, hint=hint, fields=[FieldProblem("text", message)]) from error
    return _MARKS.get(encoding, b"") + data


def _encoding_of(data: bytes) -> Encoding | None:
    marked = next((name for name, mark in _MARKS.items() if data.startswith(mark)), None)
    candidates: list[Encoding] = [marked] if marked else ["utf-8", "latin-1"]
    for name in candidates:
        try:
            data.decode(name)
        except UnicodeDecodeError:
            continue
        if name == "utf-8" and b"\0" in data:
            return None
        if name == "latin-1" and _BINARY & set(data):
            return None
        return name
    return None


def _line_end_of(text: str) -> LineEnd | None:
    crlf = text.count("\r\n")
    lf, cr = text.count("\n") - crlf, text.count("\r") - crlf
    kinds: dict[LineEnd, int] = {"lf": lf, "crlf": crlf, "cr": cr}
    found = [end for end, count in kinds.items() if count]
    return "lf" if not found else found[0] if len(found) == 1 else None
