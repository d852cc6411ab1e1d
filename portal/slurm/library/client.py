"""The client that reads the queue through pyslurm if it fits, and the rest through Slurm's commands.

If pyslurm does not answer, the commands take over. If Slurm does not answer pyslurm, nothing is known, and the client
says so.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec

from portal.errors import SlurmUnavailable
from portal.garbage import HeapFreezer, many_values
from portal.settings import Slurm
from portal.slurm import queries
from portal.slurm.commands import SlurmCommands
from portal.slurm.jobs import Job
from portal.slurm.library.child_process import ChildProcess, LibraryUnavailable
from portal.slurm.library.rows import Phase, QueueReading

_SERIES = re.compile(r"\d+\.\d+")


def slurm_client(settings: Slurm) -> SlurmCommands:
    """Return the client that the setting `client` chooses; `auto` uses pyslurm if it is installed."""
    if settings.client == "commands":
        return SlurmCommands(settings)
    there = settings.pyslurm_python is not None or find_spec("pyslurm") is not None
    return SlurmLibrary(settings) if there or settings.client == "pyslurm" else SlurmCommands(settings)


def series(version: str) -> str:
    """`slurm-wlm 25.11.2` → `25.11`; empty if there is no version."""
    match = _SERIES.search(version)
    return match[0] if match else ""


class SlurmLibrary(SlurmCommands):
    """`SlurmClient` through pyslurm and the commands."""

    def __init__(self, settings: Slurm) -> None:
        super().__init__(settings)
        self.child = ChildProcess(
            str(settings.pyslurm_python or sys.executable),
            env={"PATH": "/usr/bin:/bin", **queries.ENVIRONMENT},
            conf=settings.conf,
            timeout_s=settings.timeout_s,
            fits=self._fits,
        )
        self._queue: dict[str, Job] = {}
        self._answers: dict[Phase, Job] = {}
        self._settled = HeapFreezer()
        self._installed = ""
        self._silent = False
        """Whether Slurm answered neither: until it does, the commands ask, since they fail sooner."""

    @property
    def reads_by(self) -> str:
        child = self.child
        if child.trouble:
            return f"{super().reads_by}, since pyslurm is away: {child.trouble}"
        return f"pyslurm {child.version}" if child.version else super().reads_by

    async def jobs(self) -> list[Job]:
        reading = QueueReading(self._queue, self._answers)
        try:
            with many_values():
                await self._read("jobs", reading.take)
        except LibraryUnavailable:
            return await self._by_commands(super().jobs)
        jobs = list(reading.jobs.values())
        there = {job.id for job in jobs} if self._answers else set()
        self._answers = {phase: job for phase, job in self._answers.items() if phase[0] in there}
        self._queue = reading.jobs
        self._settled.settle(len(jobs))
        return await self._jobs_and_answers(reading.asked) if reading.asked else jobs

    async def close(self) -> None:
        await self.child.close()

    async def _jobs_and_answers(self, asked: set[Phase]) -> list[Job]:
        """Read the queue by squeue, and keep its values of these jobs for the next readings by pyslurm."""
        jobs = {job.id: job for job in await super().jobs()}
        for number, ended in asked:
            job = jobs.get(number)
            if job is not None and job.state.is_over == (ended is not None):
                self._answers[number, ended] = job
        return list(jobs.values())

    async def _by_commands(self, read: Callable[[], Awaitable[list[Job]]]) -> list[Job]:
        """Read by the commands instead of pyslurm. If they get no answer either, pyslurm is not to blame."""
        try:
            data = await read()
        except SlurmUnavailable:
            self._silent = True
            self.child.acquit()
            raise
        self._silent = False
        return data

    async def _read(self, what: str, take: Callable[[str], object]) -> None:
        child = self.child
        if self._silent or child.rests:
            raise LibraryUnavailable(child.trouble)
        async with self.budget.reading():
            if child.pid is None:
                await self._read_config()
                self._installed = await self.ask(["squeue", "--version"])
            self.calls[f"pyslurm {what}"] += 1
            with self.timings.of(f"pyslurm {what}"):
                await child.read(what, take)

    def _fits(self, version: str) -> None:
        """Raise LibraryUnavailable unless pyslurm, the installed Slurm and slurmctld match, and Slurm tracks GPUs."""
        config = self._config or {}
        mine, installed, controller = map(series, (version, self._installed, config.get("SLURM_VERSION", "")))
        if mine != installed:
            raise LibraryUnavailable(
                f"pyslurm {version} is made for Slurm {mine}, but Slurm {installed} is installed here"
            )
        if mine != controller:
            raise LibraryUnavailable(
                f"pyslurm {version} is made for Slurm {mine}, but slurmctld is version {controller}"
            )
        if "gres/gpu" not in config.get("AccountingStorageTRES", ""):
            raise LibraryUnavailable(
                "without gres/gpu in AccountingStorageTRES it does not report the GPUs that jobs request"
            )

    async def _read_config(self) -> dict[str, str]:
        """Read the configuration; a different slurmctld has the fit checked again."""
        config = await super()._read_config()
        if self.child.pid is not None and series(config.get("SLURM_VERSION", "")) != series(self.child.version or ""):
            await self.child.close()
        return config
