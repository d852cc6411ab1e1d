"""Parses a request: one verb and exactly its fields, each of a narrow type."""

from __future__ import annotations

import json
import re

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from typing import Any

    from .refused import Check, Fields

MAX_REQUEST = 1 << 20
MAX_PATH = 4096

#: No field here takes a whole number with more digits.
MAX_DIGITS = 20

WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,99}")
#: Features that must all be there, and licences with how many of each: `a100&nvme`, `matlab:2,ansys@flex`.
FEATURES = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(?:&[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,7}")
LICENSES = re.compile(
    r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}(?::[1-9][0-9]{0,5})?"
    r"(?:,[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}(?::[1-9][0-9]{0,5})?){0,7}"
)
USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}")


def word(pattern: re.Pattern[str], *, optional: bool = False) -> Check:
    def check(name: str, value: object) -> object:
        if value is None and optional:
            return None
        if not isinstance(value, str) or not value.isprintable() or not pattern.fullmatch(value):
            raise Refused("invalid", f"The {name} has characters that are not allowed there.", name)
        return value

    return check


def number(low: int, high: int) -> Check:
    def check(name: str, value: object) -> object:
        if type(value) is not int or not low <= value <= high:
            raise Refused("invalid", f"The value of {name} must be a whole number from {low} to {high}.", name)
        return value

    return check


def maybe(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


def truth(name: str, value: object) -> object:
    if type(value) is not bool:
        raise Refused("invalid", f"The value of {name} must be true or false.", name)
    return value


def text(most: int) -> Check:
    """Accept any text without NUL of at most `most` bytes of UTF-8; only for data, never for an argument."""

    def check(name: str, value: object) -> object:
        if not isinstance(value, str) or "\0" in value:
            raise Refused("invalid", f"The {name} must be text.", name)
        try:
            long = len(value.encode()) > most
        except UnicodeEncodeError:
            raise Refused("invalid", f"The {name} is not valid Unicode.", name) from None
        if long:
            raise Refused("invalid", f"The {name} is too long: {most} B at most.", name)
        return value

    return check


def path(name: str, value: object) -> object:
    """Check an absolute path, or one in the home: `~` or `~/…`; drop redundant parts (`/./`, `//`)."""
    found = str(text(MAX_PATH)(name, value))
    if found != "~" and not found.startswith(("/", "~/")):
        raise Refused("invalid", f"The {name} must begin with / or ~/.", name)
    return re.sub(r"/(\.?/)+", "/", found)


def loads(raw: bytes) -> Fields:
    """Parse the request, checking only that it is a JSON object."""
    if len(raw) > MAX_REQUEST:
        raise Refused("invalid", "The request is too large.")
    try:
        request = json.loads(
            raw.decode(), object_pairs_hook=without_twins, parse_int=short_number, parse_constant=refuse
        )
    except (ValueError, RecursionError):
        raise Refused("invalid", "The request is not JSON.") from None
    if not isinstance(request, dict):
        raise Refused("invalid", "The request must be a JSON object.")
    return request


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a duplicate name: two readers may take different values."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name appears twice")
    return fields


def short_number(digits: str) -> int:
    """Refuse a number so long that converting it takes seconds."""
    return int(digits) if len(digits) <= MAX_DIGITS else refuse(digits)


def refuse(what: str) -> int:
    raise ValueError(what[:40])


def checked(request: Fields, checks: dict[str, Check]) -> Fields:
    """Return the fields, each checked; exactly those of `checks` must be present, beside the verb."""
    given = request.keys() - {"verb"}
    if given != checks.keys():
        odd = min(given ^ checks.keys())
        raise Refused("invalid", f"The request must have exactly the fields of {request['verb']}.", odd[:40])
    return {name: check(name, request[name]) for name, check in checks.items()}
