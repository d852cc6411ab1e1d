"""Where a job writes: the names that `--output` and `--error` make, patterns put in (sbatch(1), FILENAME PATTERN)."""

from __future__ import annotations

import re
from dataclasses import dataclass

SINGLE = "slurm-%j.out"
ARRAY = "slurm-%A_%a.out"
_PATTERN = re.compile(r"%(?:%|(\d*)([A-Za-z]))")


@dataclass(frozen=True, slots=True)
class Names:
    """What the patterns stand for, of one job or one task of an array; None: not known yet."""

    job_id: int | None
    array_id: int
    task: int | None
    user: str
    name: str
    node: str | None


def resolve(pattern: str, names: Names) -> str | None:
    """Return the file's name; None while something in it is not known yet (the node of a job that waits)."""
    if "\\" in pattern:
        return pattern.replace("\\", "")
    unknown = False

    def put(found: re.Match[str]) -> str:
        nonlocal unknown
        if found[0] == "%%":
            return "%"
        value = _value(found[2], names)
        if value is _LEFT:
            return found[0]
        if value is None:
            unknown = True
            return ""
        width = min(int(found[1] or 0), 10)
        return str(value).zfill(width) if isinstance(value, int) else str(value)

    text = _PATTERN.sub(put, pattern)
    return None if unknown else text


_LEFT = object()


def _value(letter: str, names: Names) -> object:
    match letter:
        case "j":
            return names.job_id
        case "J":
            return names.job_id
        case "A":
            return names.array_id
        case "a":
            return names.task if names.task is not None else 4_294_967_294  # what Slurm puts where there is no array
        case "b":
            return names.task % 10 if names.task is not None else None
        case "u":
            return names.user
        case "x":
            return names.name
        case "N":
            return names.node
        case "n" | "t":
            return 0
        case "s":
            return "batch"
        case _:
            return _LEFT


def of_task(pattern: str | None) -> bool:
    """Whether the tasks of an array write files of their own; not known: Slurm's own name, which they do."""
    if pattern is None:
        return True
    return "\\" not in pattern and any(letter and letter in "aJjNb" for _, letter in _PATTERN.findall(pattern))


def absolute(path: str, workdir: str) -> str:
    """Put the working folder before a relative path; Slurm leaves `~` as it is, a folder of that name."""
    return path if path.startswith("/") else f"{workdir.rstrip('/')}/{path}"
