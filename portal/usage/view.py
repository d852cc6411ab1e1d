"""Reports as the API returns them, and as CSV: hours rounded, sources in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from portal import csv_text
from portal.usage.gpus import problems_of
from portal.usage.models import UsageGpu, UsageJob, UsageSource
from portal.usage.reader import ACCOUNTING
from portal.usage.reports import Part, Report
from portal.usage.samples import Point
from portal.usage.schemas import (
    Figures,
    GpuTotalOut,
    GpuTotalsOut,
    JobUse,
    SamplePoint,
    SeriesPoint,
    SessionUse,
    SourceOut,
    UsageReport,
    UsageRow,
)
from portal.usage.spread import JobRun

ROWS_AT_MOST = 500
HOUR_S = 3600
KWH_J = 3_600_000
#: Grams for a kWh, if the site says so.
Co2 = float | None
NOTHING = "Nothing has been read yet."
BY_SLURM = "From Slurm's accounting."
BY_QUEUE = (
    "From the portal's own record of the queue: this cluster keeps no accounting. "
    "Jobs that came and went while the portal was down are missing."
)


def report(made: Report, co2: Co2) -> UsageReport:
    asked = made.asked
    rows = [_row(key, part, co2) for key, part in list(made.rows.items())[:ROWS_AT_MOST]]
    return UsageReport(
        by=asked.by,
        first=asked.first,
        last=asked.last,
        source=source(made.found.source),
        total=Figures.model_validate(figures(made.total, co2)),
        rows=rows,
        more=len(made.rows) - len(rows),
        step="month" if asked.monthly else "day",
        series=[_point(number, part, monthly=asked.monthly) for number, part in sorted(made.series.items())],
        wasteful=[_job(made, job, held) for job, held in made.found.wasteful],
    )


def csv(made: Report, co2: Co2) -> str:
    rows = [(key, *figures(part, co2).values()) for key, part in made.rows.items()]
    return csv_text.text((made.asked.by, *figures(Part(), co2)), rows)


def source(read: UsageSource | None) -> SourceOut:
    if read is None:
        return SourceOut(kind="none", text=NOTHING, since=None, read_to=None, failing_since=None)
    by_slurm = read.name == ACCOUNTING
    failing = read.failing_since_s if read.recovered_s is None else None
    return SourceOut(
        kind="accounting" if by_slurm else "queue",
        text=BY_SLURM if by_slurm else BY_QUEUE,
        since=_moment(read.since_s),
        read_to=_moment(read.read_to_s),
        failing_since=None if failing is None else _moment(failing),
    )


def session_use(step_s: int, points: list[Point], gpus: Sequence[UsageGpu], co2: Co2) -> SessionUse:
    return SessionUse(
        step_s=step_s,
        gpus=gpu_totals(gpus, co2),
        items=[
            SamplePoint(
                at=_moment(point.at_s),
                cpu_percent=point.cpu_percent,
                memory_mib=point.memory_mib,
                gpu_percent=point.gpu_percent,
                gpu_memory_mib=point.gpu_memory_mib,
                gpu_peak_percent=point.gpu_peak_percent,
                power_w=point.power_w,
                kernel_busy_percent=point.kernel_busy_percent,
                sm_percent=point.sm_percent,
                bandwidth_percent=point.bandwidth_percent,
                pcie_mib_s=point.pcie_mib_s,
                nvlink_mib_s=point.nvlink_mib_s,
            )
            for point in points
        ],
    )


def gpu_totals(gpus: Sequence[UsageGpu], co2: Co2) -> GpuTotalsOut:
    counted = [gpu.energy_j for gpu in gpus if gpu.energy_j is not None]
    return GpuTotalsOut(
        items=[_gpu(gpu) for gpu in gpus],
        energy_wh=round(sum(counted) / HOUR_S, 2) if counted else None,
        co2_g=round(sum(counted) / KWH_J * co2, 1) if counted and co2 is not None else None,
    )


def _gpu(gpu: UsageGpu) -> GpuTotalOut:
    return GpuTotalOut(
        node=gpu.node,
        index=gpu.gpu,
        name=gpu.name,
        uuid=gpu.uuid,
        measured_s=round(gpu.known_s, 1),
        percent=_share(gpu.used_s, gpu.known_s),
        peak_percent=gpu.peak_percent,
        memory_mib=gpu.memory_mib,
        memory_peak_mib=gpu.memory_peak_mib,
        power_peak_w=gpu.power_peak_w,
        energy_wh=None if gpu.energy_j is None else round(gpu.energy_j / HOUR_S, 2),
        sm_percent=_share(gpu.sm_s, gpu.counted_s),
        sm_peak_percent=gpu.sm_peak_percent,
        bandwidth_percent=_share(gpu.bandwidth_s, gpu.counted_s),
        bandwidth_peak_percent=gpu.bandwidth_peak_percent,
        problems=problems_of(gpu),
        as_of=_moment(gpu.reported_s),
    )


def _share(part_s: float, whole_s: float) -> float | None:
    return round(100 * min(1.0, part_s / whole_s), 1) if whole_s else None


def _row(key: str, part: Part, co2: Co2) -> UsageRow:
    return UsageRow.model_validate({"key": key, **figures(part, co2)})


def figures(part: Part, co2: Co2) -> dict[str, float | int | None]:
    sums = part.sums
    return {
        "jobs": sums.jobs,
        "gpu_hours": _hours(sums.gpu_s),
        "cpu_hours": _hours(sums.cpu_s),
        "gpu_hours_used": _hours(sums.gpu_used_s),
        "gpu_hours_unused": _hours(sums.gpu_known_s - sums.gpu_used_s),
        "gpu_hours_unknown": _hours(sums.gpu_s - sums.gpu_known_s),
        "cpu_hours_used": _hours(sums.cpu_used_s),
        "cpu_hours_unknown": _hours(sums.cpu_s - sums.cpu_known_s),
        "energy_kwh": round(sums.energy_j / KWH_J, 3),
        "co2_kg": None if co2 is None else round(sums.energy_j / KWH_J * co2 / 1000, 3),
        "wait_median_s": part.waits.quantile(0.5),
        "wait_p95_s": part.waits.quantile(0.95),
    }


def _point(number: int, part: Part, *, monthly: bool) -> SeriesPoint:
    number = number * 100 + 1 if monthly else number
    sums = part.sums
    return SeriesPoint(
        at=date(number // 10_000, number // 100 % 100, number % 100),
        gpu_hours=_hours(sums.gpu_s),
        gpu_hours_used=_hours(sums.gpu_used_s),
        gpu_hours_unused=_hours(sums.gpu_known_s - sums.gpu_used_s),
        cpu_hours=_hours(sums.cpu_s),
    )


def _job(made: Report, job: UsageJob, held: JobRun) -> JobUse:
    whose = made.found.whose[job.whose_id]
    return JobUse(
        job_id=job.job_id,
        session_id=job.session_id,
        user=whose.owner,
        partition=whose.partition,
        gpus=job.gpus,
        started_at=_moment(job.started_s),
        ended_at=None if job.ended_s is None else _moment(job.ended_s),
        gpu_hours=_hours((held.until_s - held.started_s) * job.gpus),
        gpu_hours_unused=_hours(held.gpu_known_s - held.gpu_used_s),
        gpu_percent=round(100 * held.gpu_used_s / held.gpu_known_s, 1) if held.gpu_known_s else 0.0,
    )


def _hours(seconds: int) -> float:
    return round(seconds / HOUR_S, 2)


def _moment(at_s: int) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)
