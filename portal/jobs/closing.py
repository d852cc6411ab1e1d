"""Copies what accounting knows of an ended job into its row."""

from __future__ import annotations

import pwd
from collections.abc import Sequence
from typing import TypeVar

from portal.jobs import arrays
from portal.jobs.models import JobRecord
from portal.slurm.batch import AccountingRecord
from portal.slurm.jobs import JobState

Number = TypeVar("Number", int, float)

#: Ends of array tasks, the most important first.
_WORST = (
    JobState.OUT_OF_MEMORY,
    JobState.TIMEOUT,
    JobState.NODE_FAIL,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.COMPLETED,
)


def close(record: JobRecord, accounts: Sequence[AccountingRecord]) -> bool:
    """Update the row from accounting. Return False if accounting does not know the whole end of the job yet."""
    if not accounts or not all(account.state.is_over for account in accounts):
        return False
    worst = min(accounts, key=_badness)
    record.state = worst.state.value
    record.exit_code, record.signal = worst.exit_code, worst.signal
    record.cancelled_by = _name(worst.cancelled_by_uid)
    record.started_at = min((account.started_at for account in accounts if account.started_at), default=None)
    record.ended_at = max((account.ended_at for account in accounts if account.ended_at), default=record.ended_at)
    record.node_list = worst.nodes or record.node_list
    record.held_cpu_s = sum(account.held_cpu_s for account in accounts)
    used = [account.used_cpu_s for account in accounts if account.used_cpu_s is not None]
    record.used_cpu_s = sum(used) if used else None
    record.used_memory_mib = _most([account.max_memory_mib for account in accounts])
    record.used_gpu_percent = _most([account.gpu_percent for account in accounts])
    if record.array_total is not None:
        _count(record, record.array_total, accounts)
    return True


def _most(values: list[Number | None]) -> Number | None:
    return max((value for value in values if value is not None), default=None)


def _count(record: JobRecord, total: int, accounts: Sequence[AccountingRecord]) -> None:
    """Count tasks by how they ended. Tasks cancelled before they started may have no accounting record."""
    done: set[int] = set()
    failed: set[int] = set()
    for account in accounts:
        if account.state is JobState.COMPLETED:
            done.update(arrays.expand(account.tasks))
        elif account.state is not JobState.CANCELLED:
            failed.update(arrays.expand(account.tasks))
    record.array_pending = record.array_running = 0
    record.array_done, record.array_done_tasks = len(done), arrays.compact(done) or None
    record.array_failed, record.array_failed_tasks = len(failed), arrays.compact(failed) or None
    record.array_cancelled = max(0, total - len(done) - len(failed))


def _badness(record: AccountingRecord) -> int:
    return _WORST.index(record.state) if record.state in _WORST else 0


def _name(uid: int | None) -> str | None:
    if uid is None:
        return None
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"
