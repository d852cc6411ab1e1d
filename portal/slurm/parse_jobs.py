"""Parses jobs from squeue and sacct."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from portal.garbage import HeapFreezer
from portal.shared_gres import SharedGres
from portal.slurm import parse
from portal.slurm.jobs import Job, JobEnd, JobState, Submitted
from portal.slurm.queries import END_FIELDS, JOB_FIELDS, JOB_TEXTS, SEPARATOR

_STATES = {state.value: state for state in JobState}


@lru_cache(maxsize=1000)
def job_state(value: str) -> JobState:
    """Parse a state; `CANCELLED by 1000` and compound states (`RUNNING+…`) count as their first word."""
    return _STATES.get(re.split(r"[ +]", value, maxsplit=1)[0], JobState.UNKNOWN)


Raw = tuple[str, ...]
_WIDTH = 1 + len(JOB_TEXTS)


class JobReader:
    """Parses the queue, reading by reading. An unchanged job keeps its value, so that it is not parsed again."""

    def __init__(self) -> None:
        self._last: dict[Raw, Job] = {}
        self._settled = HeapFreezer()

    def begin(self, mark: str) -> QueueReading:
        """Start a reading that is requested with `mark`."""
        return QueueReading(self, self._last, mark)

    def read(self, output: str, mark: str) -> list[Job]:
        """Return the jobs of one complete reading."""
        reading = self.begin(mark)
        reading.take(output)
        return reading.end()

    def keep(self, jobs: dict[Raw, Job]) -> None:
        self._last = jobs
        self._settled.settle(len(jobs))


class QueueReading:
    """One reading, taken piece by piece. Skips lines that are not records."""

    def __init__(self, reader: JobReader, last: dict[Raw, Job], mark: str) -> None:
        self._reader = reader
        self._last = last
        self._mark = mark
        self._rest = ""
        self._jobs: dict[Raw, Job] = {}
        self._unnamed: list[Raw] = []

    def take(self, piece: str) -> None:
        """Take the next piece of the output, cut anywhere."""
        parts = (self._rest + piece).split(self._mark)
        whole = (len(parts) - 1) // _WIDTH * _WIDTH
        self._rest = self._mark.join(parts[whole:])
        for at in range(0, whole, _WIDTH):
            raw = (parts[at].lstrip("\n"), parts[at + 1], parts[at + 2])
            # Taken out here, so that the previous reading is freed bit by bit, not in one long moment at the end.
            job = self._last.pop(raw, None) or _job(raw)
            if job is not None:
                self._jobs[raw] = job
                if not job.is_named:
                    self._unnamed.append(raw)

    def end(self) -> list[Job]:
        """Return the jobs, after the last piece."""
        if self._unnamed:
            self._name()
        self._reader.keep(self._jobs)
        return list(self._jobs.values())

    def _name(self) -> None:
        """Keep the owners known before the directory went down: `_last` still holds the jobs that now read
        differently.
        """
        before = {job.id: job for job in self._last.values()}
        for raw in self._unnamed:
            job = self._jobs[raw]
            was = before.get(job.id)
            if was is not None and was.submitted_at == job.submitted_at:
                self._jobs[raw] = replace(job, user=was.user)


def _job(raw: tuple[str, ...]) -> Job | None:
    values = raw[0].split(SEPARATOR)
    if len(values) != len(JOB_FIELDS) or parse.number(values[0]) is None:
        return None
    # Unpacked one by one, in the order of JOB_FIELDS: a dictionary for each of 100,000 jobs would cost a second.
    number, array, task, user, account, partition, qos, state_, reason, node_list, node_count, cpu_count = values[:12]
    submitted, eligible, starts, ends, limit, priority, reservation, status, allocated_, per_job, per_node = values[12:]
    nodes = parse.number(node_count.partition("-")[0]) or 1
    allocated = _allocated(allocated_, per_job, per_node)
    state = job_state(state_)
    return Job(
        id=int(number),
        name=raw[1],
        comment=parse.text(raw[2]),
        user=sys.intern(user),
        account=sys.intern(parse.text(account)),
        partition=sys.intern(partition),
        qos=sys.intern(parse.text(qos)),
        state=state,
        reason=sys.intern(parse.text(reason)),
        nodes=parse.text(node_list),
        node_count=nodes,
        cpus=allocated.cpus or parse.number(cpu_count.partition("-")[0]) or 0,
        memory_mib=allocated.memory_mib,
        gpus=allocated.gpus or allocated.gpus_per_node * nodes,
        gpu_type=allocated.gpu_type,
        shards=allocated.shards or allocated.shards_per_node * nodes,
        mps_percent=allocated.mps or allocated.mps_per_node * nodes,
        submitted_at=parse.when(submitted),
        eligible_at=parse.when(eligible),
        started_at=parse.when(starts),
        ends_at=parse.when(ends),
        time_limit_s=parse.duration_s(limit),
        priority=parse.number(priority) or 0,
        reservation=parse.text(reservation),
        exit_code=_exit_code(status) if state.is_over else None,
        array_job_id=parse.number(array) if parse.text(task) else None,
        array_tasks=parse.text(task),
    )


@dataclass(frozen=True, slots=True)
class _Allocated:
    cpus: int | None
    memory_mib: int | None
    gpus: int
    gpus_per_node: int
    gpu_type: str | None
    shards: int
    shards_per_node: int
    mps: int
    mps_per_node: int


@lru_cache(maxsize=50_000)
def _allocated(allocated: str, per_job: str, per_node: str) -> _Allocated:
    """Count what was allocated if Slurm tracks it, else what was requested. Many jobs request the same."""
    resources = parse.tres(allocated)
    tracked, of_job, of_node = (parse.gpu_counts(text) for text in (allocated, per_job, per_node))
    wanted = of_job or of_node
    typed = [kind for kind in (*tracked, *wanted) if kind]
    shards, shards_of_node = (_part(text, "shard") for text in (allocated, per_node))
    mps, mps_of_node = (_part(text, "mps") for text in (allocated, per_node))
    return _Allocated(
        cpus=parse.number(resources.get("cpu", "")),
        memory_mib=parse.memory_mib(resources.get("mem", "")),
        gpus=tracked.get("") or sum(tracked.values()) or sum(of_job.values()),
        gpus_per_node=0 if of_job else sum(of_node.values()),
        gpu_type=typed[0] if typed else None,
        shards=shards,
        shards_per_node=shards_of_node,
        mps=mps,
        mps_per_node=mps_of_node,
    )


def _part(text: str, name: SharedGres) -> int:
    counts = parse.gres_counts(text, name)
    return counts.get("") or sum(counts.values())


def _exit_code(value: str) -> int | None:
    """Parse a wait status (22.05) or `code:signal` (later versions); None for a job that a signal ended."""
    if ":" in value:
        code, signal = _exit(value)
        return None if signal else code
    status = parse.number(value)
    return None if status is None or status & 0x7F else status >> 8


def found(output: str) -> Submitted | None:
    """Parse `queries.find`: the newest of the jobs, if there is one."""
    best: Submitted | None = None
    for line in output.splitlines():
        job_id, state, nodes = [*line.split(SEPARATOR), "", "", ""][:3]
        number = parse.number(job_id)
        if number is not None and (best is None or number > best.job_id):
            placed = not job_state(state).waits
            best = Submitted(number, placed=placed, node=parse.text(nodes) or None)
    return best


def with_steps(output: str) -> set[int]:
    """Parse `queries.steps`. Ignores the `extern` step, a placeholder that does no work of its own."""
    ids = (line.strip().rstrip(SEPARATOR).partition(".") for line in output.splitlines())
    return {int(job_id) for job_id, dot, step in ids if dot and step != "extern" and parse.number(job_id) is not None}


def job_ends(output: str) -> dict[int, JobEnd]:
    """Parse `queries.job_ends`: ended jobs, by number.

    A step that ran out of memory decides, whatever the job's state. If an allocation was given back after its step had
    ended, the step's own end counts.
    """
    by_job: dict[str, list[dict[str, str]]] = defaultdict(list)
    for line in output.splitlines():
        values = line.split(SEPARATOR)
        if len(values) == len(END_FIELDS):
            row = dict(zip(END_FIELDS, values, strict=True))
            by_job[row["JobIDRaw"].partition(".")[0]].append(row)
    numbered = ((parse.number(name), rows) for name, rows in by_job.items())
    ends = (_job_end(number, rows) for number, rows in numbered if number is not None)
    return {end.job_id: end for end in ends if end is not None}


def _job_end(job_id: int, rows: list[dict[str, str]]) -> JobEnd | None:
    own = [row for row in rows if "." not in row["JobIDRaw"]]
    if not own:
        return None
    row = own[-1]
    state = job_state(row["State"])
    if not state.is_over:
        return None
    steps = [step for step in rows if "." in step["JobIDRaw"]]
    by = re.fullmatch(r"CANCELLED by (\d+)", row["State"])
    main = next((step for step in steps if step["JobIDRaw"] == f"{job_id}.0"), None)
    exit_code, signal = _exit(row["ExitCode"])
    if any(job_state(step["State"]) is JobState.OUT_OF_MEMORY for step in steps):
        state = JobState.OUT_OF_MEMORY
    elif state is JobState.CANCELLED and main and job_state(main["State"]) in (JobState.COMPLETED, JobState.FAILED):
        state, by = job_state(main["State"]), None
        exit_code, signal = _exit(main["ExitCode"])
    used = [parse.memory_mib(step["MaxRSS"]) for step in steps]
    return JobEnd(
        job_id=job_id,
        state=state,
        exit_code=exit_code,
        signal=signal,
        cancelled_by_uid=int(by[1]) if by else None,
        reason=parse.text(row["Reason"]),
        started_at=parse.when(row["Start"]),
        ended_at=parse.when(row["End"]),
        max_memory_mib=max((size for size in used if size is not None), default=None),
    )


def _exit(value: str) -> tuple[int | None, int | None]:
    """Parse `code:signal`."""
    code, _, signal = value.partition(":")
    return parse.number(code), parse.number(signal) or None
