"""Which bytes of a file a request asks for, and whether the client has them already (RFC 9110, 13 and 14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_RANGE = re.compile(r"bytes=(\d{0,19})-(\d{0,19})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """`status` 200, 206, 304 or 416."""

    status: int
    offset: int = 0
    length: int = 0


def wanted(headers: Mapping[str, str], size: int, etag: str) -> Wanted:
    """Several ranges, and units other than bytes, count as no range, which the standard allows."""
    known = [tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")]
    if etag in known or "*" in known:
        return Wanted(304)
    asked = _RANGE.fullmatch(headers.get("range", "").strip())
    if asked is None or asked.groups() == ("", "") or headers.get("if-range", etag).strip() != etag:
        return Wanted(200, 0, size)
    first, last = asked.groups()
    begin = int(first) if first else max(0, size - int(last))
    end = min(size, int(last) + 1) if first and last else size
    if begin >= end:
        return Wanted(416)
    return Wanted(206, begin, end - begin)
