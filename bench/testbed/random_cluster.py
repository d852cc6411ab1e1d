"""Small clusters at random, each a real slurmctld without nodes behind it, with running and waiting jobs."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.testbed.big_slurm import SCRIPT, RealSlurm
from portal.policy.request import ResourceRequest, Resources
from portal.settings import Slurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.snapshot import Reach, Snapshot

CPUS, MEMORY_MIB = 40, 256_000
GPUS = {"v100": 4, "a100": 2}
#: Longer than two rounds of placing jobs (sched_interval below).
QUIET_S = 3.0
SETTLED_WITHIN_S = 60
STARTED = ("CF", "R", "CG")


@dataclass(frozen=True)
class Shape:
    """Which nodes there are, with which GPUs, and in which partitions."""

    gpus: tuple[str, ...]
    """By node; empty: none."""
    main: tuple[int, ...]
    debug: tuple[int, ...]
    spare: tuple[int, ...]
    debug_tier: int


def shape(chance: random.Random) -> Shape:
    count = chance.randint(3, 7)
    nodes = range(count)
    gpus = tuple(chance.choice(("v100", "v100", "v100", "a100", "")) for _ in nodes)
    main = tuple(nodes) if chance.random() < 0.6 else tuple(sorted(chance.sample(nodes, count - 1)))

    def some() -> tuple[int, ...]:
        return tuple(sorted(chance.sample(nodes, chance.randint(1, count))))

    return Shape(gpus, main, some(), some(), chance.choice((1, 10)))


class RandomSlurm(RealSlurm):
    scheduler = "batch_sched_delay=0,sched_interval=1,bf_interval=5"

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.chance = chance
        self.shape = shape(chance)
        super().__init__(folder, len(self.shape.gpus))

    def gres(self, folder: Path) -> str:
        return "".join(
            f"NodeName=n{at} Name=gpu Type={kind} File={folder}/nvidia[0-{GPUS[kind] - 1}]\n"
            for at, kind in enumerate(self.shape.gpus)
            if kind
        )

    def cluster(self) -> str:
        shape = self.shape
        nodes = [
            f"NodeName=n{at} CPUs={CPUS} RealMemory={MEMORY_MIB} State=CLOUD"
            + (f" Gres=gpu:{kind}:{GPUS[kind]}" if kind else "")
            for at, kind in enumerate(shape.gpus)
        ]
        partitions = [
            f"PartitionName=main Nodes={_names(shape.main)} Default=YES MaxTime=2-00:00:00",
            f"PartitionName=debug Nodes={_names(shape.debug)} MaxTime=00:30:00 PriorityTier={shape.debug_tier}",
            f"PartitionName=spare Nodes={_names(shape.spare)} MaxTime=08:00:00",
        ]
        return "".join(f"{line}\n" for line in (*nodes, *partitions))

    def fill(self) -> None:
        """Drain, reserve and use nodes at random; some states have jobs that wait."""
        chance = self.chance
        nodes = range(len(self.shape.gpus))
        for at in nodes:
            if chance.random() < 0.12:
                self.run("scontrol", "update", f"nodename=n{at}", "state=drain", "reason=repair")
        for _ in range(chance.choice((0, 0, 1, 2))):
            self.reserve(chance.sample(nodes, chance.randint(1, len(nodes))))
        for _ in range(chance.randint(0, 3 * len(nodes))):
            self.queue(self.ask(), chance.choice((None, None, "spare,main")))
            self.settle_briefly()
            if chance.random() < 0.8:
                self.cancel_waiting()
        self.settled()

    def reserve(self, nodes: list[int]) -> None:
        chance = self.chance
        begins = chance.choice(("now", f"now+{chance.randint(20, 600)}minutes"))
        self.run(
            *("scontrol", "create", "reservation", f"starttime={begins}", f"duration={chance.randint(60, 600)}"),
            *("users=daemon", f"nodes={_names(nodes)}", "flags=ignore_jobs,overlap"),
        )

    def ask(self) -> ResourceRequest:
        chance = self.chance
        gpus = chance.choice((0, 1, 1, 2, 2, 3, 4))
        return ResourceRequest(
            partition=chance.choice(("main", "main", "main", "spare", "debug")),
            nodes=chance.choice((1, 1, 1, 1, 2)),
            gpus=gpus,
            gpu_type=chance.choice((None, None, "v100", "a100")) if gpus else None,
            cpus=chance.choice((None, None, None, 4, 20)),
            memory_mib=chance.choice((None, None, None, 8_000, 150_000)),
            walltime_s=60 * chance.choice((20, 30, 60, 240, 480, 1440)),
        )

    def queue(self, ask: ResourceRequest, partition: str | None = None) -> str | None:
        """Submit a job of that size; None if Slurm refuses it."""
        gpus = ask.gpus or 0
        resources = Resources(
            partition=partition or ask.partition or "main",
            account=None,
            qos=None,
            reservation=None,
            nodes=ask.nodes or 1,
            gpus=gpus,
            gpu_type=ask.gpu_type,
            cpus=ask.cpus or gpus * 8 or 2,
            memory_mib=ask.memory_mib or gpus * 49_152 or 8_192,
            walltime_s=ask.walltime_s or 3600,
        )
        try:
            return self.submit_one(resources)
        except RuntimeError:
            return None

    def submit_one(self, resources: Resources) -> str:
        """Submit it with the options that the door uses. Raises RuntimeError if Slurm refuses it."""
        kind = f"{resources.gpu_type}:" if resources.gpu_type else ""
        return self.run(
            *("sbatch", "--parsable", "--chdir=/", "--output=/dev/null"),
            *(f"--nodes={resources.nodes}", f"--ntasks={resources.nodes}", f"--cpus-per-task={resources.cpus}"),
            *(f"--mem={resources.memory_mib}M", f"--time={-(-resources.walltime_s // 60)}"),
            f"--partition={resources.partition}",
            *(["--ntasks-per-node=1"] if resources.nodes > 1 else []),
            *([f"--gres=gpu:{kind}{resources.gpus}"] if resources.gpus else []),
            stdin=SCRIPT,
        ).strip()

    def cancel_waiting(self) -> None:
        self.run("scancel", "--state=PENDING", "--user=root")

    def settle_briefly(self) -> None:
        self._while(lambda states: any(reason == "None" for _, _, reason in states), within_s=4)

    def settled(self) -> None:
        """Wait until Slurm has looked at every job and places no more."""
        deadline = time.monotonic() + SETTLED_WITHIN_S
        before, since = self.states(), time.monotonic()
        while time.monotonic() < deadline:
            time.sleep(0.2)
            if (states := self.states()) != before:
                before, since = states, time.monotonic()
            elif time.monotonic() - since > QUIET_S:
                return

    def _while(self, unsettled: object, within_s: float) -> None:
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline and unsettled(self.states()):  # type: ignore[operator]
            time.sleep(0.1)

    def states(self) -> list[tuple[str, str, str]]:
        lines = self.run("squeue", "-h", "-a", "-o", "%i %t %r").splitlines()
        return sorted((job, state, reason) for job, state, reason in (line.split(" ", 2) for line in lines))

    def started(self, job: str, within_s: float) -> float | None:
        """Return after how many seconds the job got its nodes; None if it did not."""
        begun = time.monotonic()
        while time.monotonic() - begun < within_s:
            if self.run("squeue", "-h", "-j", job, "-o", "%t").strip() in STARTED:
                return time.monotonic() - begun
            time.sleep(0.1)
        return None

    def look(self) -> Snapshot:
        """Read it as the portal does."""
        return asyncio.run(self._look())

    async def _look(self) -> Snapshot:
        client = SlurmCommands(Slurm(conf=self.conf))
        now = datetime.now(UTC)
        return Snapshot(
            jobs={job.id: job for job in await client.jobs()},
            nodes=tuple(await client.nodes()),
            partitions=tuple(await client.partitions()),
            reservations=tuple(await client.reservations()),
            jobs_as_of=now,
            nodes_as_of=now,
            partitions_as_of=now,
            reservations_as_of=now + timedelta(0),
            state=Reach.UP,
        )


def _names(nodes: tuple[int, ...] | list[int]) -> str:
    return ",".join(f"n{at}" for at in nodes)
