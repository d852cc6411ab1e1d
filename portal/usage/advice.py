"""What a user's figures mean, in words, and what to do about it. Says nothing if little is known."""

from __future__ import annotations

from collections.abc import Iterator

from portal.plurals import plural
from portal.usage.spread import Sums

HOUR_S = 3600
#: Less than this does not show a habit.
LEAST_GPU_S = HOUR_S
LEAST_CPU_S = 16 * HOUR_S
IDLE = 0.15
HALF = 0.5
#: If more than this share is unknown, the rest is not judged.
MOST_UNKNOWN = 0.75


def of(sums: Sums) -> list[tuple[str, str]]:
    """Return findings about the usage, each with a hint."""
    return [*_gpus(sums), *_cpus(sums)]


def _gpus(sums: Sums) -> Iterator[tuple[str, str]]:
    if sums.gpu_s < LEAST_GPU_S:
        return
    unknown = 1 - sums.gpu_known_s / sums.gpu_s
    if unknown > MOST_UNKNOWN:
        yield (
            f"GPU use was not measured for {_percent(unknown)} of your GPU-hours.",
            "The portal measures sessions, and batch jobs that are submitted here. Others are measured only if Slurm's "
            "accounting gathers GPU use.",
        )
        return
    busy = sums.gpu_used_s / sums.gpu_known_s
    unused = f"{plural(round((sums.gpu_known_s - sums.gpu_used_s) / HOUR_S, 1), 'GPU-hour')} unused."
    if busy < IDLE:
        yield (
            f"Your GPUs were busy {_percent(busy)} of the time they were measured: {unused}",
            "Stop sessions while you read or write, ask for shorter times, and try code on a CPU or on one GPU first.",
        )
    elif busy < HALF:
        yield (
            f"Your GPUs were busy {_percent(busy)} of the time they were measured: {unused}",
            "Larger batches, more workers that load data, or fewer GPUs keep each of them busier.",
        )


def _cpus(sums: Sums) -> Iterator[tuple[str, str]]:
    if sums.cpu_known_s < LEAST_CPU_S:
        return
    busy = sums.cpu_used_s / sums.cpu_known_s
    if busy < IDLE and not sums.gpu_s:
        yield (
            f"Your cores were busy {_percent(busy)} of the time.",
            "Ask for as many cores as your program has threads; in a batch job, with --cpus-per-task.",
        )


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"
