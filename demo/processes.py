"""The site's processes: started from argv lists with their own logs, reaped by the site's first process.

The supervisor is process 1 of its PID namespace, so every orphan becomes its child. Therefore it waits for all of them
here, and not through asyncio or subprocess.
"""

from __future__ import annotations

import asyncio
import contextlib
import grp
import os
import pwd
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.site import SiteError

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
KEPT_VARIABLES = re.compile(r"(PIP|UV)_\w+|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|(https?|all|no)_proxy", re.IGNORECASE)
"""How this machine reaches package registries, for environments that are installed on demand."""


@dataclass
class Process:
    popen: subprocess.Popen[bytes]
    started: float
    ended: asyncio.Future[int] = field(repr=False)
    """The return code: negative for a signal, as in subprocess."""

    @property
    def pid(self) -> int:
        return self.popen.pid

    @property
    def alive(self) -> bool:
        return not self.ended.done()

    def send(self, number: signal.Signals) -> None:
        if self.alive:
            os.kill(self.pid, number)

    async def stop(self, grace_s: float, first: signal.Signals = signal.SIGTERM) -> None:
        """Ask the process to end; after the grace period kill it and the rest of its group."""
        self.send(first)
        self.send(signal.SIGCONT)
        await asyncio.wait([self.ended], timeout=grace_s)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        await self.wait()

    async def wait(self) -> int:
        await asyncio.wait([self.ended])  # cancelling a bare await would cancel the future for all
        return self.ended.result()


class Processes:
    """Starts processes and notices when each ends."""

    def __init__(self) -> None:
        self._running: dict[int, Process] = {}
        self._loop = asyncio.get_running_loop()
        self._loop.add_signal_handler(signal.SIGCHLD, self._reap)

    def start(
        self,
        argv: Sequence[str | Path],
        *,
        log: Path,
        user: str | None = None,
        env: Mapping[str, str | Path] | None = None,
        cwd: Path | str = "/",
        umask: int = 0o022,
    ) -> Process:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            popen = subprocess.Popen(
                [str(part) for part in argv],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=environment(env or {}, user),
                umask=umask,
                start_new_session=True,
                **_identity(user),
            )
        process = Process(popen, time.monotonic(), self._loop.create_future())
        self._running[popen.pid] = process
        return process

    async def run(
        self,
        argv: Sequence[str | Path],
        *,
        log: Path,
        user: str | None = None,
        env: Mapping[str, str | Path] | None = None,
        timeout_s: float = 60,
        check: bool = True,
        umask: int = 0o022,
    ) -> int:
        """Run a command to its end; return its status. Raises SiteError if it fails and `check` is set."""
        process = self.start(argv, log=log, user=user, env=env, umask=umask)
        done, _ = await asyncio.wait([process.ended], timeout=timeout_s)
        if not done:
            await process.stop(1)
            raise SiteError(f"{Path(argv[0]).name} did not end within {timeout_s:.0f} s.", log=log)
        status = process.ended.result()
        if check and status != 0:
            raise SiteError(f"{' '.join(map(str, argv[:3]))} … failed with status {status}.", log=log)
        return status

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            process = self._running.pop(pid, None)
            if process is not None:
                code = os.waitstatus_to_exitcode(status)
                process.popen.returncode = code
                process.ended.set_result(code)


def ids_of_programs(path: Path) -> list[int]:
    """Return the processes in which Python runs this program, isolated as a job's script runs it."""
    results = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            if (process / "cmdline").read_bytes().split(b"\0")[1:3] == [b"-I", os.fsencode(path)]:
                results.append(int(process.name))
    return results


def environment(extra: Mapping[str, str | Path], user: str | None = None) -> dict[str, str]:
    """Build the closed environment of a process: nothing from the developer's shell gets in."""
    kept = {name: value for name, value in os.environ.items() if KEPT_VARIABLES.fullmatch(name)}
    base = {"PATH": PATH, "HOME": "/" if user else "/root", "LANG": "C.UTF-8"}
    return {**base, **kept, **{name: str(value) for name, value in extra.items()}}


def _identity(user: str | None) -> dict[str, Any]:
    if user is None:
        return {}
    account = pwd.getpwnam(user)
    groups = [group.gr_gid for group in grp.getgrall() if user in group.gr_mem]
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": groups}
