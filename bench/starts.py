"""Of the requests that the form calls "starts now", how many start within 10 s: random clusters, a real slurmctld each.

Of each cluster one claim is tried, drawn among what the form would say for random requests: that a request starts now,
or that an alternative to it does.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.testbed import report
from bench.testbed.random_cluster import RandomSlurm
from portal.placement.alternatives import alternatives
from portal.placement.starts import starts
from portal.placement.view import cluster_view
from portal.policy.request import ResourceRequest, Resources
from portal.policy.resolve import consider
from portal.policy.view import UserView
from portal.settings import Policy
from portal.slurm.snapshot import Snapshot

WITHIN_S = 10.0
#: Requests to draw on one cluster before the next cluster is tried: on a full one nothing starts now.
MOST_ASKS = 40
USER = UserView("root")
POLICY = Policy(max_nodes=4, max_gpus=64)


@dataclass(frozen=True)
class Claim:
    kind: str
    """`asked` or `alternative`."""
    resources: Resources
    text: str


@dataclass(frozen=True)
class Outcome:
    seed: int
    claim: Claim | None
    after_s: float | None = None
    why: str = ""


def claims(ask: ResourceRequest, snapshot: Snapshot) -> Iterator[Claim]:
    """What the form says starts now, for one request."""
    cluster, now = cluster_view(snapshot), datetime.now(UTC)
    asked, problems = consider(ask, USER, cluster, POLICY)
    if asked is None:
        return
    if not problems and starts(asked, snapshot, USER, now)[0] == "now":
        yield Claim("asked", asked, "")
        return
    for alternative in alternatives(
        ask,
        asked,
        complete=lambda request: request,
        user=USER,
        cluster=cluster,
        policy=POLICY,
        snapshot=snapshot,
        now=now,
    ):
        yield Claim("alternative", alternative.resources, alternative.text)


def tried(seed: int, folder: Path) -> Outcome:
    """Build the cluster of this seed, and try one claim on it."""
    chance = random.Random(seed)  # noqa: S311 - reproducible clusters
    with RandomSlurm(folder, chance).running() as slurm:
        assert isinstance(slurm, RandomSlurm)
        slurm.fill()
        snapshot = slurm.look()
        kinds: dict[str, list[Claim]] = {"asked": [], "alternative": []}
        for _ in range(MOST_ASKS):
            for claim in claims(slurm.ask(), snapshot):
                kinds[claim.kind].append(claim)
        alternative = kinds["alternative"] if kinds["alternative"] and chance.random() < 0.75 else kinds["asked"]
        results = alternative or kinds["alternative"]
        if not results:
            return Outcome(seed, None)
        claim = chance.choice(results)
        try:
            job = slurm.submit_one(claim.resources)
        except RuntimeError as refused:
            return Outcome(seed, claim, None, f"refused: {refused}")
        after_s = slurm.started(job, WITHIN_S)
        why = "" if after_s is not None else slurm.run("squeue", "-h", "-j", job, "-o", "%t %r").strip()
        return Outcome(seed, claim, after_s, why)


def outcomes(first: int, count: int, at_once: int, folder: Path) -> Iterator[Outcome]:
    """Yield the outcomes of as many clusters on which something is said to start now."""

    def one(seed: int) -> Outcome:
        own = folder / str(seed)
        own.mkdir()
        return tried(seed, own)

    seed, number = first, 0
    with ThreadPoolExecutor(at_once) as pool:
        while number < count:
            batch = range(seed, seed + min(at_once * 4, max(at_once, count - number)))
            seed = batch.stop
            for outcome in pool.map(one, batch):
                number += outcome.claim is not None
                yield outcome


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench starts", description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="clusters on which something is tried (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="the first cluster's (default: 1)")
    parser.add_argument("--at-once", type=int, default=4, help="clusters at the same time (default: 4)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    options = parser.parse_args()
    load_before = os.getloadavg()
    counts: Counter[tuple[str, bool]] = Counter()
    empty, failures, waits = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        for outcome in outcomes(options.seed, options.n, options.at_once, Path(folder)):
            if outcome.claim is None:
                empty += 1
                continue
            counts[outcome.claim.kind, outcome.after_s is not None] += 1
            if outcome.after_s is None:
                failures.append(f"seed {outcome.seed}: {outcome.claim}: {outcome.why}")
                print(failures[-1], flush=True)
            else:
                waits.append(outcome.after_s)
    total = sum(counts.values())
    share = len(waits) / total
    for kind in ("asked", "alternative"):
        print(f"{kind:12} {counts[kind, True]} of {counts[kind, True] + counts[kind, False]} started")
    print(f"{'all':12} {len(waits)} of {total} ({share:.1%}) within {WITHIN_S:.0f} s, the slowest {max(waits):.1f} s")
    print(f"On {empty} more clusters, nothing was said to start now.")
    if options.json:
        figures = {"started": len(waits), "claims": total, "share": share, "empty": empty, "failures": failures}
        report.write(options.json, report.machine(load_before) | figures)
    return 0 if share >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
