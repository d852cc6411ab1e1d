"""The lines of plain shell that enter an environment of the site."""

from __future__ import annotations

import re
import shlex

from portal.settings import Environment, Settings

#: The function that runs a command in an image.
IN_IMAGE = "in_image"
_LINES = (
    re.compile(r"export PATH=\S.*:\$PATH"),
    re.compile(r"module (use|load) .*"),
    re.compile(rf"{IN_IMAGE}\(\) {{ .* }}"),
)


def entry_lines(environment: Environment, settings: Settings) -> list[str]:
    """Return the lines. For an image they define `in_image COMMAND`, which runs one command in it."""
    if environment.kind == "image":
        folders = dict.fromkeys(
            str(folder) for folder in (*(mount.path for mount in settings.mounts), *settings.images.binds)
        )
        words = [
            str(settings.images.apptainer),
            "exec",
            *settings.images.options,
            *(f"--bind={folder}" for folder in folders),
        ]
        return [f'{IN_IMAGE}() {{ {shlex.join([*words, str(environment.path)])} "$@"; }}']
    lines = []
    if environment.modules:
        lines += [f"module use {shlex.quote(str(path))}" for path in settings.modules.paths]
        lines.append(f"module load {shlex.join(environment.modules)}")
    if environment.programs:
        lines.append(f"export PATH={shlex.quote(str(environment.programs))}:$PATH")
    return lines


def is_entry(line: str) -> bool:
    """Whether a line after `#PORTAL environment` is one of these lines."""
    return any(pattern.fullmatch(line) for pattern in _LINES)
