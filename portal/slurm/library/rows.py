"""pyslurm's jobs, as the same values that Slurm's commands give.

pyslurm loses some values: it subtracts 128 from exit codes above 127, and cannot read `--gpus`. Such a job is `asked`:
squeue reads it once, and the result is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from portal.shared_gres import SharedGres
from portal.slurm import parse
from portal.slurm.jobs import Job
from portal.slurm.parse_jobs import job_state


class JobRow(NamedTuple):
    """A line of the child: `child.JOB`, and the values after it."""

    id: int
    array_id: int | None
    array_task_id: int | None
    array_tasks_waiting: str | None
    array_tasks_parallel: int | None
    account: str | None
    partition: str | None
    qos: str | None
    state: str
    state_reason: str | None
    allocated_nodes: str | None
    num_nodes: int | None
    cpus: int | None
    submit_time: int | None
    eligible_time: int | None
    start_time: int | None
    end_time: int | None
    time_limit: int | None
    priority: int | None
    reservation: str | None
    exit_code: int | None
    exit_code_signal: int | None
    name: str | None
    comment: str | None
    user_name: str
    allocated: dict[str, int] | None
    requested: dict[str, int] | None
    gres_per_node: dict[str, int] | None


#: A job, and when it ended, if it did: until that changes, squeue's values for it hold.
Phase = tuple[int, int | None]


class QueueReading:
    """One reading of the queue, taken line by line. An unchanged line keeps its job value.

    `answers` holds squeue's values for jobs that pyslurm reads only in part.
    """

    def __init__(self, last: Mapping[str, Job], answers: Mapping[Phase, Job]) -> None:
        self._last = last
        self._answers = answers
        self.jobs: dict[str, Job] = {}
        self.asked: set[Phase] = set()
        """Jobs that squeue must still be asked about."""

    def take(self, line: str) -> None:
        job = self._last.get(line)
        if job is None:
            job, phase = read_job(line)
            if phase is not None:
                known = self._answers.get(phase)
                if job is None or known is None:
                    self.asked.add(phase)
                    return
                job = _completed(job, known)
        assert job is not None  # noqa: S101  (read_job gives a job or a phase)
        self.jobs[line] = job


def read_job(line: str) -> tuple[Job | None, Phase | None]:
    """Return the job, and its phase if pyslurm reads it only in part. Raises ValueError or TypeError for an invalid
    line.
    """
    values = json.loads(line)
    if len(values) == 1:
        return None, (int(values[0]), None)
    row = JobRow(*values)
    state = job_state(row.state)
    code, signal = row.exit_code or 0, row.exit_code_signal or 0
    per_node = ",".join(f"{name}:{count}" for name, count in (row.gres_per_node or {}).items())
    on_each = parse.gpu_counts(per_node)
    nodes = row.num_nodes or 1
    allocated = row.allocated or row.requested or {}  # like squeue
    tracked = {name.partition(":")[2]: count for name, count in allocated.items() if _is_gpu(name)}
    tasks = _tasks(row)
    job = Job(
        id=row.id,
        name=row.name or "",
        comment=parse.text(row.comment or ""),
        user=sys.intern(row.user_name),
        account=sys.intern(parse.text(row.account or "")),
        partition=sys.intern(row.partition or ""),
        qos=sys.intern(parse.text(row.qos or "")),
        state=state,
        reason=sys.intern(parse.text(row.state_reason or "")),
        nodes=row.allocated_nodes or "",
        node_count=nodes,
        cpus=allocated.get("cpu") or row.cpus or 0,
        memory_mib=allocated.get("mem"),
        gpus=tracked.get("") or sum(tracked.values()) or sum(on_each.values()) * nodes,
        gpu_type=next((kind for kind in (*tracked, *on_each) if kind), None),
        shards=_part(allocated, per_node, nodes, "shard"),
        mps_percent=_part(allocated, per_node, nodes, "mps"),
        submitted_at=_when(row.submit_time),
        eligible_at=_when(row.eligible_time),
        started_at=_when(row.start_time),
        # Without a time limit, Slurm sets a running job's end a year ahead, which means nothing.
        ends_at=_when(row.end_time) if state.is_over or row.time_limit else None,
        time_limit_s=row.time_limit * 60 if row.time_limit else None,
        priority=row.priority or 0,
        reservation=row.reservation or "",
        exit_code=code if state.is_over and not signal else None,
        array_job_id=row.array_id if tasks else None,
        array_tasks=tasks,
    )
    untold = (not on_each and any(map(_is_gpu, row.requested or {}))) or (state.is_over and code != 0)
    return job, (row.id, row.end_time if state.is_over else None) if untold else None


def _completed(job: Job, known: Job) -> Job:
    return replace(
        job,
        gpus=job.gpus or known.gpus,
        gpu_type=job.gpu_type or known.gpu_type,
        exit_code=known.exit_code if job.state.is_over else None,
    )


def _part(allocated: dict[str, int], per_node: str, nodes: int, name: SharedGres) -> int:
    tracked = {kind: count for kind, count in allocated.items() if kind.partition(":")[0] == name}
    return tracked.get(name) or sum(tracked.values()) or sum(parse.gres_counts(per_node, name).values()) * nodes


def _is_gpu(name: str) -> bool:
    return name.partition(":")[0] == "gpu"


def _tasks(row: JobRow) -> str:
    """Return the task number, or the pending tasks with their limit. pyslurm takes task 0 for none."""
    if row.array_id is None:
        return ""
    if not row.array_tasks_waiting:
        return str(row.array_task_id or 0)
    return row.array_tasks_waiting + (f"%{row.array_tasks_parallel}" if row.array_tasks_parallel else "")


@lru_cache(maxsize=100_000)
def _when(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
