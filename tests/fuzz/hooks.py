"""Adds one check to schemathesis: it tries another user's ids, and none of that user's data may come back.

Loaded by schemathesis itself ($SCHEMATHESIS_HOOKS). $FUZZ_OTHERS holds the ids by parameter name.
"""

from __future__ import annotations

import json
import os
import posixpath
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, GenerationMode, HookContext, Response

OTHERS: dict[str, Any] = json.loads(os.environ["FUZZ_OTHERS"])
PUBLIC = "/cluster/"  # everybody sees the queue
LONGEST_QUERY = 4000  # the proxy refuses longer addresses itself


@schemathesis.hook
def filter_query(context: HookContext, query: dict[str, Any] | None) -> bool:
    """Leave out what the proxy refuses itself, and archives of the whole machine."""
    asked = (query or {}).get("path", [])
    paths = asked if isinstance(asked, list) else [asked]
    is_archive = context.operation is not None and context.operation.path.endswith("/files/archive")
    if is_archive and any(posixpath.normpath(str(path)) in ("/", "//") for path in paths):
        return False
    return len(str(query)) <= LONGEST_QUERY


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Put another user's ids into every second request that is meant to be valid."""
    named = (case.path_parameters or {}).keys() & OTHERS.keys()
    if named and _is_valid(case) and sum(case.id.encode()) % 2:
        case.path_parameters = {**case.path_parameters, **{name: OTHERS[name] for name in named}}


def _is_valid(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE


@schemathesis.check
def nothing_of_others(ctx: CheckContext, response: Response, case: Case) -> None:
    """Fail if a request that names another user's id succeeds."""
    named = {name for name, value in (case.path_parameters or {}).items() if str(OTHERS.get(name)) == str(value)}
    if named and response.status_code < 400 and PUBLIC not in case.path:
        raise AssertionError(f"{case.method} {case.formatted_path} worked with another person's {', '.join(named)}.")
