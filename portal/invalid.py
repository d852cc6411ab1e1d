"""Pydantic's findings in the portal's words: one sentence a field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from portal.errors import FieldProblem, InvalidRequest

WORDS = {
    "extra_forbidden": "There is no such field; leave it out.",
    "missing": "This is needed.",
    "string_pattern_mismatch": "This holds characters that no such name has.",
}
TOLD = 5


def refusal(findings: Iterable[Mapping[str, Any]], *, request_part: bool = False) -> InvalidRequest:
    """Return the error that tells what is wrong with each field.

    With `request_part` the first part of each path (`body`, `query`) names the part of the request, not a field.
    """
    fields = [_problem(finding, request_part) for finding in findings]
    return InvalidRequest(" ".join(f"{one.field}: {one.message}" for one in fields[:TOLD]), fields=fields)


def _problem(finding: Mapping[str, Any], request_part: bool) -> FieldProblem:
    path = [str(part) for part in finding["loc"]]
    name = ".".join(path[1:] if request_part else path) or "".join(path[:1])
    if (words := WORDS.get(finding["type"])) is not None:
        return FieldProblem(name, words)
    text = re.sub(r"^(Value error, |Input )", "", finding["msg"])
    return FieldProblem(name, f"{text[:1].upper()}{text[1:]}".rstrip(".") + ".")
