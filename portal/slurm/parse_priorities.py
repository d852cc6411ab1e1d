"""Parses what pending jobs' priorities consist of, from sprio."""

from __future__ import annotations

from portal.slurm import parse
from portal.slurm.jobs import Priority
from portal.slurm.queries import PRIORITY_FACTORS


class PrioritiesReading:
    """One reading of `queries.priorities`, taken piece by piece. Skips lines that are not records."""

    def __init__(self) -> None:
        self._line = ""
        self._found: dict[int, Priority] = {}

    def take(self, piece: str) -> None:
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._read(line)

    def end(self) -> dict[int, Priority]:
        """Return the priorities by job, after the last piece."""
        self._read(self._line)
        return self._found

    def _read(self, line: str) -> None:
        """Read a line: job, priority, factors. A job in several partitions has a line for each; the highest counts."""
        values = [value.strip() for value in line.split("|")]
        if len(values) != 2 + len(PRIORITY_FACTORS):
            return
        job, total = parse.number(values[0]), parse.number(values[1])
        if job is None or total is None or (job in self._found and self._found[job].total >= total):
            return
        points = {factor: _points(value) for factor, value in zip(PRIORITY_FACTORS.values(), values[2:], strict=True)}
        self._found[job] = Priority(total, {factor: size for factor, size in points.items() if size})


def _points(value: str) -> int:
    """Parse a weighted factor: one number, or one for each resource (`cpu=10,gres/gpu=200`)."""
    numbers = (part.rpartition("=")[2] for part in value.split(","))
    return sum(int(number) for number in numbers if number.lstrip("-").isdigit())
