"""Spreads a job's figures over days, and counts waiting times. Pure arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime

DAY_S = 86_400
#: Waiting times are counted by the second up to a minute, in steps of 5 % beyond.
EXACT_S = 60
STEP = math.log(1.05)


@dataclass(slots=True)
class Sums:
    """Additive figures; all but `jobs` and `energy_j` in seconds of one GPU or one core."""

    jobs: int = 0
    gpu_s: int = 0
    cpu_s: int = 0
    gpu_known_s: int = 0
    gpu_used_s: int = 0
    cpu_known_s: int = 0
    cpu_used_s: int = 0
    energy_j: int = 0

    def add(self, other: Sums) -> None:
        for name in NAMES:
            setattr(self, name, getattr(self, name) + getattr(other, name))


NAMES = tuple(field.name for field in fields(Sums))


@dataclass(frozen=True, slots=True)
class JobRun:
    """What one job held from `started_s` until `until_s`, and what is known about its use."""

    started_s: int
    until_s: int
    gpus: int
    cpus: int
    gpu_known_s: int = 0
    gpu_used_s: int = 0
    cpu_known_s: int = 0
    cpu_used_s: int = 0
    energy_j: int = 0


@dataclass(slots=True)
class WaitingTimes:
    """Waiting times, counted by bucket."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, bucket: int, jobs: int) -> None:
        self.counts[bucket] = self.counts.get(bucket, 0) + jobs

    def quantile(self, part: float) -> int | None:
        """Return the waiting time in seconds that a share `part` of the jobs did not exceed (nearest rank)."""
        rank = math.ceil(part * sum(self.counts.values()))
        for bucket in sorted(self.counts):
            rank -= self.counts[bucket]
            if rank <= 0:
                return seconds_of(bucket)
        return None


def bucket(wait_s: int) -> int:
    if wait_s <= EXACT_S:
        return max(0, wait_s)
    return EXACT_S + 1 + int(math.log(wait_s / EXACT_S) / STEP)


def seconds_of(bucket: int) -> int:
    """Return the middle of a bucket, at most 2.5 % off each time in it."""
    if bucket <= EXACT_S:
        return bucket
    return round(EXACT_S * math.exp((bucket - EXACT_S - 0.5) * STEP))


def days(held: JobRun) -> Iterator[tuple[int, Sums]]:
    """Spread a job over the days (UTC) on which it ran, evenly over its time; the parts add up to the whole.

    The job itself counts on the day it started.
    """
    whole = max(0, held.until_s - held.started_s)
    at, jobs = held.started_s, 1
    while jobs or at < held.until_s:
        end = min(held.until_s, at - at % DAY_S + DAY_S)
        seconds = max(0, end - at)

        def share(amount: int, before: int = at - held.started_s, after: int = end - held.started_s) -> int:
            return amount * after // whole - amount * before // whole if whole else 0

        yield (
            number_of(at),
            Sums(
                jobs=jobs,
                gpu_s=seconds * held.gpus,
                cpu_s=seconds * held.cpus,
                gpu_known_s=share(held.gpu_known_s),
                gpu_used_s=share(held.gpu_used_s),
                cpu_known_s=share(held.cpu_known_s),
                cpu_used_s=share(held.cpu_used_s),
                energy_j=share(held.energy_j),
            ),
        )
        at, jobs = end, 0


def number_of(at_s: int) -> int:
    """Return the day of a moment as a number such as 20261121."""
    return number(datetime.fromtimestamp(at_s, UTC).date())


def number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day
