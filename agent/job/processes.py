"""The app's processes: starts them, sees how they end, and leaves none behind.

The agent makes itself the reaper of orphans (prctl(2), PR_SET_CHILD_SUBREAPER), so that whatever an app starts, daemons
included, remains its descendant and is found in /proc.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
TAIL_BYTES = 4096


class Exit(NamedTuple):
    """How a process ended; exactly one of the two is None."""

    code: int | None
    signal: int | None


def adopt_orphans() -> bool:
    """Become the parent of orphaned descendants; return False if the kernel refuses."""
    return _prctl(PR_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> bool:
    """Hide this process's environment and memory from the user's other processes; return False if the kernel refuses.

    They hold the one-time secret and the agent's key. The setting ends at exec, so the app and its children are not
    affected.
    """
    return _prctl(PR_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> bool:
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


class Output(threading.Thread):
    """Copies the app's output to the job's log and keeps its last bytes; never lets the app block on output."""

    def __init__(self, source: int, log: int = 1) -> None:
        super().__init__(name="output", daemon=True)
        self._source = source
        self._log = log
        self._tail = b""

    def run(self) -> None:
        while True:
            try:
                piece = os.read(self._source, 65536)
            except OSError:
                break
            if not piece:
                break
            self._tail = (self._tail + piece)[-TAIL_BYTES:]
            try:
                view = memoryview(piece)
                while view:
                    view = view[os.write(self._log, view) :]
            except OSError:
                pass  # a full disk or quota must not stop the app; the tail is kept in memory
        os.close(self._source)

    def tail(self) -> str:
        """Return the last lines, as text without control characters."""
        text = self._tail.decode("utf-8", "replace")
        return "".join(c for c in text if c in "\n\t" or (c.isprintable()))[-TAIL_BYTES:]

    def last_line(self) -> str:
        """Return the last line with content."""
        return next((line.strip() for line in reversed(self.tail().splitlines()) if line.strip()), "")


class App:
    """One running app."""

    def __init__(
        self, argv: list[str], environment: dict[str, str], folder: str, *, keep: tuple[int, ...] = (), log: int = 1
    ) -> None:
        """Start the app in its own process session, with the descriptors `keep`. Raises OSError if that fails."""
        source, sink = os.pipe()
        try:
            process = subprocess.Popen(
                argv, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                start_new_session=True, pass_fds=keep,
            )  # fmt: skip
        except BaseException:
            os.close(source)
            raise
        finally:
            os.close(sink)
        self._process = process
        self.pid = process.pid
        self.ended: Exit | None = None
        self.output = Output(source, log)
        self.output.start()

    def reap(self) -> Exit | None:
        """Collect every child that has ended; record the app's own exit."""
        self._reap_all()
        return self.ended

    def _reap_all(self) -> bool:
        """Collect every child that has ended; return whether there is no other.

        The agent is the reaper of all its descendants, so without a child there is no descendant either. Only the
        kernel knows: a listing of /proc misses a process whose parent ends meanwhile.
        """
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self.pid:
                self._process.returncode = 0  # reaped here; subprocess has nothing left to wait for
                self.ended = (
                    Exit(None, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else Exit(os.WEXITSTATUS(status), None)
                )

    def end(self, grace_s: float) -> None:
        """Leave no process behind.

        First SIGTERM to the app alone, so that it can end its own children (kernels that save); after half of `grace_s`
        SIGTERM to all that is left, then SIGKILL.
        """
        _signal({self.pid} & descendants(), signal.SIGTERM)
        if not self._gone_within(grace_s / 2):
            _signal(descendants(), signal.SIGTERM)
            if not self._gone_within(grace_s / 2):
                self._kill()
        self.reap()
        self.output.join(0.5)

    def _gone_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            if self._reap_all():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)

    def _kill(self) -> None:
        """Send SIGKILL in rounds: a process may fork between the listing and the signal."""
        for _ in range(100):
            _signal(descendants(), signal.SIGKILL)
            time.sleep(0.01)
            if self._reap_all():
                return


def descendants(root: int | None = None, proc: Path = Path("/proc")) -> set[int]:
    """Return every living process below `root` (default: this one), without zombies."""
    children: dict[int, list[int]] = {}
    for pid, parent, state in _processes(proc):
        if state not in "ZX":
            children.setdefault(parent, []).append(pid)
    children_of: set[int] = set()
    waiting = [root or os.getpid()]
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in children_of:
                children_of.add(child)
                waiting.append(child)
    return children_of


def _processes(proc: Path) -> list[tuple[int, int, str]]:
    processes = []
    for entry in os.listdir(proc):
        if not entry.isdigit():
            continue
        try:
            text = (proc / entry / "stat").read_text(errors="replace")
        except OSError:
            continue
        state, parent = text[text.rindex(")") + 2 :].split()[:2]
        processes.append((int(entry), int(parent), state))
    return processes


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with suppress(OSError):  # it ended meanwhile
            os.kill(pid, number)
