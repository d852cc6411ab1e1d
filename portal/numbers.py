"""Numbers in requests."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

#: A row id, as the narrowest database counts; PostgreSQL refuses to compare with a larger one.
RowNumber = Annotated[int, Field(ge=0, le=2**31 - 1)]
#: An offset in a file, in bytes; negative: from its end.
Offset = Annotated[int, Field(ge=-(2**62), le=2**62)]


def whole_number(text: str, *, digits: int = 18) -> int | None:
    """Parse a number written in ASCII digits only; None for anything else, or for a longer one.

    `str.isdigit` accepts "²", which `int` does not, and `int` refuses more than 4,300 digits.
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None
