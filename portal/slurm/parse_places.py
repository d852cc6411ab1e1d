"""Parses which GPUs of which node each job holds, from `scontrol show job`.

A job's name appears in these lines without a fence, so a user can forge anything. The result is a hint for display,
used only where it fits the queue's record of the job. A job that appears twice is left out.
"""

from __future__ import annotations

import re

from portal.slurm import hostlist, parse
from portal.slurm.jobs import Place

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
        """Return the places, after the last piece."""
        self._read(self._line)
        return {number: held for number, held in self._found.items() if number not in self._twice}

    def _read(self, line: str) -> None:
        """Read a line. One that does not start a job continues the previous line: a name may have broken it."""
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
    """Parse a complete output of `queries.places`."""
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
