"""The `%portal_submit` and `%%portal_submit` magics: submit from a line or a cell, with command-line options."""

from __future__ import annotations

import argparse
import json
import shlex
from typing import Any, NoReturn

from .code import submit_code
from .jobs import Job, submit
from .notebook import submit_notebook


class _Usage(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    color: bool

    def error(self, message: str) -> NoReturn:
        raise _Usage(f"{message}\n{self.format_usage()}")


def _parser() -> _Parser:
    parser = _Parser(prog="portal_submit", add_help=False, description=portal_submit.__doc__)
    parser.color = False  # Python 3.14 would add colours that end up in the saved notebook
    parser.add_argument("notebook", nargs="?")
    parser.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    parser.add_argument("--name")
    parser.add_argument("--partition")
    parser.add_argument("--environment")
    for name, field in (("--nodes", "nodes"), ("--gpus", "gpus_per_node"), ("--cpus", "cpus_per_task")):
        parser.add_argument(name, type=int, dest=field)
    parser.add_argument("--memory-gb", type=float)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--detach", action="store_true")
    return parser


def portal_submit(line: str, cell: str | None = None) -> Job | None:
    """Submit this notebook, the named one, or the cell below, and follow it until it has ended.

    A cell that begins with #! is a script with #SBATCH lines; any other is Python. --detach returns at once.
    """
    try:
        asked = _asked(line)
        detach, notebook, parameters = (asked.pop(name) for name in ("detach", "notebook", "parameter"))
        form = _form(asked)
        if cell is not None and (notebook or parameters):
            raise _Usage("Give a notebook and its parameters to %portal_submit, not to the cell magic.")
        if cell is not None and cell.startswith("#!") and form:
            raise _Usage("A script requests its resources in its #SBATCH lines; write them there.")
    except _Usage as error:
        print(error)
        return None
    if cell is None:
        job = submit_notebook(notebook, {name: _value(value) for name, value in parameters}, **form)
    elif cell.startswith("#!"):
        job = submit(cell)
    else:
        job = submit_code(cell, **form)
    print(f"Submitted job {job.id}.")
    if not detach:
        _follow(job)
    return job


def _asked(line: str) -> dict[str, Any]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise _Usage(f"{error}: {line}") from None
    return vars(_parser().parse_args(words))


def _form(asked: dict[str, Any]) -> dict[str, Any]:
    memory, hours = asked.pop("memory_gb"), asked.pop("hours")
    form = {name: value for name, value in asked.items() if value is not None}
    if memory is not None:
        form["memory_mib_per_node"] = round(memory * 1024)
    if hours is not None:
        form["walltime_s"] = round(hours * 3600)
    return form


def _follow(job: Job) -> None:
    try:
        job.follow().wait()
    except KeyboardInterrupt:
        print(f"\nJob {job.id} continues. To follow it again: portal_jobs.job({job.id}).follow(); to end it: .cancel()")
        raise


def _value(text: str) -> Any:
    """Parse a parameter as JSON if it is (3, 0.1, true), else keep it as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
