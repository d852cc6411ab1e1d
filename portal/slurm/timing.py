"""Count, duration and failures of calls to Slurm: by program, recently and since the portal started."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

RECENT_S = 300.0
MOST_RECENT = 5000


@dataclass(slots=True)
class Total:
    """All calls of a program since the portal started."""

    count: int = 0
    seconds: float = 0.0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Recent:
    """A program's calls in the last `RECENT_S`."""

    program: str
    per_minute: float
    median_ms: float
    slowest_ms: float
    failed: int


@dataclass(frozen=True, slots=True)
class _Call:
    at: float
    program: str
    took_s: float
    failed: bool


class Timings:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._calls: deque[_Call] = deque(maxlen=MOST_RECENT)
        self.totals: defaultdict[str, Total] = defaultdict(Total)

    @contextmanager
    def of(self, program: str) -> Iterator[None]:
        """Time the block; if it raises, the call counts as failed."""
        began, failed = self._clock(), True
        try:
            yield
            failed = False
        finally:
            now = self._clock()
            self._calls.append(_Call(now, program, now - began, failed))
            total = self.totals[program]
            total.count += 1
            total.seconds += now - began
            total.failed += failed

    def recent(self) -> list[Recent]:
        """Return the recent calls, the most frequent first."""
        since = self._clock() - RECENT_S
        minutes = min(RECENT_S, max(60.0, self._clock() - self._began)) / 60
        by_program: dict[str, list[_Call]] = defaultdict(list)
        for call in self._calls:
            if call.at >= since:
                by_program[call.program].append(call)
        recent = [
            Recent(
                program,
                per_minute=round(len(calls) / minutes, 1),
                median_ms=round(median(call.took_s for call in calls) * 1000, 1),
                slowest_ms=round(max(call.took_s for call in calls) * 1000, 1),
                failed=sum(call.failed for call in calls),
            )
            for program, calls in by_program.items()
        ]
        return sorted(recent, key=lambda recent: (-recent.per_minute, recent.program))
