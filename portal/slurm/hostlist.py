"""Slurm's node lists, such as `node[001-003,7],login1`, as names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

#: No cluster has more names than this; longer lists are cut.
MOST = 100_000
_PART = re.compile(r"(?:[^,\[\]]|\[[^\]]*\])+")
_PIECE = re.compile(r"\[([^\]]*)\]|([^\[\]]+)")


@lru_cache(maxsize=50_000)
def expand(nodes: str) -> tuple[str, ...]:
    """Return the names of a node list, in order. Keeps widths: `n[08-10]` is n08, n09, n10."""
    if "[" not in nodes:
        return tuple(name for name in nodes.split(",") if name)
    names: list[str] = []
    for part in _PART.findall(nodes):
        choices = [_numbers(match[1]) if match[1] is not None else [match[2]] for match in _PIECE.finditer(part)]
        for pieces in product(*choices):
            names.append("".join(pieces))
            if len(names) >= MOST:
                return tuple(names)
    return tuple(names)


def _numbers(ranges: str) -> list[str]:
    numbers: list[str] = []
    for part in ranges.split(","):
        first, dash, last = part.partition("-")
        if dash and first.isdigit() and last.isdigit():
            end = min(int(last), int(first) + MOST)
            numbers += [str(number).zfill(len(first)) for number in range(int(first), end + 1)]
        else:
            numbers.append(part)
    return numbers


def indices(ranges: str) -> tuple[int, ...]:
    """Parse indices as Slurm prints them: `0-2,5`; `N/A` is empty."""
    return tuple(int(number) for number in _numbers(ranges) if number.isdigit())
