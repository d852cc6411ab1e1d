"""The life cycle of one service: preparation, process, readiness, exit and restart."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from enum import StrEnum

from demo.processes import Process, Processes
from demo.service import POLL_S, Service
from demo.site import Site, SiteError

RESTART_AFTER_S = (0.5, 1, 2, 5, 10)
"""Pauses before the next start of a service that keeps dying; the last holds on."""
STEADY_S = 60


class State(StrEnum):
    WAITING = "waiting"
    STARTING = "starting"
    READY = "ready"
    PAUSED = "paused"
    STOPPED = "stopped"
    FAILED = "failed"


class RunningService:
    def __init__(self, service: Service, processes: Processes, site: Site, say: Callable[[str], None]) -> None:
        self.service = service
        self.state = State.WAITING
        self.process: Process | None = None
        self.deaths = 0
        self.gone = asyncio.Event()
        """Set when the site is ending and this service has ended."""
        self._processes = processes
        self._site = site
        self._say = say
        self._watch: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def prepare(self) -> None:
        """Prepare the service and start it for the first time. Raises SiteError."""
        self.state = State.STARTING
        if self.service.prepare is not None:
            await self.service.prepare()
        await self.start()

    async def start(self) -> None:
        """Start the process, wait until it is ready, settle. Resumes it if it is paused. Raises SiteError."""
        async with self._lock:
            if self.process is not None and self.process.alive:
                self.process.send(signal.SIGCONT)
            elif self.service.argv:
                self.state = State.STARTING
                self.process = self._processes.start(
                    self.service.argv,
                    log=self._site.log(self.service.name),
                    user=self.service.user,
                    env=self.service.env,
                    cwd=self.service.cwd,
                )
                try:
                    await self._until_ready(self.process)
                except SiteError:
                    self.state = State.FAILED
                    await self.process.stop(2)
                    raise
                self._watch = asyncio.create_task(self._await_death(self.process))
            if self.service.settle is not None:
                await self.service.settle()
            self.state = State.READY

    async def restart(self) -> None:
        """Stop it, prepare again (configuration may have changed) and start it. Raises SiteError."""
        await self.stop()
        await self.prepare()

    async def stop(self) -> None:
        await self._leave_alone()
        async with self._lock:
            if self.process is not None and self.process.alive:
                await self.process.stop(self.service.grace_s)
            self.state = State.STOPPED

    async def kill(self) -> None:
        """Kill the process with SIGKILL and do not restart it."""
        await self._leave_alone()
        if self.process is not None:
            self.process.send(signal.SIGKILL)
            await self.process.wait()
        self.state = State.STOPPED

    def pause(self) -> None:
        """Freeze the process: it keeps its connections but answers nobody."""
        if self.process is None or not self.process.alive:
            raise SiteError(f"{self.service.name} is not running.", advice=f"./dev start {self.service.name}")
        self.process.send(signal.SIGSTOP)
        self.state = State.PAUSED

    def status(self) -> dict[str, object]:
        alive = self.process is not None and self.process.alive
        return {
            "name": self.service.name,
            "title": self.service.title,
            "state": self.state,
            "pid": self.process.pid if alive and self.process else None,
            "up_s": round(time.monotonic() - self.process.started, 1) if alive and self.process else None,
            "deaths": self.deaths,
        }

    async def _until_ready(self, process: Process) -> None:
        name = self.service.name
        deadline = time.monotonic() + self.service.ready_within_s
        while self.service.ready is not None and not await self.service.ready():
            if not process.alive:
                raise SiteError(
                    f"{name} ended at once, with status {process.ended.result()}.", log=self._site.log(name)
                )
            if time.monotonic() > deadline:
                raise SiteError(
                    f"{name} was not ready after {self.service.ready_within_s:.0f} s.", log=self._site.log(name)
                )
            await asyncio.sleep(POLL_S)

    async def _await_death(self, process: Process) -> None:
        status = await process.wait()
        self.state = State.FAILED
        self.deaths += 1
        name = self.service.name
        if status == 0 or not self.service.restart:
            self._say(f"! {name} ended (status {status}); ./dev start {name} brings it back")
            return
        steady = time.monotonic() - process.started > STEADY_S
        pause = RESTART_AFTER_S[0] if steady else RESTART_AFTER_S[min(self.deaths, len(RESTART_AFTER_S)) - 1]
        self._say(f"! {name} ended (status {status}); starting it again")
        await asyncio.sleep(pause)
        while True:
            try:
                await self.start()
            except SiteError as error:
                self._say(f"! {error.what} Trying again in {RESTART_AFTER_S[-1]} s")
                await asyncio.sleep(RESTART_AFTER_S[-1])
            else:
                self._say(f"! {name} is back")
                return

    async def _leave_alone(self) -> None:
        """Expect the process to end, and do not restart it."""
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
