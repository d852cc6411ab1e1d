"""A notebook as the gallery shows it: its cells, with the outputs of an earlier run."""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from portal.notebooks.index import IndexedTemplate, read_notebook

TEXT_LIMIT = 20_000
"""Maximum characters shown of one output."""
PNG = "image/png"


class Output(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["text", "picture"]
    text: str = Field("", description="The printed text, or the name of a picture.")
    png: str | None = Field(None, description="The picture, base64.")


class Cell(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    kind: Literal["markdown", "code"]
    source: str
    outputs: tuple[Output, ...] = ()


class PreviewOut(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str
    cells: list[Cell]


def cells_of(template: IndexedTemplate) -> list[Cell]:
    """Return the template's cells, with the outputs of its preview if it has one.

    Raises OSError, ValueError or TypeError if the notebook has become unreadable.
    """
    path = template.preview or template.path
    status = path.stat()
    return list(_cells(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=64)
def _cells(path: Path, mtime_ns: int, size: int) -> tuple[Cell, ...]:
    """Read the cells once for all users: parsing a large notebook holds Python's lock for long."""
    cells = enumerate(read_notebook(path)["cells"])
    return tuple(_cell(cell, number) for number, cell in cells if cell["cell_type"] in _KINDS)


@dataclass(frozen=True, slots=True)
class PackedPreview:
    """A preview as JSON for the API, plain and compressed by gzip."""

    plain: bytes
    packed: bytes


def told_of(template: IndexedTemplate) -> PackedPreview:
    """Return the template's preview as the API sends it. Raises as `cells_of` does."""
    path = template.preview or template.path
    status = path.stat()
    return _told(template.template.id, path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _told(template_id: str, path: Path, mtime_ns: int, size: int) -> PackedPreview:
    """Encode and compress once for all readers: done for each, it would block the others."""
    cells = list(_cells(path, mtime_ns, size))
    plain = PreviewOut(id=template_id, cells=cells).model_dump_json().encode()
    return PackedPreview(plain, gzip.compress(plain, 6))


def picture_of(template: IndexedTemplate) -> bytes | None:
    """Return the template's picture, a PNG: that of the declared cell, else the last one."""
    wanted = template.template.picture
    pictures = [(cell.id, output.png) for cell in cells_of(template) for output in cell.outputs if output.png]
    chosen = [png for cell_id, png in pictures if wanted in ("", cell_id)]
    if not chosen:
        return None
    try:
        return base64.b64decode(chosen[-1])
    except binascii.Error:
        return None


def keep(ran: dict[str, Any], plain: dict[str, Any]) -> dict[str, Any]:
    """Return `plain` with the printed text and the pictures of `ran`, and nothing else of it.

    Raises ValueError unless both are the same notebook.
    """
    outputs = {cell["id"]: cell.get("outputs", []) for cell in ran["cells"]}
    if sources(ran) != sources(plain):
        raise ValueError("the notebook that was run is another version")
    cells = [
        {**cell, "outputs": list(_kept(outputs[cell["id"]]))} if cell["cell_type"] == "code" else cell
        for cell in plain["cells"]
    ]
    return {**plain, "cells": cells}


def sources(notebook: dict[str, Any]) -> list[str]:
    return [_text(cell["source"]) for cell in notebook["cells"]]


def _kept(outputs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    printed = ""
    for output in outputs:
        if output["output_type"] == "stream" and output["name"] == "stdout":
            printed += _text(output["text"])
            continue
        png = output.get("data", {}).get(PNG)
        if png is None:
            continue
        if printed:
            yield _stream(printed)
            printed = ""
        yield {"data": {PNG: _text(png).strip()}, "metadata": {}, "output_type": "display_data"}
    if printed:
        yield _stream(printed)


def _stream(text: str) -> dict[str, Any]:
    return {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}


_KINDS = {"markdown", "code"}


def _cell(cell: dict[str, Any], number: int) -> Cell:
    outputs = [_output(output) for output in cell.get("outputs", [])]
    return Cell(
        id=str(cell.get("id", number)),
        kind=cell["cell_type"],
        source=_text(cell["source"]),
        outputs=tuple(output for output in outputs if output is not None),
    )


def _output(output: dict[str, Any]) -> Output | None:
    """Keep only text and pictures: a notebook's HTML and scripts stay out of the portal's pages."""
    data = output.get("data", {})
    if PNG in data:
        return Output(kind="picture", text=_text(data.get("text/plain", ""))[:200], png=_text(data[PNG]).strip())
    text = _text(output.get("text") or data.get("text/plain") or "")
    return Output(kind="text", text=text[:TEXT_LIMIT]) if text.strip() else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "".join(value)


def main(ran: Path, notebook: Path, preview: Path) -> None:
    """Write `preview`: `notebook` with the outputs of `ran`, which is the same notebook after a run."""
    kept = keep(read_notebook(ran), read_notebook(notebook))
    preview.parent.mkdir(parents=True, exist_ok=True)
    preview.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
