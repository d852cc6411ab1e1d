"""Checks that shipped notebooks are clean: no stray outputs, tidy metadata, nothing from one developer's machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from portal.notebooks.index import read_notebook

PARAMETERS = "parameters"
_OWN_PATH = re.compile(r"(?<![\w.:/~}])(?:/(?:home|root|Users|tmp|mnt|data|opt|srv|work|scratch)/|[A-Z]:\\)")


def untidy(path: Path) -> list[str]:
    """Return what is untidy in a notebook, as sentences; empty if it is clean. Raises OSError, ValueError,
    TypeError.
    """
    notebook = read_notebook(path)
    cells: list[dict[str, Any]] = notebook["cells"]
    problems = [
        f"metadata “{key}” is not needed" for key in notebook["metadata"].keys() - {"kernelspec", "language_info"}
    ]
    if notebook["metadata"].get("language_info", {}).keys() - {"name"}:
        problems.append("language_info holds more than the name; it changes with each Python")
    if (notebook["nbformat"], notebook.get("nbformat_minor", 0)) < (4, 5):
        problems.append("the format is older than 4.5, which gives cells their ids")
    ids = [cell.get("id") for cell in cells]
    if len(set(ids)) != len(ids) or None in ids:
        problems.append("each cell needs an id of its own")
    if sum(PARAMETERS in cell["metadata"].get("tags", []) for cell in cells) != 1:
        problems.append(f"exactly one cell must be tagged “{PARAMETERS}”")
    if not cells or cells[0]["cell_type"] != "markdown" or not _source(cells[0]).startswith("# "):
        problems.append("the first cell must be a title in Markdown")
    if not cells or cells[-1]["cell_type"] != "code":
        problems.append("the last cell must be code that prints the result")
    for cell in cells:
        problems += [f"cell {cell.get('id')}: {problem}" for problem in _untidy_cell(cell)]
    return problems


def _untidy_cell(cell: dict[str, Any]) -> list[str]:
    problems = []
    if cell.get("outputs") or cell.get("execution_count") is not None:
        problems.append("it has outputs; clear them")
    if cell["metadata"].keys() - {"tags"}:
        problems.append("its metadata has more than tags")
    source = _source(cell)
    if not source.strip():
        problems.append("it is empty")
    if match := _OWN_PATH.search(source):
        problems.append(f"it names a path of one machine ({match[0]}…)")
    if any(line != line.rstrip() for line in source.splitlines()):
        problems.append("it has trailing spaces")
    return problems


def _source(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)
