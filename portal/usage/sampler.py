"""Collects the agents' reports and writes one sample per session and interval, all in one transaction."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.gpus.schemas import GpuUse
from portal.loops import pause, turn
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import Activity, UsageOut
from portal.usage import gpus
from portal.usage.models import UsageSample

log = structlog.get_logger(__name__)

Number = TypeVar("Number", int, float)
SIGNS = ("kernel_busy_percent", "programs", "quiet_s", "disk_kib_s", "network_kib_s")


@dataclass(slots=True)
class _Mean:
    total: float = 0.0
    count: int = 0

    def add(self, value: float | None) -> None:
        if value is not None:
            self.total += value
            self.count += 1

    @property
    def mean(self) -> float | None:
        return self.total / self.count if self.count else None

    @property
    def value(self) -> int | None:
        return None if self.mean is None else round(self.mean)


class _Signs:
    """Signs of work in this interval, each from its busiest report; unknown if any report lacked it."""

    def __init__(self) -> None:
        self._reports: list[Activity] = []

    def add(self, activity: Activity | None) -> None:
        self._reports.append(activity or Activity())

    def row(self) -> dict[str, int | None]:
        values = {name: [getattr(report, name) for report in self._reports] for name in SIGNS}
        known = {name: None if None in found else found for name, found in values.items()}
        busiest = {name: None if found is None else math.ceil(max(found)) for name, found in known.items()}
        quiet = known["quiet_s"]
        return {**busiest, "quiet_s": None if quiet is None else int(min(quiet))}


class _Gpu:
    """What one GPU has done in this interval."""

    __slots__ = ("bandwidth", "last", "memory_peak", "peak", "power_peak", "slowed", "slowed_by", "sm", "use", "xids")

    def __init__(self) -> None:
        self.use, self.sm, self.bandwidth, self.slowed = _Mean(), _Mean(), _Mean(), _Mean()
        self.slowed_by: str | None = None
        self.xids = ""
        self.peak: float | None = None
        self.memory_peak: int | None = None
        self.power_peak: float | None = None

    def add(self, gpu: GpuUse) -> None:
        self.last = gpu
        self.use.add(gpu.utilization)
        self.sm.add(gpu.sm_percent)
        self.bandwidth.add(gpu.bandwidth_percent)
        self.slowed.add(gpu.slowed_percent)
        self.slowed_by = gpu.slowed_by or self.slowed_by
        self.xids = gpus.joined(gpu.xids) or self.xids
        self.peak = _most(self.peak, gpu.utilization_peak)
        self.memory_peak = _most(self.memory_peak, gpu.memory_peak_mib)
        self.power_peak = _most(self.power_peak, gpu.power_peak_w)

    def row(self, seconds: int) -> dict[str, Any]:
        sm, bandwidth = self.sm.mean, self.bandwidth.mean
        return {
            "gpu": self.last.index,
            "uuid": self.last.uuid,
            "name": self.last.name,
            "known_s": float(seconds) if self.use.count else 0.0,
            "used_s": seconds * (self.use.mean or 0.0) / 100,
            "peak_percent": self.peak,
            "memory_mib": self.last.memory_total_mib,
            "memory_peak_mib": self.memory_peak,
            "power_peak_w": self.power_peak,
            "energy_j": self.last.energy_j,
            "counted_s": float(seconds) if self.sm.count else 0.0,
            "sm_s": seconds * (sm or 0.0) / 100,
            "bandwidth_s": seconds * (bandwidth or 0.0) / 100,
            "slowed_s": seconds * (self.slowed.mean or 0.0) / 100,
            "sm_peak_percent": sm,
            "bandwidth_peak_percent": bandwidth,
            "slowed_by": self.slowed_by,
            "xids": self.xids,
        }


class _Sum:
    """What one session has reported in this interval."""

    __slots__ = (
        "bandwidth", "cpu", "each", "gpu", "gpu_memory", "gpu_peak", "gpus", "memory", "nvlink", "pcie", "power",
        "record", "signs", "sm",
    )  # fmt: skip

    def __init__(self, record: SessionRecord) -> None:
        self.record = record
        self.cpu, self.memory, self.gpu, self.gpu_memory, self.power = _Mean(), _Mean(), _Mean(), _Mean(), _Mean()
        self.sm, self.bandwidth, self.pcie, self.nvlink = _Mean(), _Mean(), _Mean(), _Mean()
        self.gpus = 0
        self.signs = _Signs()
        self.gpu_peak: float | None = None
        self.each: dict[int, _Gpu] = {}

    def add(self, use: UsageOut) -> None:
        for gpu in use.gpus:
            if gpu.index < self.record.gpus:  # the agent runs as the user: it cannot fill the table
                self.each.setdefault(gpu.index, _Gpu()).add(gpu)
            self.gpu_peak = _most(self.gpu_peak, gpu.utilization_peak)
            self.sm.add(gpu.sm_percent)
            self.bandwidth.add(gpu.bandwidth_percent)
        self.power.add(_total(gpu.power_w for gpu in use.gpus))
        self.pcie.add(_total(gpu.pcie_mib_s for gpu in use.gpus))
        self.nvlink.add(_total(gpu.nvlink_mib_s for gpu in use.gpus))
        self.signs.add(use.activity)
        self.cpu.add(use.cpu_percent)
        self.memory.add(use.memory_mib)
        # A GPU slice (MIG) has no utilization, so it counts as unknown.
        measured = [gpu.utilization for gpu in use.gpus if gpu.utilization is not None]
        self.gpus = max(self.gpus, len(measured))
        self.gpu.add(sum(measured) / len(measured) if measured else None)
        self.gpu_memory.add(_total(gpu.memory_used_mib for gpu in use.gpus))


class Sampler:
    """Holds one small sum per session, until the interval ends."""

    def __init__(self, work: UnitOfWork, now: Callable[[], datetime], sample_s: int) -> None:
        self._work = work
        self._now = now
        self._sample_s = sample_s
        self._at_s = self._interval()
        self.sums: dict[str, _Sum] = {}

    def note(self, record: SessionRecord, use: UsageOut) -> None:
        """Add one report, without I/O."""
        if not self.sums:
            self._at_s = self._interval()
        self.sums.setdefault(record.id, _Sum(record)).add(use)

    async def run(self) -> None:
        """Write at the end of each interval, forever."""
        while True:
            await pause(self._interval() + self._sample_s - self._now().timestamp())
            await self.write()

    async def write(self) -> None:
        """Write what was reported since the last time. A failed write is lost and logged; it never raises."""
        sums, at_s, self.sums = self.sums, self._at_s, {}
        if not sums:
            return
        rows = []
        for session_id, total in sums.items():
            with turn("usage.sample_refused", session=session_id):
                rows.append(self._row(session_id, at_s, total))
        try:
            await self._insert(rows)
        except (OperationalError, InterfaceError, PoolTimeout) as error:
            log.warning("usage.samples_lost", sessions=len(rows), error=str(error)[:200])
        except Exception:  # a row that the database refuses must not cost the other sessions theirs
            for row in rows:
                with turn("usage.sample_refused", session=row["session_id"]):
                    await self._insert([row])
        for session_id, total in sums.items():
            with turn("usage.gpus_refused", session=session_id):
                await self._add_gpus(total)

    async def _insert(self, rows: list[dict[str, Any]]) -> None:
        async with self._work() as db:
            # An existing row was written for this interval already, by whichever portal.
            await db.execute(upsert.insert(db, UsageSample).on_conflict_do_nothing(), rows)

    async def _add_gpus(self, total: _Sum) -> None:
        record = total.record
        if record.job_id is None or record.started_at is None or not total.each:
            return
        at = {
            "job_id": record.job_id,
            "started_s": int(record.started_at.timestamp()),
            "node": record.node or "",
            "owner": record.owner,
            "reported_s": int(self._now().timestamp()),
        }
        async with self._work() as db:
            await gpus.write(db, [at | gpu.row(self._sample_s) for gpu in total.each.values()], more=True)

    def _interval(self) -> int:
        now_s = int(self._now().timestamp())
        return now_s - now_s % self._sample_s

    def _row(self, session_id: str, at_s: int, total: _Sum) -> dict[str, Any]:
        return {
            "session_id": session_id,
            "at_s": at_s,
            "seconds": self._sample_s,
            "cpu_percent": total.cpu.value,
            "memory_mib": total.memory.value,
            "gpus": total.gpus,
            "gpu_percent": total.gpu.value,
            "gpu_memory_mib": total.gpu_memory.value,
            "gpu_peak_percent": None if total.gpu_peak is None else round(total.gpu_peak),
            "power_w": total.power.value,
            "sm_percent": total.sm.value,
            "bandwidth_percent": total.bandwidth.value,
            "pcie_mib_s": total.pcie.value,
            "nvlink_mib_s": total.nvlink.value,
            **total.signs.row(),
        }


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _most(before: Number | None, after: Number | None) -> Number | None:
    return max((sample for sample in (before, after) if sample is not None), default=None)
