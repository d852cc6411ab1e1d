"""Clusters of any size in Slurm's output format, for tests and benchmarks, without a Slurm.

The text is that of `queries.jobs`, `queries.nodes`, `queries.partitions` and `queries.places` on Slurm 22.05, and it is
consistent: a running job's GPUs are in use on its nodes, at the indices in the job's details.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from portal.slurm.queries import SEPARATOR

BEGIN = datetime(2026, 11, 21, 8, tzinfo=UTC)
TYPES = ("v100", "a100", "h100")
PER_RACK = 32
CPUS, MEMORY_MIB = 64, 512_000
CPUS_PER_GPU, MEMORY_PER_GPU = 8, 49_152
USERS = 200


@dataclass
class Node:
    number: int
    gpus: int
    kind: str
    rack: int
    state: str = "IDLE"
    reason: str = ""
    holds: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """GPU indices by job."""

    @property
    def name(self) -> str:
        return f"node{self.number:05d}"

    @property
    def free(self) -> list[int]:
        taken = {index for indices in self.holds.values() for index in indices}
        return [index for index in range(self.gpus) if index not in taken]

    def line(self) -> str:
        used = sorted(index for indices in self.holds.values() for index in indices)
        base = "ALLOCATED" if len(used) == self.gpus else "MIXED" if used else "IDLE"
        state = base if self.state == "IDLE" else f"{base}{self.state}" if self.state[0] == "+" else self.state
        where = f"{indices(used) if used else 'N/A'}"
        cpus, memory = len(used) * CPUS_PER_GPU, len(used) * MEMORY_PER_GPU
        reason = f" Reason={self.reason} [root@2026-11-21T10:00:00]" if self.reason else ""
        return (
            f"NodeName={self.name} Arch=x86_64 CoresPerSocket=32  CPUAlloc={cpus} CPUEfctv={CPUS} CPUTot={CPUS}"
            f" CPULoad={len(used) * 1.37:.2f} AvailableFeatures={self.kind},rack{self.rack:02d}"
            f" ActiveFeatures={self.kind},rack{self.rack:02d} Gres=gpu:{self.kind}:{self.gpus}(S:0-1) GresDrain=N/A"
            f" GresUsed=gpu:{self.kind}:{len(used)}(IDX:{where}) NodeAddr={self.name} NodeHostName={self.name}"
            " Port=6818 Version=22.05.8 OS=Linux 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1"
            f"  RealMemory={MEMORY_MIB} AllocMem={memory} FreeMem=10490 Sockets=2 Boards=1 State={state}"
            f" ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A Partitions={self.kind},all"
            "  BootTime=2026-11-20T11:30:20 SlurmdStartTime=2026-11-20T11:31:07 LastBusyTime=2026-11-21T12:49:07"
            f" CfgTRES=cpu={CPUS},mem=500G,billing={CPUS},gres/gpu={self.gpus}"
            f" AllocTRES=cpu={cpus},mem={memory}M,gres/gpu={len(used)} CapWatts=n/a CurrentWatts=0 AveWatts=0"
            f" ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s{reason}"
        )


@dataclass
class Job:
    id: int
    user: str
    kind: str
    gpus: int
    state: str = "PENDING"
    reason: str = "Priority"
    node: Node | None = None
    name: str = ""
    started: datetime | None = None
    hours: int = 8

    def fields(self) -> str:
        submitted = BEGIN + timedelta(seconds=self.id % 7200)
        ends = self.started + timedelta(hours=self.hours) if self.started else None
        cpus, memory = self.gpus * CPUS_PER_GPU, self.gpus * MEMORY_PER_GPU
        return SEPARATOR.join(
            (
                *(str(self.id), str(self.id), "N/A", self.user, f"acc{self.id % 9}", self.kind, "normal"),
                *(self.state, self.reason, self.node.name if self.node else "", "1", str(cpus)),
                *(stamp(submitted), stamp(submitted), stamp(self.started), stamp(ends), f"{self.hours}:00:00"),
                *(str(4_000_000_000 - self.id), "(null)", "0"),
                f"cpu={cpus},mem={memory}M,node=1,billing={cpus},gres/gpu={self.gpus},gres/gpu:{self.kind}={self.gpus}",
                *("N/A", f"gres:gpu:{self.kind}:{self.gpus}"),
            )
        )

    def details(self) -> str:
        """Return one line of `scontrol --detail --oneliner show job`, shortened before and after the relevant part."""
        assert self.node is not None
        held = self.node.holds[self.id]
        return (
            f"JobId={self.id} JobName={self.name} UserId={self.user}(10001) GroupId=users(100) MCS_label=N/A"
            f" Priority=1 Nice=0 Account=acc QOS=normal JobState=RUNNING Reason=None Dependency=(null)"
            f" NodeList={self.node.name} BatchHost={self.node.name} NumNodes=1 NumCPUs={len(held) * CPUS_PER_GPU}"
            f"   JOB_GRES=gpu:{self.kind}:{len(held)}     Nodes={self.node.name} CPU_IDs=0-7 Mem=98304"
            f" GRES=gpu:{self.kind}:{len(held)}(IDX:{indices(list(held))}) MinCPUsNode=8 Command=(null) WorkDir=/home"
        )


class Cluster:
    """`nodes` nodes with `gpus` GPUs each, and `jobs` jobs: as many as fit run, a few have ended, the others wait."""

    def __init__(self, *, nodes: int, jobs: int, gpus: int = 8, seed: int = 1) -> None:
        self._random = Random(seed)  # noqa: S311  (it must be the same cluster each time)
        self.nodes = [Node(n + 1, gpus, TYPES[n * len(TYPES) // nodes], n // PER_RACK) for n in range(nodes)]
        for node in self.nodes:
            chance = self._random.random()
            if chance < 0.01:
                node.state, node.reason = "DOWN*", "Not responding"
            elif chance < 0.03:
                node.state, node.reason = "+DRAIN", "ECC errors on GPU 3"
        self.jobs: dict[int, Job] = {}
        self._next = 1000
        for _ in range(jobs):
            self.submit()
        self.start(most=jobs * 9 // 10)
        for job in list(self.jobs.values())[: jobs // 50]:
            self.end(job)

    def submit(self, user: str | None = None, *, name: str = "") -> Job:
        self._next += 1
        pick = self._random
        job = Job(
            self._next,
            user or f"user{pick.randrange(USERS):03d}",
            pick.choice(TYPES),
            pick.choice((1, 1, 1, 2, 2, 4, 8)),
            hours=pick.choice((1, 8, 24, 48)),
        )
        job.name = name or f"train-{job.id % 97}.sh"
        self.jobs[job.id] = job
        return job

    def start(self, *, most: int) -> list[Job]:
        """Start up to `most` waiting jobs where resources are free; return those that started."""
        room = {kind: [node for node in self.nodes if node.kind == kind and node.state == "IDLE"] for kind in TYPES}
        started = []
        for job in [job for job in self.jobs.values() if job.state == "PENDING"]:
            nodes = room[job.kind]
            while nodes and len(nodes[-1].free) < job.gpus:
                nodes.pop()
            if not nodes or len(started) == most:
                continue
            node = nodes[-1]
            job.node, job.state, job.reason = node, "RUNNING", "None"
            job.started = BEGIN + timedelta(hours=3, seconds=job.id % 3600)
            node.holds[job.id] = tuple(node.free[: job.gpus])
            started.append(job)
        return started

    def end(self, job: Job) -> None:
        if job.node is not None:
            job.node.holds.pop(job.id, None)
        job.state, job.reason = "COMPLETED", "None"
        job.started = job.started or BEGIN + timedelta(hours=1)

    def change(self, share: float) -> None:
        """End the given share of the running jobs, and start others in their place."""
        running = [job for job in self.jobs.values() if job.state == "RUNNING"]
        ending = self._random.sample(running, max(1, round(len(running) * share)))
        for job in ending:
            self.end(job)
        self.start(most=len(ending))

    def queue(self, mark: str) -> str:
        return "".join(f"{job.fields()}{mark}{job.name}{mark}(null){mark}\n" for job in self.jobs.values())

    def node_lines(self) -> str:
        return "\n".join(node.line() for node in self.nodes) + "\n"

    def places(self) -> str:
        running = (job for job in self.jobs.values() if job.state == "RUNNING")
        return "\n".join(job.details() for job in running) + "\n"

    def partition_lines(self) -> str:
        return "\n".join(self._partitions()) + "\n"

    def _partitions(self) -> Iterator[str]:
        for name in (*TYPES, "all"):
            nodes = [node.name for node in self.nodes if name in (node.kind, "all")]
            yield (
                f"PartitionName={name} AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL Default={yes(name == 'a100')}"
                f" DefaultTime=01:00:00 DisableRootJobs=NO Hidden=NO MaxNodes=UNLIMITED MaxTime=2-00:00:00"
                f" Nodes={','.join(nodes[:1])} PriorityTier=1 State=UP TotalCPUs={CPUS * len(nodes)}"
                f" TotalNodes={len(nodes)} MaxMemPerNode=UNLIMITED"
            )


def stamp(at: datetime | None) -> str:
    return "N/A" if at is None else at.strftime("%Y-%m-%dT%H:%M:%S")


def yes(value: bool) -> str:
    return "YES" if value else "NO"


def indices(numbers: list[int]) -> str:
    """Format numbers as Slurm does: `0-2,5`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ",".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)
