"""What a snapshot of Slurm costs through Slurm's commands and through pyslurm: wall time, CPU, requests to slurmctld.

Both read one real cluster with a Slurm that pyslurm fits (./dev pyslurm installs it in a folder), with queues of
several lengths, in its own namespaces. Unless both snapshots are equal, nothing is reported.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.testbed import report
from bench.testbed.report import Spread

CLONE = Path(__file__).resolve().parents[1]
ROOT = CLONE / ".cache" / "pyslurm"
#: Where the measured code lies in that folder.
MEASURED = "opt/measured"
INSIDE = "PORTAL_BENCH_CLIENT"
PARTS = ("jobs", "partitions", "picture")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench client", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("--times", type=int, default=10, help="readings of each kind (default: 10)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[10, 300, 1000], help="lengths of the queue, rising")
    options = parser.parse_args(argv)
    if INSIDE in os.environ:
        print(json.dumps(inside(options.jobs, options.times)))
        return 0
    if not ROOT.exists():
        parser.error("there is no Slurm here that pyslurm fits: ./dev pyslurm")
    load = os.getloadavg()
    result = outside(options.jobs, options.times)
    show(result)
    report.write(options.json, result | {"machine": report.machine(load)})
    return 0


def outside(lengths: Sequence[int], times: int) -> dict[str, Any]:
    """Copy the measured code into the folder, and measure it in its own namespaces."""
    there = ROOT / MEASURED
    shutil.rmtree(there, ignore_errors=True)
    for package in ("portal", "bench"):
        shutil.copytree(CLONE / package, there / package, ignore=shutil.ignore_patterns("__pycache__"))
    argv = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", sys.executable, __file__]
    argv += ["--times", str(times), "--jobs", *map(str, lengths)]
    # The recorder's cluster reads its folder from its own variable.
    env = {**os.environ, INSIDE: "1", "PORTAL_RECORDING": str(ROOT), "PYTHONPATH": str(CLONE)}
    done = subprocess.run(argv, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def inside(lengths: Sequence[int], times: int) -> dict[str, Any]:
    sys.path.insert(0, str(CLONE / "tests" / "recorded"))
    cluster = importlib.import_module("record")
    cluster.prepare()
    cluster.start()
    results: dict[str, Any] = {}
    there = 0
    for length in lengths:
        for number in range(there, length):
            cluster.sh(
                *("sbatch", "--hold", "--gpus-per-node=v100:1", "--cpus-per-task=8", "--mem=48G", "--time=480"),
                *(f"--job-name=dsp-{number:012d}", "--chdir=/tmp", "--wrap=sleep 900"),
                user="alice",
            )
        there = length
        python = ["/opt/pyslurm/bin/python", "-m", "bench.testbed.client_cost", str(times)]
        env = {**cluster.ENV, "PYTHONPATH": f"/{MEASURED}"}
        done = subprocess.run(python, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        results[str(length)] = json.loads(done.stdout.splitlines()[-1])
        if not results[str(length)]["equal"]:
            raise SystemExit("The snapshots are not equal.")
    return {"slurm": cluster.version(), "queues": results}


def show(result: dict[str, Any]) -> None:
    print(f"Slurm {result['slurm']}; median of wall and CPU in ms, requests to slurmctld")
    print(f"{'jobs':>8} {'reading':12} {'by':10} {'wall':>8} {'CPU':>8} {'requests':>9} {'first':>8}")
    for length, by in result["queues"].items():
        for part in PARTS:
            for client in ("commands", "pyslurm"):
                outcome = by[client][part]
                wall, cpu = (Spread(tuple(outcome[key])).median for key in ("wall_ms", "cpu_ms"))
                print(
                    f"{length:>8} {part:12} {client:10} {wall:8.1f} {cpu:8.1f} {outcome['requests']:9.1f}"
                    f" {outcome['first_ms']:8.1f}"
                )


if __name__ == "__main__":
    sys.exit(main())
