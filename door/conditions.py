"""The door's own limits, signals, timers, files, folder and umask, whatever it was started with.

All of them survive sudo, so the caller could choose them: a file size limit that cuts the audit log's line, a timer
that fires in the middle of an act, a closed stdout whose number the log then gets. They are set without checking first,
because root may raise what was lowered; the door refuses to act if the kernel does not allow it.
"""

from __future__ import annotations

import os
import resource
import signal

from .refused import Refused

MIB = 1 << 20
EVER = resource.RLIM_INFINITY
#: The minimum of each limit, and the value to set. If a container's root may not raise limits, an existing one above
#: the minimum is kept. NPROC counts all of a user's processes on the machine, so it cannot limit one door.
LIMITS = {
    "RLIMIT_AS": (4096 * MIB, EVER),
    "RLIMIT_CORE": (0, 0),
    "RLIMIT_CPU": (7200, EVER),
    "RLIMIT_DATA": (1024 * MIB, 1024 * MIB),
    "RLIMIT_FSIZE": (1024 * MIB, EVER),
    "RLIMIT_NOFILE": (1024, 4096),
    "RLIMIT_NPROC": (1024, EVER),
    "RLIMIT_STACK": (8 * MIB, 8 * MIB),
}
SIGNALS = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGALRM,
    signal.SIGTERM,
    signal.SIGCHLD,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGXCPU,
)
TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)


def reset() -> None:
    """Reset them to the door's own. Raises Refused if that fails, OSError if stdin or stdout is closed."""
    for fd in (0, 1, 2):
        os.set_blocking(fd, True)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            close(int(name))
    os.chdir("/")
    os.umask(0o077)
    for timer in TIMERS:
        signal.setitimer(timer, 0)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    for name, (least, wanted) in LIMITS.items():
        set_limit(name, least, wanted)


def set_limit(name: str, least: int, wanted: int) -> None:
    kind = getattr(resource, name)
    try:
        resource.setrlimit(kind, (wanted, wanted))
    except (OSError, ValueError):
        hard = resource.getrlimit(kind)[1]
        if hard != EVER and hard < least:
            raise Refused("configuration", f"The door was started with a limit that is too low: {name}.") from None
        resource.setrlimit(kind, (hard, hard))


def close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        return


def confine(memory_mib: int, cpu_s: int, *, large_files: bool = False) -> None:
    """Limit the process that acts as the user, and the commands it starts: memory, CPU time, file size."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory_mib * MIB, memory_mib * MIB))
    if not large_files:
        resource.setrlimit(resource.RLIMIT_FSIZE, (128 * MIB, 128 * MIB))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
