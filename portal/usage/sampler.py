"""Collects the agents' reports and writes one sample per session and interval, all in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.loops import pause, turn
from portal.sessions.schemas import UsageOut
from portal.usage.models import UsageSample

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Mean:
    total: float = 0.0
    count: int = 0

    def add(self, value: float | None) -> None:
        if value is not None:
            self.total += value
            self.count += 1

    @property
    def value(self) -> int | None:
        return round(self.total / self.count) if self.count else None


class _Sum:
    """What one session has reported in this interval."""

    __slots__ = ("cpu", "gpu", "gpu_memory", "gpus", "memory")

    def __init__(self) -> None:
        self.cpu, self.memory, self.gpu, self.gpu_memory = _Mean(), _Mean(), _Mean(), _Mean()
        self.gpus = 0

    def add(self, use: UsageOut) -> None:
        self.cpu.add(use.cpu_percent)
        self.memory.add(use.memory_mib)
        # A GPU slice (MIG) has no utilization, so it counts as unknown.
        measured = [gpu.utilization for gpu in use.gpus if gpu.utilization is not None]
        self.gpus = max(self.gpus, len(measured))
        self.gpu.add(sum(measured) / len(measured) if measured else None)
        held = [gpu.memory_used_mib for gpu in use.gpus if gpu.memory_used_mib is not None]
        self.gpu_memory.add(sum(held) if held else None)


class Sampler:
    """Holds one small sum per session, until the interval ends."""

    def __init__(self, work: UnitOfWork, now: Callable[[], datetime], sample_s: int) -> None:
        self._work = work
        self._now = now
        self._sample_s = sample_s
        self._at_s = self._interval()
        self._sums: dict[str, _Sum] = {}

    def note(self, session_id: str, use: UsageOut) -> None:
        """Add one report, without I/O."""
        if not self._sums:
            self._at_s = self._interval()
        self._sums.setdefault(session_id, _Sum()).add(use)

    async def run(self) -> None:
        """Write at the end of each interval, forever."""
        while True:
            await pause(self._interval() + self._sample_s - self._now().timestamp())
            await self.write()

    async def write(self) -> None:
        """Write what was reported since the last time. A failed write is lost and logged; it never raises."""
        sums, at_s, self._sums = self._sums, self._at_s, {}
        if not sums:
            return
        rows = []
        for session_id, one in sums.items():
            with turn("usage.sample_refused", session=session_id):
                rows.append(self._row(session_id, at_s, one))
        try:
            await self._insert(rows)
        except (OperationalError, InterfaceError, PoolTimeout) as error:
            log.warning("usage.samples_lost", sessions=len(rows), error=str(error)[:200])
        except Exception:  # a row that the database refuses must not cost the other sessions theirs
            for row in rows:
                with turn("usage.sample_refused", session=row["session_id"]):
                    await self._insert([row])

    async def _insert(self, rows: list[dict[str, Any]]) -> None:
        async with self._work() as db:
            # An existing row was written for this interval already, by whichever portal.
            await db.execute(upsert.insert(db, UsageSample).on_conflict_do_nothing(), rows)

    def _interval(self) -> int:
        now_s = int(self._now().timestamp())
        return now_s - now_s % self._sample_s

    def _row(self, session_id: str, at_s: int, one: _Sum) -> dict[str, Any]:
        return {
            "session_id": session_id,
            "at_s": at_s,
            "seconds": self._sample_s,
            "cpu_percent": one.cpu.value,
            "memory_mib": one.memory.value,
            "gpus": one.gpus,
            "gpu_percent": one.gpu.value,
            "gpu_memory_mib": one.gpu_memory.value,
        }
