"""Task numbers of job arrays, as Slurm writes them: `0-9,12,20-30:5%4`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?")
#: Slurm's own bound on an array (slurm.conf(5), MaxArraySize).
MOST = 4_000_001


def expand(text: str) -> Iterator[int]:
    """Yield the task numbers. Skips what it cannot read; yields at most `MOST`."""
    left = MOST
    for part in text.partition("%")[0].strip("[]").split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            continue
        first = int(match[1])
        for task in range(first, int(match[2] or first) + 1, int(match[3] or 1) or 1):
            if left == 0:
                return
            left -= 1
            yield task


def count(text: str) -> int:
    """Count the tasks without listing them."""
    total = 0
    for part in text.partition("%")[0].strip("[]").split(","):
        if match := _PART.fullmatch(part.strip()):
            first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1) or 1
            total += max(0, (last - first) // step + 1)
    return total


def holds(text: str, task: int) -> bool:
    """Whether the expression contains a task."""
    for part in text.partition("%")[0].strip("[]").split(","):
        if match := _PART.fullmatch(part.strip()):
            first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1) or 1
            if first <= task <= last and (task - first) % step == 0:
                return True
    return False


def compact(tasks: Iterable[int]) -> str:
    """Write task numbers as ranges: `0-3,7`."""
    parts: list[str] = []
    first = last = None
    for task in [*sorted(set(tasks)), None]:
        if last is not None and task == last + 1:
            last = task
            continue
        if first is not None:
            parts.append(str(first) if first == last else f"{first}-{last}")
        first = last = task
    return ",".join(parts)
