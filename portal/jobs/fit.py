"""What a user's last jobs of one name needed, and the memory and time that would hold that with room to spare.

Only single jobs on one node are compared, since Slurm measures the memory of a task, not of a node (sacct(1), MaxRSS).
"""

from __future__ import annotations

from collections.abc import Sequence

from portal.jobs import endings
from portal.jobs.models import JobRecord
from portal.jobs.schemas import JobFitOut

#: As many of the last jobs are compared.
JOBS = 5
#: Slurm samples memory every 30 s by default; shorter jobs do not show what the work needs.
LEAST_S = 600
#: Room above what was used: the next run differs.
ROOM = 1.5
MEMORY_STEP_MIB = 1024
TIME_STEP_S = 1800


def fit(last: Sequence[JobRecord]) -> JobFitOut | None:
    """Return what fits the last jobs of a name; None if none of them ran long enough to show it.

    Only those that finished count. If one ran out of memory or time, nothing is said of that.
    """
    done = [record for record in last if endings.code_of(record) == "finished"]
    lengths = [_length_s(record) for record in done]
    if not done or max(lengths) < LEAST_S:
        return None
    codes = {endings.code_of(record) for record in last}
    peaks = [
        record.used_memory_mib
        for record, length in zip(done, lengths, strict=True)
        if record.used_memory_mib is not None and length >= LEAST_S
    ]
    peak_mib = max(peaks) if peaks and "oom" not in codes else None
    longest_s = None if "time_limit" in codes else max(lengths)
    if peak_mib is None and longest_s is None:
        return None
    return JobFitOut(
        jobs=len(done),
        peak_mib=peak_mib,
        memory_mib=None if peak_mib is None else _room(peak_mib, MEMORY_STEP_MIB),
        longest_s=longest_s,
        walltime_s=None if longest_s is None else _room(longest_s, TIME_STEP_S),
    )


def _length_s(record: JobRecord) -> int:
    if record.started_at is None or record.ended_at is None:
        return 0
    return int((record.ended_at - record.started_at).total_seconds())


def _room(used: int, step: int) -> int:
    return max(1, -(-int(used * ROOM) // step)) * step
