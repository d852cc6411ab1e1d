"""Which GPUs of which node each job holds, from `scontrol show job`.

A job's name stands in these lines unfenced, so a user can make them say anything. What is read here is a hint for
the eye, and used only where it fits what the queue says of the job; a job that is told of twice is left out.
"""

from __future__ import annotations

import re

from portal.slurm import hostlist, parse
from portal.slurm.types import Place

_BEGINS = re.compile(r"JobId=(\d+) ")
_HELD = re.compile(r" Nodes=(\S+) CPU_IDs=\S* Mem=\d+ GRES=(\S*)")
_TYPED = re.compile(r"(?:^|,)gpu(?::[^:(,]+)?:\d+\(IDX:([0-9,-]+)\)")


class PlacesReading:
    """One reading of `queries.places`, taken piece by piece, line by line."""

    def __init__(self) -> None:
        self._line = ""
        self._job: int | None = None
        self._known: tuple[Place, ...] = ()
        self._found: dict[int, tuple[Place, ...]] = {}
        self._twice: set[int] = set()

    def take(self, piece: str) -> None:
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._read(line)

    def end(self) -> dict[int, tuple[Place, ...]]:
        """Return the places, once all has been taken."""
        self._read(self._line)
        return {number: held for number, held in self._found.items() if number not in self._twice}

    def _read(self, line: str) -> None:
        """A line that begins no job goes on with the one before: a name may have broken it."""
        if begin := _BEGINS.match(line):
            self._job, self._known = parse.number(begin[1]), ()
        held = tuple(_held(line))
        if not held or self._job is None:
            return
        if self._job in self._found and not self._known:
            self._twice.add(self._job)
        self._known = (*self._known, *held)
        self._found[self._job] = self._known


def places(output: str) -> dict[int, tuple[Place, ...]]:
    """Read `queries.places` where it lies there as a whole."""
    reading = PlacesReading()
    reading.take(output)
    return reading.end()


def _held(text: str) -> list[Place]:
    return [
        Place(node, gpus)
        for nodes, gres in _HELD.findall(text)
        if (gpus := _indices(gres))
        for node in hostlist.expand(nodes)
    ]


def _indices(gres: str) -> tuple[int, ...]:
    return tuple(sorted({index for ranges in _TYPED.findall(gres) for index in hostlist.indices(ranges)}))
