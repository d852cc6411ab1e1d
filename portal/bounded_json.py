"""JSON from outside, bounded in depth and size, and strict, so that the code behind it stays quick and simple.

Also refused: duplicate keys (two readers may take different ones), NaN, infinite numbers and integers beyond 64 bits
(a database cannot store them), and lone surrogates (they cannot be encoded again).
"""

from __future__ import annotations

import json
import math
from typing import Any

from portal.errors import InvalidRequest

DEEPEST = 20
LONGEST_NUMBER = 40
"""Characters of a number; a float's shortest exact form has 24."""


def parse(body: bytes, *, most_items: int) -> Any:
    """Return the parsed body. Raises InvalidRequest."""
    try:
        value = json.loads(
            body, parse_int=_integer, parse_float=_float, parse_constant=_no_number, object_pairs_hook=_object
        )
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise InvalidRequest("The body is not valid JSON.") from error
    _require_small(value, most_items)
    return value


def _require_small(value: Any, most_items: int) -> None:
    """Walk it level by level; raise InvalidRequest as soon as it is too deep or too large."""
    items, level = 0, [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for item in level:
            match item:
                case dict():
                    below += item.keys()
                    below += item.values()
                    items += len(item)
                case list():
                    below += item
                    items += len(item)
                case str() if not item.isascii():
                    _require_whole(item)
        if items > most_items:
            raise InvalidRequest(
                f"The body has more than {most_items:,} entries.", hint="Send fewer entries at a time."
            )
        if not below:
            return
        level = below
    raise _too_deep()


def _too_deep() -> InvalidRequest:
    return InvalidRequest("The body is nested too deeply.", hint=f"No request needs more than {DEEPEST} levels.")


def _require_whole(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidRequest("A string in the body contains half a character (a lone surrogate).") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise InvalidRequest("An object in the body has the same key twice.")
    return fields


def _integer(text: str) -> int:
    value = int(text) if len(text) <= LONGEST_NUMBER else 2**64
    if not -(2**63) <= value < 2**63:
        raise InvalidRequest("A number in the body does not fit into 64 bits.")
    return value


def _float(text: str) -> float:
    value = float(text) if len(text) <= LONGEST_NUMBER else math.inf
    if not math.isfinite(value):
        raise InvalidRequest("A number in the body is too large or too long.")
    return value


def _no_number(text: str) -> float:
    raise InvalidRequest(f"{text} is not a JSON number.")
