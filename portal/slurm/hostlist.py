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
        choices = [_numbers(found[1]) if found[1] is not None else [found[2]] for found in _PIECE.finditer(part)]
        for pieces in product(*choices):
            names.append("".join(pieces))
            if len(names) >= MOST:
                return tuple(names)
    return tuple(names)


def _numbers(ranges: str) -> list[str]:
    found: list[str] = []
    for one in ranges.split(","):
        first, dash, last = one.partition("-")
        if dash and first.isdigit() and last.isdigit():
            end = min(int(last), int(first) + MOST)
            found += [str(number).zfill(len(first)) for number in range(int(first), end + 1)]
        else:
            found.append(one)
    return found


def indices(ranges: str) -> tuple[int, ...]:
    """Parse indices as Slurm prints them: `0-2,5`; `N/A` is empty."""
    return tuple(int(one) for one in _numbers(ranges) if one.isdigit())
