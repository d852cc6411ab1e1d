"""How long a notebook takes from request to ready: this portal, batchspawner and sbatch by hand, in alternation.

All three start a server for the same user, with the same resources, on the same Slurm, on an otherwise idle machine;
each server and its job are gone before the next is requested. `--trace` shows instead where one start of ours spends
its time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from bench.peers import Peer, breakdown
from bench.peers.batchspawner import batchspawner
from bench.peers.by_hand import ByHand, Server
from bench.peers.portal import PortalPeer
from bench.testbed import report
from bench.testbed.report import Spread
from bench.testbed.site import Resources, jobs_left, run_inside, testbed, warn_of_load
from tests.demo_site import DemoSite

USER = "alice"
SLURMS_TICK_S = 1.0
"""slurmctld places what sbatch submits once a second; pauses of random length up to that keep us out of its step."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench spawn", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write medians, ratios and all samples there")
    parser.add_argument("-n", type=int, default=10, help="starts of each (default: 10)")
    parser.add_argument("--site", type=Path, metavar="FOLDER", help="a running demo site (default: a fresh one)")
    parser.add_argument("--trimmed", action="store_true", help="let batchspawner have our trimmed environment")
    parser.add_argument("--trace", action="store_true", help="only show where one start of ours spends its time")
    options = parser.parse_args(argv)
    load = os.getloadavg()
    warn_of_load()
    with testbed(options.site) as site:
        if options.trace:
            portal = PortalPeer(site, Resources(), USER)
            _turn(site, portal)
            print(breakdown.trace(site, portal))
            _end(site, portal)
            return 0
        samples = _compare(site, options.n, trimmed=options.trimmed)
        slurm = run_inside(site, "sinfo", "--version").strip()
    result = _result(samples, options.n) | {
        "batchspawner_environment": "trimmed as ours" if options.trimmed else "as pip installs it",
        "versions": {"slurm": slurm, "jupyterhub": version("jupyterhub"), "batchspawner": "1.3.0"},
        "machine": report.machine(load),
    }
    _show(result, samples)
    report.write(options.json, result)
    return 0


def _compare(site: DemoSite, n: int, *, trimmed: bool) -> dict[str, Spread]:
    """Start each `n` times in alternation, after one warm-up start each."""
    resources = Resources()
    with contextlib.ExitStack() as stack:
        portal = PortalPeer(site, resources, USER)
        peer = stack.enter_context(batchspawner(site, resources, USER, trimmed=trimmed))
        portal.start()
        by_hand = ByHand(site, resources, USER, Server.of_session(site, portal.base_url))
        _end(site, portal)
        contestants: list[Peer] = [portal, peer, by_hand]
        for contestant in contestants[1:]:
            _turn(site, contestant)
        taken: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
        for turn in range(1, n + 1):
            for contestant in contestants:
                taken[contestant.name].append(_turn(site, contestant))
            shown = "   ".join(f"{name} {times[-1]:.2f} s" for name, times in taken.items())
            print(f"{turn:3}/{n}   {shown}", flush=True)
    return {name: Spread(tuple(times)) for name, times in taken.items()}


def _turn(site: DemoSite, contestant: Peer) -> float:
    time.sleep(random.uniform(0, SLURMS_TICK_S))  # noqa: S311 - to spread load, not for security
    took = contestant.start()
    _end(site, contestant)
    return took


def _end(site: DemoSite, contestant: Peer) -> None:
    contestant.stop()
    site.wait_for(lambda: not jobs_left(site), f"the job of {contestant.title} to be gone", timeout_s=60)


def _result(samples: dict[str, Spread], n: int) -> dict[str, object]:
    portal, peer, by_hand = (samples[name].median for name in ("portal", "batchspawner", "by_hand"))
    return {
        "portal_median_s": round(portal, 3),
        "batchspawner_median_s": round(peer, 3),
        "by_hand_median_s": round(by_hand, 3),
        "ratio_batchspawner": round(portal / peer, 3),
        "ratio_by_hand": round(portal / by_hand, 3),
        "n": n,
        "samples": {name: spread.as_json() for name, spread in samples.items()},
    }


def _show(result: dict[str, object], samples: dict[str, Spread]) -> None:
    print("\nseconds from asking to ready   median   min – max")
    for name, spread in samples.items():
        print(f"  {name:27} {spread}")
    print(f"\nportal / batchspawner  {result['ratio_batchspawner']}")
    print(f"portal / by hand       {result['ratio_by_hand']}")


if __name__ == "__main__":
    raise SystemExit(main())
