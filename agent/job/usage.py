"""Measures what the session uses: CPU and memory from the job's cgroup (v1 or v2) or else /proc; `gpus.py` the GPUs.

Units: CPU in percent of one core, memory in MiB. A site without cgroups is normal.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Iterable, NamedTuple

from .gpus import Gpus
from .processes import descendants

MIB = 1024 * 1024
TICKS = os.sysconf("SC_CLK_TCK")


class Cgroup(NamedTuple):
    """The job's folders in the cgroup file system; None for a controller Slurm does not use for the job."""

    memory: Path | None
    cpu: Path | None
    version: int

    @classmethod
    def of_job(cls, job_id: str, proc: Path = Path("/proc")) -> Cgroup:
        """Find them from /proc/self/cgroup (cgroups(7)); only a path with `job_<id>` belongs to the job."""
        mounts = _mounts(proc)
        paths: dict[str, Path] = {}
        for line in _read(proc / "self" / "cgroup").splitlines():
            _, controllers, path = line.split(":", 2)
            parts = path.split("/")
            if f"job_{job_id}" not in parts:
                continue
            inside = "/".join(parts[: parts.index(f"job_{job_id}") + 1]).lstrip("/")
            for controller in controllers.split(",") if controllers else ["v2"]:
                if controller in mounts and (mounts[controller] / inside).is_dir():
                    paths[controller] = mounts[controller] / inside
        if "v2" in paths and (paths["v2"] / "memory.current").exists():
            return cls(paths["v2"], paths["v2"], 2)
        return cls(paths.get("memory"), paths.get("cpuacct"), 1)

    def memory_bytes(self) -> int | None:
        """Return the memory in use, without page cache that the kernel could reclaim at once."""
        if self.memory is None:
            return None
        name, inactive = (
            ("memory.current", "inactive_file")
            if self.version == 2
            else ("memory.usage_in_bytes", "total_inactive_file")
        )
        used = _number(self.memory / name)
        return None if used is None else max(0, used - _fields(self.memory / "memory.stat").get(inactive, 0))

    def limit_bytes(self) -> int | None:
        if self.memory is None:
            return None
        limit = _number(self.memory / ("memory.max" if self.version == 2 else "memory.limit_in_bytes"))
        return limit if limit is not None and limit < 1 << 60 else None

    def cpu_seconds(self) -> float | None:
        if self.cpu is None:
            return None
        if self.version == 2:
            used = _fields(self.cpu / "cpu.stat").get("usage_usec")
            return None if used is None else used / 1e6
        nanoseconds = _number(self.cpu / "cpuacct.usage")
        return None if nanoseconds is None else nanoseconds / 1e9

    def oom_kills(self) -> int:
        """Count the processes of the job, in all of its steps, that the kernel killed for lack of memory."""
        if self.memory is None:
            return 0
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        if self.version == 2:
            return _fields(self.memory / name).get("oom_kill", 0)
        return sum(_fields(path).get("oom_kill", 0) for path in self.memory.rglob(name))

    def pids(self) -> set[int]:
        """Return the job's processes, in all of its steps; none without this controller."""
        if self.memory is None:
            return set()
        return {int(pid) for path in self.memory.rglob("cgroup.procs") for pid in _read(path).split()}


class Processes:
    """The processes to measure without cgroups: this one and its descendants."""

    def pids(self) -> Iterable[int]:
        return [os.getpid(), *descendants()]


class Meter:
    """Takes successive readings: of the session or, with other `processes`, of what those use."""

    def __init__(self, cgroup: Cgroup, gpus: Gpus, processes: Processes | None = None) -> None:
        self._cgroup = cgroup
        self._gpus = gpus
        self._processes = processes or Processes()
        self._last = (time.monotonic(), self._cpu_seconds())

    def read(self) -> dict[str, Any]:
        now, used = time.monotonic(), self._cpu_seconds()
        before, used_before = self._last
        self._last = (now, used)
        percent = max(0.0, used - used_before) / max(now - before, 1e-3) * 100
        memory = self._cgroup.memory_bytes()
        gpus = self._gpus.read()
        details = self._gpus.details(set(self._processes.pids())) if gpus else []
        return {
            "cpu_percent": round(percent, 1),
            "memory_mib": (_memory_of(self._processes.pids()) if memory is None else memory) // MIB,
            "gpus": [{**gpu, **more} for gpu, more in zip(gpus, details)],
        }

    def _cpu_seconds(self) -> float:
        seconds = self._cgroup.cpu_seconds()
        return _cpu_seconds_of(self._processes.pids()) if seconds is None else seconds


def _cpu_seconds_of(pids: Iterable[int], proc: Path = Path("/proc")) -> float:
    """Return the CPU time of processes, including their ended and collected children (proc(5), stat)."""
    ticks = 0
    for pid in pids:
        text = _read(proc / str(pid) / "stat")
        if text:
            ticks += sum(int(field) for field in text[text.rindex(")") + 2 :].split()[11:15])
    return ticks / TICKS


def _memory_of(pids: Iterable[int], proc: Path = Path("/proc")) -> int:
    """Return bytes: the proportional set size of processes, so that shared pages count once."""
    total = 0
    for pid in pids:
        for line in _read(proc / str(pid) / "smaps_rollup").splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def _mounts(proc: Path) -> dict[str, Path]:
    """Map each controller ("v2" for the unified tree) to its mount point."""
    mounts: dict[str, Path] = {}
    for line in _read(proc / "self" / "mountinfo").splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        where = Path(left.split()[4])
        if kind == "cgroup2":
            mounts.setdefault("v2", where)
        elif kind == "cgroup":
            for option in options.split(" ")[-1].split(","):
                mounts.setdefault(option, where)
    return mounts


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def _fields(path: Path) -> dict[str, int]:
    """Parse `name number` lines as in memory.stat and cpu.stat."""
    pairs = (line.split() for line in _read(path).splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}
