"""Prints what a batch job uses on this node, a line of JSON every few seconds, while somebody reads it.

The door starts it as a step of the job on each of its nodes while a page shows the job (`watch-use EVERY_S LIFE_S`). It
ends with its reader, with the job, or after LIFE_S.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Iterator, Sequence

from .gpus import Gpus
from .usage import Cgroup, Meter, Processes

#: Seconds to the first line: CPU use needs an interval to measure.
FIRST_S = 1.0


class JobProcesses(Processes):
    """All processes of the job on this node: those of its cgroup, else those whose environment names job and node."""

    def __init__(self, job_id: str, node: str, cgroup: Cgroup, proc: Path = Path("/proc")) -> None:
        self._cgroup = cgroup
        self._marks = (f"SLURM_JOB_ID={job_id}".encode(), f"SLURMD_NODENAME={node}".encode())
        self._proc = proc
        self._mine: dict[int, bool] = {}
        """Which processes are the job's; an environment is read once."""

    def pids(self) -> Iterator[int]:
        me = os.getpid()
        cgroup = self._of_cgroup() if self._cgroup.memory is not None else self._by_environment()
        return (pid for pid in cgroup if pid != me)

    def _of_cgroup(self) -> Iterator[int]:
        assert self._cgroup.memory is not None  # noqa: S101  (checked before)
        for path in self._cgroup.memory.rglob("cgroup.procs"):
            with suppress(OSError):  # a step that has just ended
                yield from map(int, path.read_text().split())

    def _by_environment(self) -> Iterator[int]:
        there = {int(entry) for entry in os.listdir(self._proc) if entry.isdigit()}
        self._mine = {pid: mine for pid, mine in self._mine.items() if pid in there}
        for pid in there:
            if pid not in self._mine:
                self._mine[pid] = self._is_mine(pid)
            if self._mine[pid]:
                yield pid

    def _is_mine(self, pid: int) -> bool:
        try:
            words = (self._proc / str(pid) / "environ").read_bytes().split(b"\0")
        except OSError:  # somebody else's process, or it has ended
            return False
        return all(mark in words for mark in self._marks)


def watch(arguments: Sequence[str]) -> int:
    """Write lines until nobody reads them or the time is up; return the exit status."""
    every_s, life_s = map(float, arguments)
    job_id, node = os.environ["SLURM_JOB_ID"], os.environ["SLURMD_NODENAME"]
    cgroup = Cgroup.of_job(job_id)
    gpus = Gpus(os.environ.get("CUDA_VISIBLE_DEVICES", ""), counted_s=every_s)
    meter = Meter(cgroup, gpus, JobProcesses(job_id, node, cgroup))
    until = time.monotonic() + life_s
    pause = min(FIRST_S, every_s)
    while time.monotonic() < until:
        time.sleep(pause)
        pause = every_s
        try:
            sys.stdout.write(json.dumps({"node": node, **meter.read()}) + "\n")
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # leave nothing to flush at exit
            return 0
    return 0
