"""Apps that are declared in a file of their own, by a site or by a user.

`NAME.toml`, or `app.toml` in a folder NAME, has the keys of `[apps.NAME]` in `portal.toml`. `{app}` stands for the
folder that the file is in, so that an app's programs can lie beside it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from portal.settings.apps import App

IN_FOLDER = "app.toml"
SUFFIX = ".toml"
MAX_BYTES = 32_768
MOST = 200
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}")


class WrongAppFile(ValueError):
    """The file declares no app that could start; carries a sentence."""


@dataclass(frozen=True)
class AppFiles:
    """The apps that a folder's files declare, as written, and what is wrong with the other files, by their path."""

    apps: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def name_of(path: str) -> str:
    """Return the name of the app that the file at `path` declares. Raises WrongAppFile."""
    file = Path(path)
    name = file.parent.name if file.name == IN_FOLDER else file.name.removesuffix(SUFFIX)
    if not NAME.fullmatch(name):
        raise WrongAppFile(f"“{name[:60]}” cannot name an app: use lower-case letters, digits, “-”, “_” and “.”.")
    return name


def parse(content: bytes, path: str) -> dict[str, Any]:
    """Return what a file declares, with its folder filled in. Raises WrongAppFile."""
    if len(content) > MAX_BYTES:
        raise WrongAppFile(f"It is larger than {MAX_BYTES // 1024} KiB.")
    try:
        declared = tomllib.loads(content.decode())
    except ValueError as error:
        raise WrongAppFile(f"It is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise WrongAppFile("Its TOML is too deeply nested.") from error
    folder = str(Path(path).parent)
    if set("{}") & set(folder):
        raise WrongAppFile("Its folder's path contains braces, which have a meaning in commands. Rename it.")
    filled: dict[str, Any] = _filled(declared, folder)
    return {"title": name_of(path), "kind": "web"} | filled


def check(declared: dict[str, Any], environments: Collection[str]) -> App:
    """Return the app that is declared. Raises WrongAppFile with what is wrong, key by key."""
    try:
        app = App.model_validate(declared)
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" if item["loc"] else item["msg"]
            for item in error.errors()[:5]
        )
        raise WrongAppFile("; ".join(problem.replace("Value error, ", "") for problem in problems)) from error
    for wanted in app.environments:
        if wanted not in environments:
            raise WrongAppFile(f"environments: there is no environment {wanted!r}")
    return app


def read_folder(folder: Path | None, environments: Collection[str]) -> AppFiles:
    """Read a site's folder of app files."""
    found = AppFiles()
    if folder is None:
        return found
    try:
        for file in _files(folder):
            try:
                with file.open("rb") as stream:
                    declared = parse(stream.read(MAX_BYTES + 1), str(file))
                check(declared, environments)
                found.apps[name_of(str(file))] = declared
            except WrongAppFile as wrong:
                found.problems[str(file)] = str(wrong)
            except OSError as error:
                found.problems[str(file)] = f"It cannot be read: {error.strerror}."
    except OSError as error:
        found.problems[str(folder)] = f"The folder cannot be read: {error.strerror}."
    return found


def _files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir())[:MOST]:
        if entry.suffix == SUFFIX:
            yield entry
        elif (entry / IN_FOLDER).exists():
            yield entry / IN_FOLDER


def _filled(value: Any, folder: str) -> Any:
    if isinstance(value, str):
        return value.replace("{app}", folder)
    if isinstance(value, list):
        return [_filled(item, folder) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, folder) for key, item in value.items()}
    return value
