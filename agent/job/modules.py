"""Loads environment modules without a shell, by parsing the module command's Python output instead of running it.

Lmod and Environment Modules print Python that sets variables. Only assignments and deletions of variables are used;
aliases and shell functions mean nothing to a program started without a shell.
"""

from __future__ import annotations

import ast
import subprocess
from typing import Iterator, Sequence

TIMEOUT_S = 60.0


class ModuleError(Exception):
    """A module could not be loaded; carries the module command's message."""


def load(command: str, paths: Sequence[str], modules: Sequence[str], environ: dict[str, str]) -> dict[str, str]:
    """Return a copy of `environ` with all of `modules` loaded, in this order. Raises ModuleError."""
    environ = {**environ, "MODULEPATH": ":".join(paths)}
    try:
        done = subprocess.run(
            [command, "python", "load", *modules],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ModuleError(f"The modules were not loaded within {TIMEOUT_S:.0f} seconds.") from None
    except OSError as error:
        raise ModuleError(f"Modules cannot be loaded on this node: {command}: {error.strerror}.") from error
    loaded = False
    try:
        for name, value in assignments(done.stdout.decode(errors="replace")):
            if name is None:
                loaded = value == "True"
            elif value is None:
                environ.pop(name, None)
            else:
                environ[name] = value
    except SyntaxError:
        loaded = False
    if not loaded:
        output = summary(done.stderr.decode(errors="replace"))
        raise ModuleError(f"The modules {', '.join(modules)} do not load on this node: {output}")
    return environ


def assignments(source: str) -> Iterator[tuple[str | None, str | None]]:
    """Return each variable that the module command's Python sets (value None: deletes), and `_mlstatus` as name None.

    Raises SyntaxError if it is not Python.
    """
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Delete):
            for target in statement.targets:
                name = _variable(target)
                if name is not None:
                    yield name, None
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            try:
                value = ast.literal_eval(statement.value)
            except ValueError:
                continue
            if isinstance(target, ast.Name) and target.id == "_mlstatus":
                yield None, str(value)
            else:
                name = _variable(target)
                if name is not None and isinstance(value, str):
                    yield name, value


def _variable(target: ast.expr) -> str | None:
    """Return the name in `os.environ['NAME']`; None for anything else."""
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Attribute):
        return None
    if target.value.attr != "environ":
        return None
    # Python 3.8 wraps the name in ast.Index, which literal_eval does not know.
    name = getattr(target.slice, "value", target.slice)
    name = getattr(name, "value", name)
    name = getattr(name, "s", name)
    return name if isinstance(name, str) else None


def summary(output: str) -> str:
    """Return the module command's message on one line, without its headings."""
    lines = [line.strip() for line in output.splitlines()]
    kept = [line for line in lines if line and not line.startswith(("Loading ", "Lmod has detected"))]
    output = " ".join(kept).partition(" while executing")[0]  # what follows is a Tcl traceback
    return output[:400] or "the module command gives no reason."
