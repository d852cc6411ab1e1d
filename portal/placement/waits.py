"""Estimates how long a request that must wait will wait, as a range, from the waits of similar recent jobs.

Similar jobs are those in the same partition, with a similar number of GPUs, that did not start at once and were
submitted while about as many others waited. With too few of them there is no estimate. Jobs of one rush wait alike, so
only a few of each day count.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, log2

from portal.placement.starts import IN_LINE
from portal.slurm.snapshot import Snapshot

#: Jobs with less than this had room when they were submitted.
AT_ONCE_S = 10
FEWEST, MOST, OF_A_DAY = 20, 80, 3
DAY_S = 86_400
#: How far the length of the queue may differ: half to double.
FACTOR = 1.0
#: The greatest number of GPUs of each class but the last.
CLASSES = (0, 1, 3, 7)


@dataclass(frozen=True, slots=True, order=True)
class PastJob:
    submitted_s: int
    started_s: int
    gpus: int

    @property
    def wait_s(self) -> int:
        return self.started_s - self.submitted_s


@dataclass(frozen=True, slots=True)
class Range:
    """9 of 10 such jobs waited between `least_s` and `most_s`; `count` of them were considered."""

    least_s: int
    most_s: int
    count: int


def probable(past: Sequence[PastJob], gpus: int, ahead: int) -> Range | None:
    """Return how long a request for `gpus` waits behind `ahead` jobs; None with too little to go by."""
    submitted = sorted(job.submitted_s for job in past)
    started = sorted(job.started_s for job in past)

    def distance(job: PastJob) -> float:
        waiting = bisect_left(submitted, job.submitted_s) - bisect_right(started, job.submitted_s)
        return abs(log2((max(waiting, 0) + 1) / (ahead + 1)))

    size = _class(gpus)
    alike = [(distance(job), job) for job in past if job.wait_s >= AT_ONCE_S and _class(job.gpus) == size]
    nearest = sorted((far, -job.started_s, job) for far, job in alike if far <= FACTOR)
    waits: list[int] = []
    days: Counter[int] = Counter()
    for _, _, job in nearest:
        day = job.submitted_s // DAY_S
        days[day] += 1
        if days[day] <= OF_A_DAY and len(waits) < MOST:
            waits.append(job.wait_s)
    if len(waits) < FEWEST:
        return None
    waits.sort()
    cut = len(waits) // 20
    return Range(_round(waits[cut], up=False), _round(waits[-1 - cut], up=True), len(waits))


def _class(gpus: int) -> int:
    return bisect_left(CLASSES, gpus)


def _round(seconds: int, *, up: bool) -> int:
    """Round to minutes, and to 5 minutes from an hour on."""
    step = 300 if seconds >= 3600 else 60
    return step * (ceil(seconds / step) if up else seconds // step)


def waiting(snapshot: Snapshot, partition: str) -> int:
    return sum(job.state.waits and partition in job.partitions for job in snapshot.jobs.values())


def planned(snapshot: Snapshot, partition: str, now: datetime) -> datetime | None:
    """Return when Slurm plans to start the last of the jobs ahead, by the time limits of those that run; None if it
    has no plan.
    """
    line = [
        job.started_at
        for job in snapshot.jobs.values()
        if job.state.waits and job.reason in IN_LINE and partition in job.partitions
    ]
    return max((moment for moment in line if moment is not None and moment > now), default=None)
