"""Root's half of an act: starts the half that becomes the user, and kills it at its deadline.

The user can stop or kill the other half, whose process is theirs, and it blocks as long as a file system does; this
half is exposed to neither. So the portal, which can end neither of them, always gets an answer, and nothing stays
behind.
"""

from __future__ import annotations

import os
import select
import signal
import time

from .refused import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: The maximum size of an answer plus the outcome.
MAX_REPORT = 8 << 20
#: Seconds past its own deadline that an act has to report it.
SLACK_S = 1.5
#: The same for a streaming act: seconds after the portal hung up, or its time was up.
END_S = 12.0


class Report:
    """What the user's half reports: `outcome` for the log, the answer in JSON, and how long it stays after that."""

    def __init__(self, outcome: str, answer: bytes = b"", stays_s: int = 0) -> None:
        self.outcome = outcome
        self.answer = answer
        self.stays_s = stays_s

    def write(self, fd: int) -> None:
        rest = memoryview(f"{self.stays_s} {self.outcome}\n".encode() + self.answer)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.close(fd)


class DeadlineExceeded(Exception):
    """The deadline has passed."""


def start(act: Callable[[int], None], *, streams: bool) -> tuple[int, int]:
    """Start the other half; return its process id and the descriptor of the report that it writes.

    Only a streaming act keeps the portal's ends; nothing else can hold the portal up.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        os.close(reading)
        if not streams:
            let_go()
        act(writing)
    finally:
        os._exit(0)


def let_go() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.close(nothing)


def watch(pid: int, reading: int, lasts_s: float, *, streams: bool) -> Report | None:
    """Wait for the report; None if the other half was killed from outside.

    Raises DeadlineExceeded if it was killed at its deadline.

    The report is the last thing that the other half does, unless it says that it stays.
    """
    try:
        raw = read(reading, lasts_s + (END_S if streams else SLACK_S), streams=streams)
    except DeadlineExceeded:
        end(pid)
        raise
    first, text, answer = raw.partition(b"\n")
    stays, _, outcome = first.decode("ascii", "replace").partition(" ")
    report = Report(outcome, answer, int(stays)) if text and stays.isdigit() else None
    if report is None or not report.stays_s:
        os.kill(pid, signal.SIGKILL)  # it has nothing left to do, and nobody may stop it before it ends
    return report


def read(reading: int, lasts_s: float, *, streams: bool) -> bytes:
    until = time.monotonic() + lasts_s
    ends = select.poll()
    ends.register(reading, select.POLLIN)
    if streams:
        ends.register(0, 0)
    raw = bytearray()
    while (left := until - time.monotonic()) > 0 and len(raw) <= MAX_REPORT:
        ready = [fd for fd, _ in ends.poll(left * 1000)]
        if reading in ready:
            piece = os.read(reading, 1 << 18)
            if not piece:
                return bytes(raw)
            raw += piece
        elif ready:  # the portal has hung up; the other half notices too, unless it is stopped
            ends.unregister(0)
            until = min(until, time.monotonic() + END_S)
    raise DeadlineExceeded


def end(pid: int) -> None:
    """Kill the other half and the commands it runs; srun's shepherd survives and returns the allocation."""
    os.kill(pid, signal.SIGSTOP)
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            commands = [int(part) for part in file.read().split()]
    except OSError:
        commands = []
    for pid_or_command in (pid, *commands):
        kill(pid_or_command)


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def stay(pid: int, stays_s: int) -> None:
    """Leave a process behind that kills the other half when its time is up; this one can exit now."""
    watched = os.pidfd_open(pid)
    if os.fork():
        return
    os.setsid()
    let_go()
    over = select.poll()
    over.register(watched, select.POLLIN)
    if not over.poll(stays_s * 1000):
        signal.pidfd_send_signal(watched, signal.SIGKILL)
    os._exit(0)
