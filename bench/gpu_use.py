"""How near the agent's figures for GPUs are to a log of nvidia-smi, and what they cost: run on a machine with a GPU.

Needs PyTorch and nvidia-ml-py there, and nothing of the portal but `agent/job`: `python bench/gpu_use.py`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent.job.gpus import Gpus

INTERVAL_S = 30
LOADS = ("full", "duty", "notebook")
#: Both log every second: the first what the GPU did in the last fifth of it, the second its mean.
QUERY = ("nvidia-smi", "--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits", "-lms", "1000")
DMON = ("nvidia-smi", "dmon", "-s", "u", "-d", "1")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/gpu_use.py", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there")
    parser.add_argument("-n", type=int, default=3, help="intervals of each load (default: 3)")
    parser.add_argument("--load", nargs=2, metavar=("KIND", "SECONDS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        work(options.load[0], float(options.load[1]))
        return 0
    gpus = Gpus("0")
    results: dict[str, Any] = {load: compare(load, options.n, gpus) for load in LOADS}
    results["cpu_s_per_minute"] = {
        when: {count: cost(count, load) for count in (1, 8)} for when, load in (("idle", None), ("duty", "duty"))
    }
    print(json.dumps(results, indent=2))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2))
    return 0


def compare(load: str, intervals: int, gpus: Gpus) -> list[dict[str, float]]:
    """Return what the agent and nvidia-smi say of each interval under this load."""
    pynvml = importlib.import_module("pynvml")
    seconds = intervals * INTERVAL_S + 5
    loader = loading(load, seconds)
    query, dmon = Log(QUERY), Log(DMON)
    handle = pynvml.nvmlDeviceGetHandleByIndex(0) if gpus.read() else None
    query.rows(), dmon.rows()
    counter = pynvml.nvmlDeviceGetTotalEnergyConsumption(handle)
    before = gpus.read()[0]["energy_j"]
    results = []
    for _ in range(intervals):
        time.sleep(INTERVAL_S)
        (data,) = gpus.read()
        queried, logged = query.rows(), dmon.rows()
        counted = (pynvml.nvmlDeviceGetTotalEnergyConsumption(handle) - counter) / 1000
        results.append(
            {
                "agent_percent": data["utilization"],
                "dmon_percent": mean([float(row[1]) for row in logged]),
                "query_percent": mean([float(row[0].strip(",")) for row in queried]),
                "agent_memory_mib": data["memory_used_mib"],
                "query_memory_mib": float(queried[-1][1]),
                "agent_joules": data["energy_j"] - before,
                "counter_joules": round(counted),
                "power_w": data["power_w"],
                "power_peak_w": data["power_peak_w"],
            }
        )
        print(load, results[-1], flush=True)
    query.end()
    dmon.end()
    loader.kill()
    loader.wait()
    return results


def loading(load: str, seconds: int) -> subprocess.Popen[bytes]:
    """Start a load, and wait until CUDA has started: meanwhile the driver answers slowly."""
    loader = subprocess.Popen([sys.executable, __file__, "--load", load, str(seconds)], stdout=subprocess.PIPE)
    assert loader.stdout is not None
    loader.stdout.readline()
    return loader


class Log:
    """A program that prints a row each second."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._process = subprocess.Popen(argv, stdout=subprocess.PIPE, bufsize=0)
        assert self._process.stdout is not None
        self._stdout = self._process.stdout
        os.set_blocking(self._stdout.fileno(), False)

    def rows(self) -> list[list[str]]:
        """Return the rows since the last call."""
        lines = (self._stdout.read() or b"").decode().splitlines()
        return [line.split() for line in lines if line and not line.startswith("#")]

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 1) if values else float("nan")


def cost(count: int, load: str | None) -> float:
    """Return the CPU seconds that a minute of measuring `count` GPUs takes, under this load."""
    loader = loading(load, 150) if load else None
    gpus = Gpus(",".join(["0"] * count))
    gpus.read()
    began = time.process_time()
    for _ in range(4):
        time.sleep(INTERVAL_S)
        gpus.read()
        gpus.details(())
    took_s = (time.process_time() - began) / 2
    if loader:
        loader.kill()
        loader.wait()
    return round(took_s, 3)


def work(load: str, seconds: float) -> None:
    """Keep the GPU busy: all the time, 30 % of it, or now and then, as somebody in a notebook does."""
    torch: Any = importlib.import_module("torch")
    matrix = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    end = time.time() + seconds
    pick = random.Random(7)  # noqa: S311  (no secret)

    def busy(span: float) -> None:
        until = min(end, time.time() + span)
        while time.time() < until:
            for _ in range(10):
                matrix @ matrix
            torch.cuda.synchronize()

    busy(0.1)
    print("ready", flush=True)
    while time.time() < end:
        on, off = {"full": (seconds, 0.0), "duty": (1.11, 2.59)}.get(
            load, (pick.uniform(0.1, 8), pick.uniform(0.5, 14))
        )
        busy(on)
        time.sleep(min(off, max(0.0, end - time.time())))


if __name__ == "__main__":
    sys.exit(main())
