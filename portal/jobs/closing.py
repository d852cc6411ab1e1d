"""What accounting says of a job that has ended, put into its row."""

from __future__ import annotations

import pwd
from collections.abc import Sequence

from portal.jobs import arrays
from portal.jobs.models import JobRecord
from portal.slurm.batch import Account
from portal.slurm.types import JobState

#: Of the tasks of an array, the end that counts most.
_WORST = (
    JobState.OUT_OF_MEMORY,
    JobState.TIMEOUT,
    JobState.NODE_FAIL,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.COMPLETED,
)


def close(record: JobRecord, accounts: Sequence[Account]) -> bool:
    """Put what accounting knows into the row; False when it does not know all of the job's end yet."""
    tasks = [one for one in accounts if one.task is not None] if record.array_total else list(accounts)
    if not tasks or (record.array_total and len(tasks) < (record.array_total or 0)):
        return False
    worst = min(tasks, key=_badness)
    record.state = worst.state.value
    record.exit_code, record.signal = worst.exit_code, worst.signal
    record.cancelled_by = _name(worst.cancelled_by_uid)
    record.started_at = min((one.started_at for one in tasks if one.started_at), default=None)
    record.ended_at = max((one.ended_at for one in tasks if one.ended_at), default=record.ended_at)
    record.node_list = worst.nodes or record.node_list
    record.held_cpu_s = sum(one.held_cpu_s for one in tasks)
    used = [one.used_cpu_s for one in tasks if one.used_cpu_s is not None]
    record.used_cpu_s = sum(used) if used else None
    record.used_memory_mib = max((one.max_memory_mib for one in tasks if one.max_memory_mib is not None), default=None)
    record.used_gpu_percent = max((one.gpu_percent for one in tasks if one.gpu_percent is not None), default=None)
    if record.array_total:
        failed = [one.task for one in tasks if one.state is not JobState.COMPLETED and one.task is not None]
        record.array_failed, record.array_failed_tasks = len(failed), arrays.compact(failed) or None
        record.array_done = len(tasks) - len(failed)
        record.array_pending = record.array_running = 0
    return True


def _badness(one: Account) -> int:
    return _WORST.index(one.state) if one.state in _WORST else 0


def _name(uid: int | None) -> str | None:
    if uid is None:
        return None
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"
