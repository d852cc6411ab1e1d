"""Finds signs of work in the session: busy kernels, programs in terminals, use by a person, disk and network traffic.

What cannot be read is None: unknown, which never counts as idle. The state of Jupyter's kernels comes from a file that
the Lab extension writes (`agent/lab/kernels_busy.py`); without the file, it is unknown.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, NamedTuple

from . import traffic
from .processes import descendants

KERNELS_FILE = Path("runtime", "portal-kernels.json")
#: The extension writes every few seconds. An older file means that the server hangs or has ended.
STALE_S = 60.0
SHELLS = frozenset(
    ["sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "csh", "tcsh", "ash", "busybox", "tmux", "screen"]
)
"""Session leaders that are not work by themselves: shells, and multiplexers, whose own terminals are examined."""
MULTIPLEXERS = ("tmux", "screen")
KIB = 1024


class Kernels(NamedTuple):
    """What the Lab extension has written; times are of the monotonic clock."""

    at: float
    running: int
    busy: int
    busy_s: float
    used_at: float | None

    @classmethod
    def read(cls, path: Path, now: float) -> Kernels | None:
        try:
            wrote = json.loads(path.read_text())
            used_at = None if wrote["used_at"] is None else float(wrote["used_at"])
            kernels = cls(
                float(wrote["at"]), int(wrote["running"]), int(wrote["busy"]), float(wrote["busy_s"]), used_at
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return kernels if now - kernels.at <= STALE_S else None


class Activity:
    """Takes successive readings, each of the time since the previous reading."""

    def __init__(
        self,
        kernels_file: Path | None,
        last_used: Callable[[], float | None],
        *,
        pids: Callable[[], Iterable[int]] = descendants,
        now: Callable[[], float] = time.monotonic,
        proc: Path = Path("/proc"),
        carried: Callable[[], Mapping[Any, int]] = traffic.carried,
    ) -> None:
        """`kernels_file`: None for an app without Jupyter's kernels. `last_used`: when (in seconds since 1970) a person
        last used the app through the proxy; None if nobody has, or there is no proxy.
        """
        self._kernels_file = kernels_file
        self._last_used = last_used
        self._pids = pids
        self._now = now
        self._proc = proc
        self._carried = carried
        self._at = self._began = now()
        self._busy_s: float | None = None
        self._disk: dict[int, int] = {}
        self._network: Mapping[Any, int] | None = None

    def read(self) -> dict[str, Any]:
        now = self._now()
        seconds, self._at = max(now - self._at, 1e-3), now
        pids = list(self._pids())
        programs, typed_s = self._terminals(pids)
        kernels = self._kernels(now, seconds)
        quiet = [now - self._began, typed_s, kernels.pop("quiet_s"), self._since_use()]
        return {
            **kernels,
            "programs": programs,
            "quiet_s": round(max(0.0, min(since for since in quiet if since is not None)), 1),
            "disk_kib_s": self._disk_kib_s(pids, seconds),
            "network_kib_s": self._network_kib_s(seconds),
        }

    def _since_use(self) -> float | None:
        used = self._last_used()
        return None if used is None else time.time() - used

    def _kernels(self, now: float, seconds: float) -> dict[str, Any]:
        if self._kernels_file is None:
            return {"kernels": 0, "kernels_busy": 0, "kernel_busy_percent": 0.0, "quiet_s": None}
        kernels = Kernels.read(self._kernels_file, now)
        if kernels is None:
            self._busy_s = None
            return {"kernels": None, "kernels_busy": None, "kernel_busy_percent": None, "quiet_s": None}
        before, self._busy_s = self._busy_s, kernels.busy_s
        # The extension last looked some seconds ago; a kernel that was busy then counts as busy since.
        busy_s = max(0.0, kernels.busy_s - (before or 0.0))
        percent = 100.0 if kernels.busy and before is None else min(100.0, busy_s / seconds * 100)
        return {
            "kernels": kernels.running,
            "kernels_busy": kernels.busy,
            "kernel_busy_percent": round(percent, 1),
            "quiet_s": None if kernels.used_at is None else now - kernels.used_at,
        }

    def _terminals(self, pids: Iterable[int]) -> tuple[int, float | None]:
        """Count the terminals in which a program runs, and return the seconds since one was last typed or written to.

        From stat of each session leader (proc(5)): its terminal and that terminal's foreground process group.
        """
        programs, times = 0, []
        for pid in pids:
            stat = self._stat(pid)
            if stat is None:
                continue
            name, (group, session, terminal, foreground) = stat
            if not terminal or session != pid:
                continue
            if name not in SHELLS or (foreground not in (group, -1) and not self._is_multiplexer(foreground)):
                programs += 1
            try:
                status = os.stat(self._proc / str(pid) / "fd" / "0")  # the same terminal, in whatever mount namespace
            except OSError:
                continue
            times.append(max(status.st_atime, status.st_mtime))
        return programs, time.time() - max(times) if times else None

    def _is_multiplexer(self, pid: int) -> bool:
        stat = self._stat(pid)
        return stat is not None and stat[0].startswith(MULTIPLEXERS)

    def _stat(self, pid: int) -> tuple[str, list[int]] | None:
        try:
            text = (self._proc / str(pid) / "stat").read_text(errors="replace")
        except OSError:
            return None
        head, _, rest = text.rpartition(")")
        return head.partition("(")[2].lstrip("-"), [int(field) for field in rest.split()[2:6]]

    def _disk_kib_s(self, pids: Iterable[int], seconds: float) -> float | None:
        """Return how much the processes read and write per second, on any file system and through pipes.

        A new process is counted from its start; the last seconds of one that has ended are missing.
        """
        before, self._disk = self._disk, {}
        for pid in pids:
            if (count := self._transferred(pid)) is not None:
                self._disk[pid] = count
        if not before:
            return None
        grown = sum(max(0, count - before.get(pid, 0)) for pid, count in self._disk.items())
        return round(grown / KIB / seconds, 1)

    def _transferred(self, pid: int) -> int | None:
        try:
            lines = (self._proc / str(pid) / "io").read_text().splitlines()
        except OSError:
            return None
        return sum(int(line.split()[1]) for line in lines if line.startswith(("rchar:", "wchar:")))

    def _network_kib_s(self, seconds: float) -> float | None:
        before = self._network
        try:
            self._network = self._carried()
        except OSError:
            self._network = None
        if before is None or self._network is None:
            return None
        grown = sum(max(0, count - before.get(key, 0)) for key, count in self._network.items())
        return round(grown / KIB / seconds, 1)
