"""Reads a folder of notebook templates: its `index.toml` and the notebooks that it declares."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

INDEX = "index.toml"
SERVER_KERNEL = "python3"
"""The kernel of the environment that serves Jupyter; every other kernel is named after its environment."""


class Template(BaseModel):
    """One notebook, as declared in `index.toml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
    file: str = Field(min_length=1, description="The notebook, relative to the index.")
    title: str = Field(min_length=1, max_length=120)
    framework: str = Field(min_length=1, max_length=40)
    versions: str = Field("", description="Versions of the framework that it is written for (PEP 440).")
    task: str = Field(
        min_length=1,
        max_length=60,
        description="What it does, such as image classification; the gallery filters by it.",
    )
    description: str = Field(min_length=1, max_length=300, description="What it teaches, in a sentence or two.")
    environment: str = Field("", description="Environment whose kernel it uses; empty: the one that serves Jupyter.")
    kernel_of_node: str = Field("", description="A kernel that the nodes have anyway, such as R's `ir`.")
    image: str = Field("", description="A container image that has the framework, for sites without that environment.")
    old: bool = Field(False, description="The framework is no longer developed: folded away where it does not run.")
    data: str = Field("", description="The data that it uses, and their source.")
    gpus: int = Field(0, ge=0, description="Suitable number of GPUs; it may run with fewer.")
    minutes_cpu: float | None = Field(None, gt=0, description="Minutes on two cores; left out: not meant for CPUs.")
    minutes_gpu: float | None = Field(None, gt=0, description="Minutes on a GPU.")
    tested: str = Field("", description="How and where it was run, with the result.")
    not_run: str = Field("", description="Why it could not be run, if so.")
    preview: str = Field("", description="The same notebook with its outputs, relative to the index.")
    picture: str = Field("", description="Id of the cell whose picture represents it; empty: the last picture.")

    @field_validator("file", "preview")
    @classmethod
    def _inside(cls, value: str) -> str:
        path = PurePosixPath(value)
        if value and (path.is_absolute() or ".." in path.parts or path.suffix != ".ipynb" or value != str(path)):
            raise ValueError("must be the path of an .ipynb file below the index, without '..'")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.environment and self.kernel_of_node:
            raise ValueError("`environment` and `kernel_of_node` cannot be combined")
        if self.image and not self.environment:
            raise ValueError("`image` stands for an `environment`, which must be named")
        if self.tested and self.not_run:
            raise ValueError("a `tested` template was run: leave `not_run` out")
        return self

    @property
    def kernel(self) -> str:
        return self.environment or self.kernel_of_node or SERVER_KERNEL


@dataclass(frozen=True, slots=True)
class IndexedTemplate:
    """A template, its notebook with its SHA-256, and the copy with outputs, if there is one that matches."""

    template: Template
    path: Path
    digest: str
    preview: Path | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder contains, and what is wrong with the rest, as sentences."""

    found: tuple[IndexedTemplate, ...] = ()
    problems: tuple[str, ...] = ()


def read_folder(folder: Path) -> Folder:
    """Read the index of `folder`. Invalid entries are left out and reported; the rest still works."""
    index = folder / INDEX
    try:
        declared = tomllib.loads(index.read_text())
    except OSError as error:
        return Folder(problems=(f"{index} cannot be read ({error.strerror}).",))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Folder(problems=(f"{index} is not valid TOML: {error}.",))
    entries = declared.pop("template", [])
    problems = [f"{index}: unknown key “{key}”. Templates go under [[template]]." for key in declared]
    if not isinstance(entries, list):
        return Folder(problems=(f"{index}: write [[template]] with two brackets on each side.",))
    templates: list[IndexedTemplate] = []
    for number, entry in enumerate(entries, 1):
        name = f"{index}, template {entry.get('id', number) if isinstance(entry, dict) else number}"
        try:
            template = Template.model_validate(entry)
        except ValidationError as error:
            problems += [f"{name}: {'.'.join(map(str, item['loc']))}: {item['msg']}." for item in error.errors()]
            continue
        if any(template.id == other.template.id for other in templates):
            problems.append(f"{name}: another template has this id.")
            continue
        path = folder / template.file
        if broken := _broken(path, template):
            problems.append(f"{name}: {broken}")
            continue
        preview = folder / template.preview if template.preview else None
        if preview and (unfit := _unfit(preview, path)):
            problems.append(f"{name}: {unfit}")
            preview = None
        try:
            templates.append(IndexedTemplate(template, path, hashlib.sha256(path.read_bytes()).hexdigest(), preview))
        except OSError as error:  # removed at this very moment
            problems.append(f"{name}: {path} cannot be read ({error.strerror}).")
    return Folder(tuple(templates), tuple(problems))


def read_notebook(path: Path) -> dict[str, Any]:
    """Return the notebook's JSON, checked so that it can be shown. Raises OSError, ValueError or TypeError."""
    try:
        notebook = json.loads(path.read_text())
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise TypeError("it has no cells")
    if not isinstance(notebook.get("metadata", {}), dict):
        raise TypeError("its metadata is not an object")
    for number, cell in enumerate(notebook["cells"], 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise TypeError(f"cell {number} is not a valid cell")
        source = cell.get("source")
        if not isinstance(source, str) and not (
            isinstance(source, list) and all(isinstance(value, str) for value in source)
        ):
            raise TypeError(f"cell {number} has no text")
    return notebook


def _broken(path: Path, template: Template) -> str | None:
    try:
        notebook = read_notebook(path)
    except OSError as error:
        return f"{path} cannot be read ({error.strerror})."
    except (ValueError, TypeError) as error:
        return f"{path} is not a notebook ({error})."
    if notebook.get("nbformat") != 4:
        return f"{path} has notebook format {notebook.get('nbformat')}; save it in format 4."
    spec = notebook.get("metadata", {}).get("kernelspec")
    kernel = spec.get("name") if isinstance(spec, dict) else None
    if kernel != template.kernel:
        return f"{path} asks for the kernel “{kernel}”; its environment's kernel is “{template.kernel}”."
    return None


def _unfit(preview: Path, path: Path) -> str | None:
    """Return why the preview does not belong to this notebook."""
    try:
        shown, plain = ([cell["source"] for cell in read_notebook(file)["cells"]] for file in (preview, path))
    except OSError as error:
        return f"its preview {preview} cannot be read ({error.strerror})."
    except (ValueError, TypeError, KeyError) as error:
        return f"its preview {preview} is not a notebook ({error})."
    if ["".join(source) for source in shown] != ["".join(source) for source in plain]:
        return f"its preview {preview} was made from another version; run it again."
    return None
