"""Pydantic's errors in the portal's words: one sentence per field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from portal.errors import FieldProblem, InvalidRequest
from portal.plurals import plural

WORDS = {
    "extra_forbidden": "Unknown field; leave it out.",
    "missing": "This field is required.",
    "string_pattern_mismatch": "This contains characters that are not allowed in this name.",
}
TOLD = 5
"""Problems that an error's one sentence mentions."""
MOST = 20
"""Problems that an error lists, each with its field."""
LONGEST = 2_000
"""Maximum length of that sentence, in characters."""


def invalid_request(findings: Iterable[Mapping[str, Any]], *, request_part: bool = False) -> InvalidRequest:
    """Return the error that says what is wrong with each field.

    With `request_part`, the first element of each path (`body`, `query`) names the part of the request, not a field.
    """
    every = list(findings)
    fields = [_problem(finding, request_part) for finding in every[:MOST]]
    words = " ".join(f"{field.field}: {field.message}" for field in fields[:TOLD])
    rest = f" And {plural(len(every) - TOLD, 'more problem')}." if len(every) > TOLD else ""
    return InvalidRequest(cut(words, LONGEST - len(rest)) + rest, fields=fields)


def cut(text: str, most: int) -> str:
    """Return at most that many characters of a text, marking where it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _problem(finding: Mapping[str, Any], request_part: bool) -> FieldProblem:
    path = [str(part) for part in finding["loc"]]
    name = ".".join(path[1:] if request_part else path) or "".join(path[:1])
    if (words := WORDS.get(finding["type"])) is not None:
        return FieldProblem(name, words)
    text = re.sub(r"^(Value error, |Input )", "", finding["msg"])
    return FieldProblem(name, f"{text[:1].upper()}{text[1:]}".rstrip(".") + ".")
