"""The light environment that sessions run in: built once per clone, at a path that all nodes see."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import shutil
from pathlib import Path

from demo.processes import Processes
from demo.service import Service, folder
from demo.site import Site

PYTHON = Path("/usr/bin/python3")


class BaseEnvironment:
    def __init__(self, site: Site, processes: Processes) -> None:
        self.site = site
        self.processes = processes
        self.path = site.environments / "base"

    def services(self) -> list[Service]:
        return [Service("environment", "Session environment", prepare=self._prepare)]

    async def _prepare(self) -> None:
        """Allow one site at a time: the sites of a clone share the environment and may start at once."""
        folder(self.site.environments, "portal")
        with (self.site.environments / ".base.lock").open("w") as turn:
            await asyncio.to_thread(fcntl.flock, turn, fcntl.LOCK_EX)
            await self._make()

    async def _make(self) -> None:
        lock = self.site.source / "requirements" / "session.txt"
        made_of = hashlib.sha256(lock.read_bytes() + str(PYTHON.resolve()).encode()).hexdigest()
        stamp = self.path / "made-of"
        if stamp.exists() and stamp.read_text() == made_of:
            return
        if self.path.exists():
            await asyncio.to_thread(shutil.rmtree, self.path)
        uv = self.site.source / ".cache" / "boot" / "bin" / "uv"
        log = self.site.log("environment")
        await self.processes.run([uv, "venv", "--quiet", "--python", PYTHON, self.path], log=log)
        await self.processes.run(
            [
                *(uv, "pip", "sync", "--quiet", "--require-hashes", "--compile-bytecode"),
                *("--python", self.path / "bin" / "python", lock),
            ],
            log=log,
            timeout_s=900,
        )
        stamp.write_text(made_of)
