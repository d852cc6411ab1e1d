"""All templates of the site: read once, and again when a file changes."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from portal.notebooks.index import INDEX, Folder, IndexedTemplate, read_folder
from portal.settings import Settings

HOME_FOLDER = "templates"
"""Where templates are in a user's home."""


@dataclass(frozen=True, slots=True)
class Gallery:
    found: tuple[IndexedTemplate, ...]
    problems: tuple[str, ...]


def gallery(settings: Settings) -> Gallery:
    """Return the templates of all folders, in the order of the settings, and the problems as sentences.

    Of two templates with the same id or file name, the first counts. A template is left out if the site lacks its
    environment, unless it names an image with the framework.
    """
    templates: list[IndexedTemplate] = []
    problems: list[str] = []
    for path in settings.templates.all_folders():
        folder = _read(path)
        problems += folder.problems
        for value in folder.found:
            template = value.template
            if any(template.id == other.template.id for other in templates):
                problems.append(f"{path / INDEX}: an earlier folder also has a template “{template.id}”.")
            elif any(template.file == other.template.file for other in templates):
                problems.append(f"{path / INDEX}: an earlier folder also has a file {template.file}.")
            elif template.environment and template.environment not in settings.environments and not template.image:
                problems.append(
                    f"{path / INDEX}: “{template.id}” needs the environment “{template.environment}”, "
                    "which this site does not have; it is left out."
                )
            else:
                templates.append(value)
    return Gallery(tuple(templates), tuple(problems))


def copies(settings: Settings) -> list[dict[str, str]]:
    """Return what the agent copies into the home: source on the node, target relative to the home."""
    return [
        {"source": str(template.path), "target": f"{HOME_FOLDER}/{template.template.file}"}
        for template in gallery(settings).found
    ]


def _read(folder: Path) -> Folder:
    return _read_cached(folder, _signature(folder))


@lru_cache(maxsize=64)
def _read_cached(folder: Path, _: tuple[object, ...]) -> Folder:
    return read_folder(folder)


def _signature(folder: Path) -> tuple[object, ...]:
    """Return a value that changes whenever the index or a notebook does."""
    marks: list[object] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name == INDEX or name.endswith(".ipynb"):
                with suppress(FileNotFoundError):  # being replaced right now: the next call sees it
                    status = os.stat(os.path.join(root, name))
                    marks.append((root, name, status.st_mtime_ns, status.st_size))
    return tuple(marks)
