"""NVML on a node of a demo site: plays what a real H100 once reported, again and again from each process's start on.

Runs on the node, beside the stand-in that it extends (`tests/unit/agent/job/nvml.py`). Errors come from a file that
the test appends to; kernels and `train.py` hold the memory.
"""

# ruff: noqa: N802  (the names are NVML's)

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nvml

#: The recording lasts a minute.
LOOP_S = 60
LOOPS = 30
PLAYED = ("seconds", "samples", "energy_mj")
HOLDERS = (b"ipykernel", b"train.py")


class Playing(nvml.Troubled):
    def __init__(self, load: str, mig: tuple[str, ...], errors: Path) -> None:
        super().__init__(load, mig=mig)
        self.load = {name: repeated(self.load[name], rises=name == "energy_mj") for name in PLAYED}
        self.counters = repeated(self.counters)
        self._began = time.monotonic()
        self._errors = errors

    @property
    def now(self) -> float:
        return time.monotonic() - self._began

    @now.setter
    def now(self, value: float) -> None:
        """Time passes by itself."""

    # Each process has a set of its own, with what it has read; in the stand-in for unit tests a set is just a name.
    def nvmlEventSetCreate(self) -> SimpleNamespace:  # type: ignore[override]
        return SimpleNamespace(gpu=None, read=len(self._lines()))

    def nvmlDeviceRegisterEvents(self, device: str, kinds: int, events: SimpleNamespace) -> None:  # type: ignore[override]
        self._whole(device)
        events.gpu = device

    def nvmlEventSetWait_v2(self, events: SimpleNamespace, wait_ms: int) -> SimpleNamespace:  # type: ignore[override]
        for line in self._lines()[events.read :]:
            events.read += 1
            gpu, xid, instance = line.split()
            if gpu == events.gpu:
                return SimpleNamespace(eventData=int(xid), gpuInstanceId=int(instance))
        raise nvml.NVMLError("timeout")

    def _lines(self) -> list[str]:
        return self._errors.read_text().splitlines()

    def nvmlDeviceGetComputeRunningProcesses(self, device: str) -> list[SimpleNamespace]:
        """The holders share the memory that is in use, the first one having most of it."""
        pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and holds(entry)]
        used = self.nvmlDeviceGetMemoryInfo(device, 2).used
        return [SimpleNamespace(pid=pid, usedGpuMemory=used >> place + 1) for place, pid in enumerate(sorted(pids))]


def holds(pid: str) -> bool:
    try:
        command = Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False
    return any(name in command for name in HOLDERS)


def repeated(rows: list[list[Any]], *, rises: bool = False) -> list[list[Any]]:
    """Return a recording one minute after another; a counter that rises goes on from where it was."""
    more = rows[-1][1] - rows[0][1] if rises else 0
    first = [row for row in rows if row[0] < LOOP_S]
    again = [row for row in first if row[0] >= 0]
    return first + [
        [row[0] + loop * LOOP_S, row[1] + loop * more, *row[2:]] for loop in range(1, LOOPS) for row in again
    ]
