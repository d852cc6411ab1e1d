"""Meters the GPUs of a batch job on this node, from its first to its last second.

The door adds a command to the job's script (`door/meter.py`): `ride`, which becomes an srun whose step overlaps the
job's own and runs `meter` once per node. Whatever fails here, the job continues, and its GPU use stays unknown.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any, Callable, Mapping, Sequence

from .gpus import Gpus
from .launch import agent_path
from .portal import AgentError, Portal, Unreachable

FIRST_S = 5.0
EVERY_S = 60.0
#: Slurm kills a step KillWait after its SIGTERM, 30 s by default; the end of the job waits for this step.
LAST_TRIES = 3
LAST_TIMEOUT_S = 1.5
#: The step needs nothing of the job's environment, and must not inherit what changes srun (SLURM_CPUS_PER_TASK …).
KEPT = ("PATH", "SLURM_CONF", "DSP_METER")


def ride(arguments: Sequence[str], env: Mapping[str, str] = os.environ) -> None:
    """Become the srun of the step: `ride PYTHON BIN_DIR`."""
    python, bin_dir = arguments
    srun = os.path.join(bin_dir, "srun")
    argv = argv_of(srun if os.access(srun, os.X_OK) else "srun", python, env)
    os.execvpe(argv[0], argv, {name: env[name] for name in KEPT if name in env})  # noqa: S606  (argv, no shell)


def argv_of(srun: str, python: str, env: Mapping[str, str]) -> list[str]:
    nodes = env.get("SLURM_JOB_NUM_NODES", "1")
    return [
        srun,
        f"--jobid={env['SLURM_JOB_ID']}",
        "--job-name=portal-meter",
        f"--nodes={nodes}",
        f"--ntasks={nodes}",
        "--ntasks-per-node=1",
        "--overlap",
        "--cpu-bind=none",
        "--mpi=none",
        "--input=none",
        "--output=none",
        "--error=none",
        "--propagate=NONE",
        "--chdir=/",
        python,
        "-I",
        agent_path(),
        "meter",
    ]


class Totals:
    """What each GPU has done since the beginning, so that a lost report costs nothing."""

    def __init__(self, gpus: Gpus, now: Callable[[], float] = time.monotonic) -> None:
        self._gpus = gpus
        self._now = now
        self._at = now()
        self._of: dict[int, dict[str, Any]] = {}
        for figures in gpus.read():  # opens NVML; its use is of the time before
            self._add(figures, 0.0)

    def read(self) -> list[dict[str, Any]]:
        now = self._now()
        seconds, self._at = now - self._at, now
        readings = self._gpus.read()
        for figures, more in zip(readings, self._gpus.details(()) if readings else ()):
            self._add(figures, seconds)
            self._add_problems(figures["index"], more, seconds)
        return list(self._of.values())

    def _add(self, figures: Mapping[str, Any], seconds: float) -> None:
        index = figures["index"]
        total = self._of.setdefault(
            index, {"index": index, "uuid": figures["uuid"], "name": figures["name"], "known_s": 0.0, "used_s": 0.0}
        )
        if seconds and figures["utilization"] is not None:
            total["known_s"] = round(total["known_s"] + seconds, 3)
            total["used_s"] = round(total["used_s"] + seconds * figures["utilization"] / 100, 3)
            total["peak_percent"] = _most(total.get("peak_percent"), figures["utilization_peak"])
        if seconds and "sm_percent" in figures and "bandwidth_percent" in figures:
            total["counted_s"] = round(total.get("counted_s", 0.0) + seconds, 3)
            for name in ("sm", "bandwidth"):
                percent = figures[f"{name}_percent"]
                total[f"{name}_s"] = round(total.get(f"{name}_s", 0.0) + seconds * percent / 100, 3)
                total[f"{name}_peak_percent"] = _most(total.get(f"{name}_peak_percent"), percent)
        total["memory_mib"] = figures["memory_total_mib"]
        total["memory_peak_mib"] = _most(total.get("memory_peak_mib"), figures["memory_peak_mib"])
        total["power_peak_w"] = _most(total.get("power_peak_w"), figures["power_peak_w"])
        total["energy_j"] = figures["energy_j"]

    def _add_problems(self, index: int, more: Mapping[str, Any], seconds: float) -> None:
        total = self._of[index]
        total["xids"] = more["xids"]
        if more["slowed_by"] is not None:
            total["slowed_by"] = more["slowed_by"]
            total["slowed_s"] = round(total.get("slowed_s", 0.0) + seconds * more["slowed_percent"] / 100, 3)


def meter(env: Mapping[str, str] = os.environ) -> int:
    """Report until the job ends, which the step learns by SIGTERM."""
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    url, _, key = env["DSP_METER"].partition(" ")
    portal = Portal(url, *key.split(":", 1))
    node = {"job_id": int(env["SLURM_JOB_ID"]), "node": env["SLURMD_NODENAME"]}
    totals = Totals(Gpus(env.get("CUDA_VISIBLE_DEVICES", ""), counted_s=0.0))

    def report(timeout_s: float) -> bool:
        """Return whether the portal has taken it, or will never."""
        gpus = totals.read()
        try:
            if gpus:
                portal.post("metered", {**node, "gpus": gpus}, timeout_s=timeout_s)
        except Unreachable:
            return False
        except AgentError:
            over.set()
        return True

    pause = FIRST_S
    while not over.wait(pause):
        report(10.0)
        pause = EVERY_S
    for _ in range(LAST_TRIES):
        if report(LAST_TIMEOUT_S):
            break
        time.sleep(0.2)
    return 0


def _most(before: float | None, after: float | None) -> float | None:
    return after if before is None else before if after is None else max(before, after)
