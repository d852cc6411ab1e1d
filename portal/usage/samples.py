"""Keeps the samples of sessions: rolls them up by the hour, deletes old ones, adds them up, and charts them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Integer, Select, cast, delete, func, literal_column, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.loops import every
from portal.settings import Usage
from portal.usage.models import UsageHour, UsageSample

HOUR_S = 3600
#: Maximum points in the chart of one session.
POINTS = 400
AT_ONCE = 500


@dataclass(slots=True)
class Measured:
    """What samples show of a session, in seconds of one GPU or core: measured, and used of that."""

    gpu_known_s: float = 0.0
    gpu_used_s: float = 0.0
    cpu_known_s: float = 0.0
    cpu_used_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Point:
    at_s: int
    cpu_percent: float | None
    memory_mib: float | None
    gpu_percent: float | None
    gpu_memory_mib: float | None
    gpu_peak_percent: float | None
    power_w: float | None
    kernel_busy_percent: float | None
    sm_percent: float | None
    bandwidth_percent: float | None
    pcie_mib_s: float | None
    nvlink_mib_s: float | None


class Samples:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime], settings: Usage) -> None:
        self._work = work
        self._now = now
        self._raw = timedelta(days=settings.raw_days)
        self._hourly = timedelta(days=settings.hourly_days)

    async def run(self) -> None:
        """Roll up and delete every hour, forever."""
        await every(HOUR_S, self.roll_up, failed="usage.roll_up_failed")

    async def roll_up(self) -> None:
        """Roll up old samples by the hour, and delete what is past its retention: all or nothing.

        An existing hour stays as it is, so that nothing counts twice if this runs twice, or in two portals at once.
        """
        until = int((self._now() - self._raw).timestamp())
        until -= until % HOUR_S
        async with self._work() as db:
            await db.execute(
                upsert.insert(db, UsageHour)
                .from_select(list(UsageHour.__table__.columns.keys()), _hours(until))
                .on_conflict_do_nothing()
            )
            await db.execute(delete(UsageSample).where(UsageSample.at_s < until))
            oldest = int((self._now() - self._hourly).timestamp())
            await db.execute(delete(UsageHour).where(UsageHour.at_s < oldest))

    async def points(self, session_id: str) -> tuple[int, list[Point]]:
        """Return a session's use over its life: the step between points in seconds, and the points."""
        async with self._work() as db:
            hours = (await db.scalars(select(UsageHour).where(UsageHour.session_id == session_id))).all()
            raw = (await db.scalars(select(UsageSample).where(UsageSample.session_id == session_id))).all()
        points = sorted([*map(_point, hours), *map(_point, raw)], key=lambda point: point.at_s)
        return _thin(points, raw[0].seconds if raw and not hours else HOUR_S if hours else 0)


async def measured(db: AsyncSession, session_ids: Collection[str]) -> dict[str, Measured]:
    """Add up the samples of these sessions, rolled up or not."""
    samples: dict[str, Measured] = {}
    names = list(session_ids)
    for some in (names[at : at + AT_ONCE] for at in range(0, len(names), AT_ONCE)):
        for table, gpu_s in ((UsageSample, UsageSample.seconds * UsageSample.gpus), (UsageHour, UsageHour.gpu_seconds)):
            busy = func.sum(gpu_s * table.gpu_percent)
            cpu = func.sum(table.seconds).filter(table.cpu_percent.is_not(None))
            query = (
                select(table.session_id, func.sum(gpu_s), busy, cpu, func.sum(table.seconds * table.cpu_percent))
                .where(table.session_id.in_(some))
                .group_by(table.session_id)
            )
            for session_id, known, percent, cpu_known, cpu_percent in await db.execute(query):
                measured = samples.setdefault(session_id, Measured())
                measured.gpu_known_s += float(known or 0)
                measured.gpu_used_s += float(percent or 0) / 100
                measured.cpu_known_s += float(cpu_known or 0)
                measured.cpu_used_s += float(cpu_percent or 0) / 100
    return samples


def _hours(until: int) -> Select[Any]:
    """Select the samples before `until`, by session and hour."""
    sample = UsageSample
    # A literal: PostgreSQL must see that the grouped and the selected expression are the same.
    hour = sample.at_s - sample.at_s % literal_column(str(HOUR_S), Integer)
    gpu_seconds = func.sum(sample.seconds * sample.gpus)
    return (
        select(
            sample.session_id,
            hour,
            func.sum(sample.seconds),
            _average(sample.cpu_percent),
            _average(sample.memory_mib),
            func.max(sample.memory_mib),
            gpu_seconds,
            func.sum(sample.seconds * sample.gpus * sample.gpu_percent) * 1.0 / func.nullif(gpu_seconds, 0),
            _average(sample.gpu_memory_mib),
            func.max(sample.gpu_peak_percent),
            _average(sample.power_w),
            _average(sample.kernel_busy_percent),
            _average(sample.sm_percent),
            _average(sample.bandwidth_percent),
            _average(sample.pcie_mib_s),
            _average(sample.nvlink_mib_s),
        )
        .where(sample.at_s < until)
        .group_by(sample.session_id, hour)
    )


def _average(column: Any) -> Any:
    return cast(func.round(func.avg(column)), Integer)


def _point(row: UsageSample | UsageHour) -> Point:
    return Point(
        row.at_s,
        row.cpu_percent,
        row.memory_mib,
        row.gpu_percent,
        row.gpu_memory_mib,
        row.gpu_peak_percent,
        row.power_w,
        row.kernel_busy_percent,
        row.sm_percent,
        row.bandwidth_percent,
        row.pcie_mib_s,
        row.nvlink_mib_s,
    )


def _thin(points: Sequence[Point], step_s: int) -> tuple[int, list[Point]]:
    """Average until there are few enough points; a time without samples gets no point."""
    while points and (points[-1].at_s - points[0].at_s) // step_s >= POINTS:
        step_s *= 2
    parts: dict[int, list[Point]] = {}
    for point in points:
        parts.setdefault(point.at_s - point.at_s % step_s if step_s else point.at_s, []).append(point)
    return step_s, [_mean_point(at_s, part) for at_s, part in parts.items()]


def _mean_point(at_s: int, points: Sequence[Point]) -> Point:
    return Point(
        at_s,
        _mean(point.cpu_percent for point in points),
        _mean(point.memory_mib for point in points),
        _mean(point.gpu_percent for point in points),
        _mean(point.gpu_memory_mib for point in points),
        max((point.gpu_peak_percent for point in points if point.gpu_peak_percent is not None), default=None),
        _mean(point.power_w for point in points),
        _mean(point.kernel_busy_percent for point in points),
        _mean(point.sm_percent for point in points),
        _mean(point.bandwidth_percent for point in points),
        _mean(point.pcie_mib_s for point in points),
        _mean(point.nvlink_mib_s for point in points),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 1) if known else None
