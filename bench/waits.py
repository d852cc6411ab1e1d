"""How often a start lies in the range that the form says: four simulated weeks to learn from, and one to predict.

A cluster of nodes with four GPUs each, with backfill as Slurm does it, users who come by day and rarely on Sundays, ask
for longer than they need, and send some jobs in dozens. Every request of the last week that must wait is asked about.
"""

from __future__ import annotations

import argparse
import heapq
import os
import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.testbed import report
from portal.placement.waits import PastJob, probable
from portal.usage.waits import MOST_JOBS

HOUR, DAY, WEEK = 3600, 86_400, 604_800
NODE_GPUS = 4
SIZES = ((1, 0.6), (2, 0.2), (4, 0.2))
LIMITS_S = ((1 * HOUR, 0.3), (4 * HOUR, 0.25), (8 * HOUR, 0.3), (24 * HOUR, 0.15))
LENGTHS = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, 1000))


@dataclass(slots=True)
class Job:
    submitted: int
    gpus: int
    limit: int
    runs: int
    node: int = -1
    started: int = -1


def requests(chance: random.Random, nodes: int, load: float) -> list[Job]:
    """Draw five weeks of requests that keep this share of the GPUs busy."""
    mean = sum(size * share for size, share in SIZES) * sum(limit * share for limit, share in LIMITS_S) * 0.45
    each_s = mean / (nodes * NODE_GPUS * load)
    results, at = [], 0.0
    while at < 5 * WEEK:
        at += chance.expovariate(1 / each_s)
        hour, day = at % DAY / HOUR, at // DAY % 7
        busy = (1.7 if 9 <= hour < 19 else 0.5) * (0.5 if day >= 5 else 1.2)
        if chance.random() > busy / 2.04:
            at -= each_s * (1 - 1 / 2.04) * 0.9
            continue
        gpus = _drawn(chance, SIZES)
        limit = _drawn(chance, LIMITS_S)
        for _ in range(chance.randint(6, 24) if chance.random() < 0.02 else 1):
            runs = int(limit * min(1.0, chance.lognormvariate(-1.1, 0.9)))
            results.append(Job(int(at), gpus, limit, max(30, runs)))
    return results


def _drawn(chance: random.Random, shares: tuple[tuple[int, float], ...]) -> int:
    return chance.choices([value for value, _ in shares], [share for _, share in shares])[0]


class Cluster:
    """First come, first served, and backfill: a later job starts if it does not delay the first one by its limit."""

    def __init__(self, nodes: int) -> None:
        self.free = [NODE_GPUS] * nodes
        self.queue: list[Job] = []
        self.running: list[tuple[int, int, Job]] = []
        self._serial = 0

    def until(self, now: int) -> list[Job]:
        """End what ends until then, and start what can; return what started."""
        began = []
        while self.running and self.running[0][0] <= now:
            at = self.running[0][0]
            while self.running and self.running[0][0] == at:
                job = heapq.heappop(self.running)[2]
                self.free[job.node] += job.gpus
            began += self.place(at)
        return began

    def place(self, now: int) -> list[Job]:
        began: list[Job] = []
        first: tuple[int, int] | None = None
        for job in list(self.queue):
            node = next((at for at, free in enumerate(self.free) if free >= job.gpus), None)
            if first is None and node is None:
                first = self._plan(job)
                continue
            if first is not None:
                when, kept = first
                nodes = [at for at, free in enumerate(self.free) if free >= job.gpus]
                nodes = [at for at in nodes if at != kept or now + job.limit <= when]
                node = nodes[0] if nodes else None
            if node is None:
                continue
            self.queue.remove(job)
            self.free[node] -= job.gpus
            job.node, job.started = node, now
            self._serial += 1
            heapq.heappush(self.running, (now + job.runs, self._serial, job))
            began.append(job)
        return began

    def _plan(self, job: Job) -> tuple[int, int]:
        """Return when, by time limits, and on which node the first job in line will find room."""
        plans = []
        for node, free in enumerate(self.free):
            ends = sorted((job.started + job.limit, job.gpus) for _, _, job in self.running if job.node == node)
            for end, gpus in ends:
                free += gpus
                if free >= job.gpus:
                    plans.append((end, node))
                    break
        return min(plans)


def week(seed: int, nodes: int, load: float) -> tuple[dict[tuple[int, int], list[bool]], int, list[float]]:
    """Return by length of the queue whether each start lay in the range, how many were not predicted, and widths."""
    chance = random.Random(seed)  # noqa: S311 - a reproducible simulation
    cluster, past, asked = Cluster(nodes), [], []
    for job in requests(chance, nodes, load):
        past += [PastJob(job.submitted, job.started, job.gpus) for job in cluster.until(job.submitted)]
        ahead = len(cluster.queue)
        cluster.queue.append(job)
        began = cluster.place(job.submitted)
        past += [PastJob(job.submitted, job.started, job.gpus) for job in began]
        if job not in began and job.submitted >= 4 * WEEK:
            asked.append((job, ahead, probable(past[-MOST_JOBS:], job.gpus, ahead)))
    cluster.until(100 * WEEK)
    hits: dict[tuple[int, int], list[bool]] = defaultdict(list)
    widths, unknown = [], 0
    for job, ahead, value in asked:
        if value is None:
            unknown += 1
            continue
        length = next(length for length in LENGTHS if length[0] <= ahead <= length[1])
        hits[length].append(value.least_s <= job.started - job.submitted <= value.most_s)
        widths.append((value.most_s - value.least_s) / 60)
    return hits, unknown, widths


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench waits", description=__doc__)
    parser.add_argument("--weeks", type=int, default=5, help="simulated weeks, each with its own past (default: 5)")
    parser.add_argument("--nodes", type=int, default=8, help="nodes of four GPUs (default: 8)")
    parser.add_argument("--load", type=float, default=0.85, help="share of the GPUs asked for (default: 0.85)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    options = parser.parse_args()
    load_before = os.getloadavg()
    hits: dict[tuple[int, int], list[bool]] = defaultdict(list)
    unknown, widths = 0, []
    for seed in range(options.weeks):
        results, silent, wide = week(seed, options.nodes, options.load)
        for length, those in results.items():
            hits[length] += those
        unknown += silent
        widths += wide
    every = [value for those in hits.values() for value in those]
    for length in LENGTHS:
        if length in hits:
            those = hits[length]
            name = f"{length[0]}" if length[0] == length[1] else f"{length[0]} – {length[1]}"
            print(f"{name:>10} ahead: {sum(those):5} of {len(those):5} ({sum(those) / len(those):.0%})")
    share = sum(every) / len(every)
    middle = sorted(widths)[len(widths) // 2]
    print(
        f"In the range: {share:.1%} of {len(every)}; nothing was said of {unknown}. Half the ranges < {middle:.0f} min."
    )
    by_length = {f"{low}-{high}": [sum(those), len(those)] for (low, high), those in sorted(hits.items())}
    figures = {"share": share, "by_length": by_length, "unknown": unknown, "median_width_min": middle}
    if options.json:
        report.write(options.json, report.machine(load_before) | figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
