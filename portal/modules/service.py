"""Keeps the list of modules, read in the background, and checks in advance whether a choice of them loads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import structlog

from portal.errors import SlurmUnavailable, Unavailable
from portal.loops import pause
from portal.modules.reading import from_environment_modules, from_lmod
from portal.modules.schemas import ModuleOut, ModulePage
from portal.settings import Modules
from portal.slurm import process

log = structlog.get_logger()

AGAIN_AFTER_FAILURE_S = 60.0
TRY_TIMEOUT_S = 20.0
TRIED_KEPT = 500


class ModulesUnavailable(Unavailable):
    code = "modules_unavailable"
    hint = "Run `portal check` on the portal's machine; sessions without modules still start."


class ModuleService:
    def __init__(self, settings: Modules, now: Callable[[], datetime]) -> None:
        self._settings = settings
        self._now = now
        self._page = ModulePage(items=[], as_of=None)
        self._tried: dict[tuple[str, ...], str | None] = {}

    @property
    def page(self) -> ModulePage:
        return self._page

    async def run(self) -> None:
        """Read the list periodically, for ever; keep the last one while it cannot be read."""
        while self._settings.command is not None:
            wait = self._settings.refresh_s
            try:
                await self.refresh()
            except ModulesUnavailable as error:
                log.warning("modules.not_read", error=error.message)
                wait = min(wait, AGAIN_AFTER_FAILURE_S)
            await pause(wait)

    async def refresh(self) -> ModulePage:
        """Read the list. Raises ModulesUnavailable."""
        self._page = ModulePage(items=await self._read(), as_of=self._now())
        self._tried.clear()
        return self._page

    async def refusal(self, modules: Sequence[str]) -> str | None:
        """Return why a session cannot load `modules`, in this order; None if it can, or if that is unknown.

        A name that is not in the list is refused. Whether the modules fit together is tried on this machine.
        """
        if not modules:
            return None
        if self._settings.command is None:
            return "This site has no environment modules; leave them out."
        if self._page.as_of is not None:
            unknown = [module for module in modules if not any(_offers(item, module) for item in self._page.items)]
            if unknown:
                return f"There is no module {', '.join(unknown)}. Choose from the list of modules."
        if not self._settings.try_loading:
            return None
        wanted = tuple(modules)
        if wanted not in self._tried:
            if len(self._tried) >= TRIED_KEPT:
                self._tried.clear()
            try:
                self._tried[wanted] = await self._try(wanted)
            except ModulesUnavailable as error:
                log.warning("modules.not_tried", modules=wanted, error=error.message)
                return None
        return self._tried[wanted]

    async def _try(self, modules: tuple[str, ...]) -> str | None:
        done = await self._ask("python", "load", *modules, timeout_s=TRY_TIMEOUT_S)
        if "_mlstatus = True" in done.out.splitlines():
            return None
        lines = [line.strip() for line in done.err.splitlines() if line.strip()]
        message = " ".join(line for line in lines if not line.startswith(("Loading ", "Lmod has detected")))
        message = message.partition(" while executing")[0].rstrip(" .")  # what follows is Tcl's own output
        return f"The modules {', '.join(modules)} do not load: {message[:400] or 'no reason is given'}."

    async def _read(self) -> list[ModuleOut]:
        command, timeout_s = self._settings.command, self._settings.timeout_s
        try:
            if command is not None and command.name == "lmod":
                folders = ":".join(str(path) for path in self._settings.paths)
                spider = await self._run(command.with_name("spider"), "-o", "jsonSoftwarePage", folders)
                return from_lmod(spider.out)
            avail, whatis = await asyncio.gather(
                self._ask("python", "avail", "--json", timeout_s=timeout_s),
                self._ask("python", "whatis", "--json", timeout_s=timeout_s),
            )
            return from_environment_modules(avail.err, whatis.err)
        except (ValueError, KeyError, TypeError) as error:
            raise ModulesUnavailable(f"{command} did not print a list of modules that the portal can read.") from error

    async def _ask(self, *arguments: str, timeout_s: float) -> process.Finished:
        if self._settings.command is None:
            raise ModulesUnavailable("This site has no environment modules.")
        return await self._run(self._settings.command, *arguments, timeout_s=timeout_s)

    async def _run(self, program: Path, *arguments: str, timeout_s: float | None = None) -> process.Finished:
        """Run a part of the module command with an empty environment, except for the modules' location."""
        env = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": "/",
            "LANG": "C.UTF-8",
            "MODULEPATH": ":".join(str(path) for path in self._settings.paths),
        }
        try:
            return await process.run(
                [str(program), *arguments], env=env, timeout_s=timeout_s or self._settings.timeout_s
            )
        except SlurmUnavailable as error:  # the runner's word for "did not answer"; here it is not Slurm
            raise ModulesUnavailable(error.message) from error


def _offers(module: ModuleOut, wanted: str) -> bool:
    return wanted == module.name or (
        wanted.startswith(f"{module.name}/") and wanted.removeprefix(f"{module.name}/") in module.versions
    )
