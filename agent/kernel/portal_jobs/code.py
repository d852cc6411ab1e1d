"""Submits Python code and notebook functions as jobs, run by the notebook's own Python."""

from __future__ import annotations

import inspect
import shlex
import sys
import textwrap
from typing import Any, Callable

from .client import PortalError
from .jobs import Job, run


def submit_code(code: str, **form: Any) -> Job:
    """Submit Python code, run by this notebook's Python."""
    mark = "PORTAL_CODE"
    while mark in code:
        mark += "_"
    return run(f"{shlex.quote(sys.executable)} - <<'{mark}'\n{code.rstrip()}\n{mark}", **form)


def submit_function(function: Callable[..., Any], *arguments: Any, **form: Any) -> Job:
    """Submit a function of this notebook, called with `arguments` and run by this notebook's Python.

    Only the function's source is sent: it must import what it needs. Its return value is printed.
    """
    text = textwrap.dedent(inspect.getsource(function))
    values = ", ".join(map(repr, arguments))
    try:
        compile(call := f"print({function.__name__}({values}))", "arguments", "eval")
    except SyntaxError:
        raise PortalError("Use arguments that can be written as text: numbers, strings, lists, dictionaries.") from None
    return submit_code(f"{text}\n{call}", **{"name": function.__name__, **form})
