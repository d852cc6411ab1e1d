"""Where a job writes: the paths of `--output` and `--error`, with patterns replaced (sbatch(1), FILENAME PATTERN)."""

from __future__ import annotations

import re
from dataclasses import dataclass

SINGLE = "slurm-%j.out"
ARRAY = "slurm-%A_%a.out"
_PATTERN = re.compile(r"%(?:%|(\d*)([A-Za-z]))")


@dataclass(frozen=True, slots=True)
class Names:
    """The values of the patterns for one job or array task; None: not known yet."""

    job_id: int | None
    array_id: int
    task: int | None
    user: str
    name: str
    node: str | None


def resolve(pattern: str, names: Names) -> str | None:
    """Return the file's path; None while a value is unknown, such as the node of a pending job."""
    if "\\" in pattern:
        return pattern.replace("\\", "")
    unknown = False

    def put(match: re.Match[str]) -> str:
        nonlocal unknown
        if match[0] == "%%":
            return "%"
        value = _value(match[2], names)
        if value is _LEFT:
            return match[0]
        if value is None:
            unknown = True
            return ""
        width = min(int(match[1] or 0), 10)
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
            return names.task if names.task is not None else 4_294_967_294  # Slurm's value for a job without an array
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
    """Return whether each array task writes its own file. None: Slurm's default name, which gives each its own."""
    if pattern is None:
        return True
    return "\\" not in pattern and any(letter and letter in "aJjNb" for _, letter in _PATTERN.findall(pattern))


def of_array(path: str, workdir: str, job_id: int) -> str:
    """Return where an array writes. `path` is what squeue says for the task with this job id: without `--output`,
    squeue names the file as that of a single job.
    """
    default = absolute(SINGLE.replace("%j", str(job_id)), workdir)
    return absolute(ARRAY, workdir) if path == default else path


def absolute(path: str, workdir: str) -> str:
    """Resolve a relative path against the working folder. Slurm takes `~` as an ordinary folder name."""
    return path if path.startswith("/") else f"{workdir.rstrip('/')}/{path}"
