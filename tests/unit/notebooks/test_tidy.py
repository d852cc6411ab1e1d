"""Shipped notebooks are clean, and the check that says so finds what is not."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portal.notebooks.index import read_folder
from portal.notebooks.tidy import untidy

TEMPLATES = Path(__file__).parents[3] / "templates"
PREVIEWS = sorted((TEMPLATES / "previews").glob("*.ipynb"))
SHIPPED = sorted(set(TEMPLATES.rglob("*.ipynb")) - set(PREVIEWS))
Notebook = dict[str, Any]

CLEAN: Notebook = {
    "cells": [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# Digits"]},
        {
            "cell_type": "code",
            "id": "parameters",
            "metadata": {"tags": ["parameters"]},
            "source": ["epochs = 3"],
            "outputs": [],
            "execution_count": None,
        },
        {
            "cell_type": "code",
            "id": "result",
            "metadata": {},
            "source": ["print(1)"],
            "outputs": [],
            "execution_count": None,
        },
    ],
    "metadata": {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def check(tmp_path: Path) -> Callable[[Notebook], list[str]]:
    def run(notebook: Notebook) -> list[str]:
        path = tmp_path / "digits.ipynb"
        path.write_text(json.dumps(notebook))
        return untidy(path)

    return run


def test_a_clean_notebook_passes(check: Callable[[Notebook], list[str]]) -> None:
    assert check(CLEAN) == []


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda nb: nb["metadata"].update(widgets={}), "metadata “widgets” is not needed"),
        (lambda nb: nb["metadata"]["language_info"].update(version="3.11"), "language_info"),
        (lambda nb: nb.update(nbformat_minor=4), "older than 4.5"),
        (lambda nb: nb["cells"][1].update(id="title"), "an id of its own"),
        (lambda nb: nb["cells"][1]["metadata"].clear(), "must be tagged “parameters”"),
        (lambda nb: nb["cells"][0].update(source="Digits"), "first cell must be a title"),
        (lambda nb: nb["cells"].append(nb["cells"].pop(0)), "last cell must be code"),
        (lambda nb: nb["cells"][2].update(execution_count=3), "cell result: it has outputs"),
        (lambda nb: nb["cells"][2].update(outputs=[{}]), "cell result: it has outputs"),
        (lambda nb: nb["cells"][2]["metadata"].update(collapsed=True), "more than tags"),
        (lambda nb: nb["cells"][2].update(source=["\n"]), "it is empty"),
        (lambda nb: nb["cells"][2].update(source=["open('/home/ann/x')"]), "path of one machine (/home/"),
        (lambda nb: nb["cells"][2].update(source=["x = 1 \n", "y = 2"]), "trailing spaces"),
    ],
)
def test_what_is_untidy_is_told(
    spoil: Callable[[Notebook], object], words: str, check: Callable[[Notebook], list[str]]
) -> None:
    notebook = copy.deepcopy(CLEAN)
    spoil(notebook)
    assert any(words in problem for problem in check(notebook))


@pytest.mark.parametrize(
    "source", ["x = '~/data'", "url = 'https://example.org/home/x'", "a = b/tmp/c", "'results/opt/x'"]
)
def test_paths_that_hold_everywhere_pass(source: str, check: Callable[[Notebook], list[str]]) -> None:
    notebook = copy.deepcopy(CLEAN)
    notebook["cells"][2]["source"] = [source]
    assert check(notebook) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_notebooks_are_clean(path: Path) -> None:
    assert untidy(path) == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_notebooks_are_python(path: Path) -> None:
    notebook = json.loads(path.read_text())
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    if notebook["metadata"]["language_info"]["name"] == "python":
        for source in code:
            ast.parse(source)


def test_every_shipped_notebook_is_in_the_index() -> None:
    folder = read_folder(TEMPLATES)
    assert sorted(template.path for template in folder.found) == SHIPPED


def test_every_shipped_preview_belongs_to_a_template() -> None:
    folder = read_folder(TEMPLATES)
    assert folder.problems == ()
    assert sorted(template.preview for template in folder.found if template.preview) == PREVIEWS
