"""What the gallery shows of a notebook that was run."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from portal.notebooks.index import IndexedTemplate, Template, read_folder
from portal.notebooks.preview import cells_of, keep, picture_of

PNG = b"\x89PNG\r\n\x1a\nnot much of a picture"
PLAIN: dict[str, Any] = {
    "cells": [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# Digits"]},
        {
            "cell_type": "code",
            "id": "train",
            "metadata": {},
            "source": ["print(1)\n", "plot()"],
            "outputs": [],
            "execution_count": None,
        },
    ],
    "metadata": {"kernelspec": {"name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def ran() -> dict[str, Any]:
    notebook = copy.deepcopy(PLAIN)
    notebook["cells"][1]["execution_count"] = 7
    notebook["cells"][1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "1\n"},
        {"output_type": "stream", "name": "stderr", "text": "a warning of this machine\n"},
        {"output_type": "stream", "name": "stdout", "text": "2\n"},
        {
            "output_type": "display_data",
            "metadata": {"needs_background": "light"},
            "data": {"image/png": base64.b64encode(PNG).decode(), "text/html": "<script>alert(1)</script>"},
        },
    ]
    return notebook


def found(tmp_path: Path, notebook: dict[str, Any], **more: str) -> IndexedTemplate:
    path = tmp_path / "digits.ipynb"
    path.write_text(json.dumps(notebook))
    template = Template(
        id="digits", file="digits.ipynb", title="Digits", framework="X", task="Y", description="Z", **more
    )
    return IndexedTemplate(template, path, digest="")


def test_kept_are_printed_text_and_pictures_alone() -> None:
    kept = keep(ran(), PLAIN)
    code = kept["cells"][1]
    assert code["execution_count"] is None
    assert [output["output_type"] for output in code["outputs"]] == ["stream", "display_data"]
    assert code["outputs"][0]["text"] == ["1\n", "2\n"]
    assert code["outputs"][1]["data"] == {"image/png": base64.b64encode(PNG).decode()}


def test_a_run_of_another_version_is_refused() -> None:
    other = ran()
    other["cells"][1]["source"] = "print(2)"
    with pytest.raises(ValueError, match="another version"):
        keep(other, PLAIN)


def test_cells_show_text_and_pictures_and_no_markup(tmp_path: Path) -> None:
    title, code = cells_of(found(tmp_path, ran()))
    assert (title.kind, title.source) == ("markdown", "# Digits")
    assert [output.kind for output in code.outputs] == ["text", "text", "text", "picture"]
    assert "<script>" not in "".join(output.text for output in code.outputs)


def test_the_picture_is_that_of_the_declared_cell_or_the_last(tmp_path: Path) -> None:
    assert picture_of(found(tmp_path, ran())) == PNG
    assert picture_of(found(tmp_path, ran(), picture="train")) == PNG
    assert picture_of(found(tmp_path, ran(), picture="title")) is None
    assert picture_of(found(tmp_path, PLAIN)) is None


def test_a_preview_of_another_version_is_told_and_not_shown(tmp_path: Path) -> None:
    (tmp_path / "index.toml").write_text(
        '[[template]]\nid = "digits"\nfile = "digits.ipynb"\ntitle = "Digits"\nframework = "X"\ntask = "Y"\n'
        'description = "Z"\npreview = "shown.ipynb"\n'
    )
    other = ran()
    other["cells"][0]["source"] = ["# Letters"]
    (tmp_path / "digits.ipynb").write_text(json.dumps(PLAIN))
    (tmp_path / "shown.ipynb").write_text(json.dumps(other))
    folder = read_folder(tmp_path)
    assert [template.preview for template in folder.found] == [None]
    assert "another version" in folder.problems[0]
    (tmp_path / "shown.ipynb").write_text(json.dumps(ran()))
    assert read_folder(tmp_path).problems == ()
