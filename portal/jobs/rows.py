"""Jobs as their owner sees them, built from rows; and rows updated from Slurm's snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, TypeAdapter

from portal.jobs import arrays, endings
from portal.jobs.models import JobRecord
from portal.jobs.schemas import ArrayOut, EfficiencyOut, JobRow, JobUsageOut
from portal.slurm.jobs import Job, JobState
from portal.slurm.reasons import explain

#: The state shown for an array with tasks in several states: the first of these that any task has.
_ORDER = (
    JobState.RUNNING,
    JobState.COMPLETING,
    JobState.CONFIGURING,
    JobState.SUSPENDED,
    JobState.PENDING,
    JobState.REQUEUED,
)
_WORST = (
    JobState.OUT_OF_MEMORY,
    JobState.TIMEOUT,
    JobState.NODE_FAIL,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.COMPLETED,
)


REQUEUED = "It was put back in the queue (its node failed, or it was requeued), and may start again in a few minutes."
MOST_RUNS = 20


class Run(BaseModel):
    """A run of a job that was put back in the queue afterwards."""

    started_at: datetime
    ended_at: datetime
    nodes: str


_RUNS = TypeAdapter(list[Run])


def key_of(job: Job) -> int:
    """Return the number that a job is shown under; tasks share their array's."""
    return job.array_job_id if job.array_job_id is not None else job.id


def new_record(jobs: Sequence[Job], now: datetime) -> JobRecord:
    """Make a row for jobs; at least one must name its user."""
    first = next(job for job in jobs if job.is_named)
    return JobRecord(
        job_id=key_of(first),
        owner=first.user,
        submitted_at=first.submitted_at or now,
        from_portal=False,
        notify=False,
        accounted=False,
        array_pending=0,
        array_running=0,
        array_done=0,
        array_failed=0,
        array_cancelled=0,
        nodes=1,
        cpus=0,
        gpus=0,
    )


def update(record: JobRecord, jobs: Sequence[Job], now: datetime) -> None:
    """Update a row from its jobs in the snapshot; counts are of one array task."""
    first = max(jobs, key=lambda job: (not job.state.is_over, not job.state.waits, job.id))
    is_array = first.array_job_id is not None
    waiting = first.state.waits
    if waiting and not is_array:
        _requeued(record, now)
    record.name, record.partition, record.account, record.qos = first.name, first.partition, first.account, first.qos
    record.nodes, record.node_list, record.cpus = first.node_count, first.nodes, first.cpus
    record.memory_mib = first.memory_mib if first.memory_mib is not None else record.memory_mib
    record.gpus, record.gpu_type, record.walltime_s = first.gpus_counted, first.gpu_type, first.time_limit_s
    if is_array:
        _count(record, jobs)
    over = all(job.state.is_over for job in jobs) and not (is_array and record.array_pending)
    record.state = _state(jobs, over=over, failed=record.array_failed if is_array else 0).value
    record.reason_code = first.reason[:255] or None if waiting else None
    record.reason = _reason(record, first) if waiting else None
    record.expected_start = first.started_at if waiting and first.started_at and first.started_at > now else None
    started = [job.started_at for job in jobs if job.started_at and not job.state.waits]
    record.started_at = min([*started, *([record.started_at] if record.started_at and is_array else [])], default=None)
    record.ends_at = first.ends_at if first.state is JobState.RUNNING else None
    if not over:
        _reopen(record)
    else:
        record.ended_at = max((job.ends_at for job in jobs if job.ends_at), default=now)
        record.exit_code = next((job.exit_code for job in jobs if job.exit_code), first.exit_code)
        if record.state == JobState.CANCELLED and record.started_at == record.ended_at:
            record.started_at = None


def _requeued(record: JobRecord, now: datetime) -> None:
    """Note the run of a job that had started and waits again; further snapshots find no start to note."""
    if record.started_at is not None:
        run = Run(started_at=record.started_at, ended_at=record.ended_at or now, nodes=record.node_list)
        record.earlier_runs = _RUNS.dump_json([*runs(record), run][-MOST_RUNS:]).decode()


def runs(record: JobRecord) -> list[Run]:
    """Return the runs before the job was put back in the queue, the latest `MOST_RUNS`."""
    return _RUNS.validate_json(record.earlier_runs) if record.earlier_runs else []


def _reason(record: JobRecord, job: Job) -> str | None:
    """Return why a job waits. Slurm gives a requeued job a begin time of its own, some minutes later."""
    if record.earlier_runs and job.reason == "BeginTime":
        return REQUEUED
    return explain(job.reason, job) or None


def _reopen(record: JobRecord) -> None:
    """Undo an end that was wrong: the job was requeued, or Slurm omitted it for a moment."""
    if record.ended_at is not None:
        record.ended_at = record.exit_code = record.signal = record.cancelled_by = record.gpu_memory = None
        record.held_cpu_s = record.used_cpu_s = record.used_memory_mib = record.used_gpu_percent = None
        record.accounted = False


def _count(record: JobRecord, jobs: Sequence[Job]) -> None:
    """Count tasks. Slurm forgets ended tasks after some minutes, and those cancelled before they started at once."""
    pending = running = 0
    done = set(arrays.expand(record.array_done_tasks or ""))
    failed = set(arrays.expand(record.array_failed_tasks or ""))
    for job in jobs:
        if job.state.waits:
            pending += arrays.count(job.array_tasks)
        elif not job.state.is_over:
            running += 1
        elif job.state is JobState.COMPLETED:
            done.update(arrays.expand(job.array_tasks))
        elif job.state is not JobState.CANCELLED:
            failed.update(arrays.expand(job.array_tasks))
    record.array_range = record.array_range or _range(jobs)
    throttles = [job.array_tasks.partition("%")[2] for job in jobs if job.state.waits]
    record.array_at_once = (
        next((int(throttle) for throttle in throttles if throttle.isdigit()), None)
        if throttles
        else (record.array_at_once)
    )
    record.array_total = record.array_total or arrays.count(record.array_range)
    record.array_pending, record.array_running = pending, running
    record.array_done, record.array_done_tasks = len(done), arrays.compact(done) or None
    record.array_failed, record.array_failed_tasks = len(failed), arrays.compact(failed) or None
    record.array_cancelled = max(0, record.array_total - pending - running - len(done) - len(failed))


def _range(jobs: Sequence[Job]) -> str:
    return arrays.compact(task for job in jobs for task in arrays.expand(job.array_tasks))


def _state(jobs: Sequence[Job], *, over: bool, failed: int) -> JobState:
    states = {job.state for job in jobs}
    if not over:
        return next((state for state in _ORDER if state in states), next(iter(states)))
    if failed and states == {JobState.COMPLETED}:
        return JobState.FAILED  # failed tasks have left the snapshot already
    return next((state for state in _WORST if state in states), next(iter(states)))


def render(record: JobRecord) -> JobRow:
    return JobRow(
        id=str(record.job_id),
        name=record.name,
        state=record.state,
        reason=record.reason,
        reason_code=record.reason_code,
        partition=record.partition,
        account=record.account,
        qos=record.qos,
        nodes=record.nodes,
        node_list=record.node_list,
        gpus=record.gpus,
        gpu_type=record.gpu_type,
        cpus=record.cpus,
        memory_mib=record.memory_mib,
        walltime_s=record.walltime_s,
        submitted_at=record.submitted_at,
        started_at=record.started_at,
        expected_start=record.expected_start,
        ends_at=record.ends_at,
        ended_at=record.ended_at,
        exit_code=record.exit_code,
        signal=record.signal,
        end=endings.ending(record),
        array=_array(record),
        efficiency=_efficiency(record),
        usage=_usage(record),
        from_portal=record.from_portal,
        notify=record.notify,
    )


def _array(record: JobRecord) -> ArrayOut | None:
    if record.array_total is None:
        return None
    return ArrayOut(
        total=record.array_total,
        pending=record.array_pending,
        running=record.array_running,
        done=record.array_done,
        failed=record.array_failed,
        cancelled=record.array_cancelled,
        range=record.array_range or "",
    )


def _usage(record: JobRecord) -> JobUsageOut | None:
    if record.used_cpu_s is None and record.used_memory_mib is None:
        return None
    return JobUsageOut(cpu_s=record.used_cpu_s, memory_mib=endings.peak_memory_mib(record))


def _efficiency(record: JobRecord) -> EfficiencyOut | None:
    if record.ended_at is None or _usage(record) is None:
        return None
    held_s = record.held_cpu_s
    memory, used_mib = endings.per_node(record), endings.peak_memory_mib(record)
    return EfficiencyOut(
        cpu_percent=round(100 * record.used_cpu_s / held_s, 1) if held_s and record.used_cpu_s is not None else None,
        memory_percent=round(min(100.0, 100 * used_mib / memory), 1) if memory and used_mib is not None else None,
        gpu_percent=record.used_gpu_percent,
    )
