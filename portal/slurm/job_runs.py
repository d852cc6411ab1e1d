"""What jobs have held: from Slurm's accounting, by time windows, or from the portal's snapshot of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from portal.slurm import hostlist, parse, queries
from portal.slurm.jobs import Job
from portal.slurm.nodes import Node

#: Slurm's names for steps that do none of the job's own work.
_HOLDERS = ("extern", "interactive")


@dataclass(frozen=True, slots=True)
class SlurmRun:
    """One run of one job that got its resources; an array task is a job."""

    job_id: int
    user: str
    account: str
    partition: str
    gpu_type: str
    gpus: int
    cpus: int
    wait_s: int | None
    started_at: datetime
    ended_at: datetime | None
    """None while it runs."""
    cpu_used_s: int | None = None
    gpu_percent: float | None = None


class GpuTypes:
    """GPU types by node, for accounting that does not record them; empty if a node has several."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._types = {
            node.name: kinds.pop() for node in nodes if len(kinds := {gpu.type for gpu in node.gpus if gpu.type}) == 1
        }

    def of(self, nodes: str) -> str:
        names = hostlist.expand(nodes)
        return self._types.get(names[0], "") if names else ""


def of_queue(jobs: Iterable[Job]) -> list[SlurmRun]:
    """Return what the jobs of a snapshot hold or have held; pending jobs hold nothing."""
    uses = []
    for job in jobs:
        if job.started_at is None or job.state.waits or not job.nodes:
            continue
        uses.append(
            SlurmRun(
                job_id=job.id,
                user=job.user,
                account=job.account,
                partition=job.partition,
                gpu_type=(job.gpu_type or "") if job.gpus else "",
                gpus=job.gpus,
                cpus=job.cpus,
                wait_s=_wait(job.eligible_at or job.submitted_at, job.started_at),
                started_at=job.started_at,
                ended_at=(job.ends_at or job.started_at) if job.state.is_over else None,
            )
        )
    return uses


def of_accounting(output: str, types: GpuTypes) -> list[SlurmRun]:
    """Parse `queries.job_runs`; skips lines that are not records and jobs that never got resources."""
    return [spent for rows in _lives(output) if (spent := _run(rows, types)) is not None]


def stamp(moment: datetime) -> str:
    """Format a moment as sacct reads it under TZ=UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _lives(output: str) -> Iterator[list[dict[str, str]]]:
    """Group lines: a job's own, then those of its steps. A requeued job has a group for each run."""
    life: list[dict[str, str]] = []
    for line in output.splitlines():
        values = line.split(queries.SEPARATOR)
        if len(values) != len(queries.SPENT_FIELDS):
            continue
        row = dict(zip(queries.SPENT_FIELDS, values, strict=True))
        job_id, dot, _ = row["JobIDRaw"].partition(".")
        if not dot:
            if life:
                yield life
            life = [row]
        elif life and life[0]["JobIDRaw"] == job_id:
            life.append(row)
    if life:
        yield life


def _run(rows: list[dict[str, str]], types: GpuTypes) -> SlurmRun | None:
    job, steps = rows[0], rows[1:]
    job_id, started = parse.number(job["JobIDRaw"]), parse.when(job["Start"])
    held = parse.tres(job["AllocTRES"])
    cpus = parse.number(held.get("cpu", ""))
    if job_id is None or started is None or not cpus:
        return None
    ended = parse.when(job["End"])
    counts = parse.gpu_counts(job["AllocTRES"])
    gpus = counts.get("") or sum(counts.values())
    named = next((kind for kind in counts if kind), "")
    working = [step for step in steps if step["JobIDRaw"].partition(".")[2] not in _HOLDERS]
    return SlurmRun(
        job_id=job_id,
        user=job["User"],
        account=job["Account"],
        partition=job["Partition"],
        gpu_type=(named or types.of(job["NodeList"])) if gpus else "",
        gpus=gpus,
        cpus=cpus,
        wait_s=_wait(parse.when(job["Eligible"]) or parse.when(job["Submit"]), started),
        started_at=started,
        ended_at=ended,
        cpu_used_s=_whole(parse.cpu_s(job["TotalCPU"])) if working and ended else None,
        gpu_percent=_gpu_percent(working) if gpus else None,
    )


def _gpu_percent(steps: list[dict[str, str]]) -> float | None:
    """Return how busy the GPUs were, if Slurm measures it: the value of the busiest step."""
    values = (parse.tres(step["TRESUsageInAve"]).get("gres/gpuutil") for step in steps)
    known = [min(100.0, float(value)) for value in values if value and value.replace(".", "", 1).isdigit()]
    return max(known, default=None)


def _wait(since: datetime | None, started: datetime) -> int | None:
    return None if since is None else max(0, int((started - since).total_seconds()))


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
