"""What the rules judge, from an agent's report and from a recorded sample."""

from __future__ import annotations

from portal.idle.rules import Reading
from portal.sessions.schemas import Activity, UsageOut
from portal.usage.models import UsageSample


def of_report(use: UsageOut, gpus: int, seconds: float) -> Reading:
    """Return the reading of a session with this many GPUs; `seconds` since the report before."""
    signs = use.activity or Activity()
    peaks = [gpu.utilization if gpu.utilization_peak is None else gpu.utilization_peak for gpu in use.gpus]
    known = [peak for peak in peaks if peak is not None]
    return Reading(
        at_s=use.at.timestamp(),
        seconds=seconds,
        gpu_percent=max(known) if known and len(known) >= gpus else None,
        cpu_percent=use.cpu_percent,
        kernel_busy_percent=signs.kernel_busy_percent,
        programs=signs.programs,
        quiet_s=signs.quiet_s,
        disk_kib_s=signs.disk_kib_s,
        network_kib_s=signs.network_kib_s,
    )


def of_sample(sample: UsageSample, gpus: int) -> Reading:
    peak = sample.gpu_percent if sample.gpu_peak_percent is None else sample.gpu_peak_percent
    return Reading(
        at_s=sample.at_s + sample.seconds,
        seconds=sample.seconds,
        gpu_percent=peak if sample.gpus >= gpus else None,
        cpu_percent=sample.cpu_percent,
        kernel_busy_percent=sample.kernel_busy_percent,
        programs=sample.programs,
        quiet_s=sample.quiet_s,
        disk_kib_s=sample.disk_kib_s,
        network_kib_s=sample.network_kib_s,
    )
