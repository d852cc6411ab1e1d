"""Lists the site's environments and installs them.

An installation is built beside the current one and swapped in as a whole, by the process that requested it: the web
app's or the command line's.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog

from portal.environments.kernels import write_kernels
from portal.environments.locks import Lock, read_lock
from portal.environments.pip import PackageMissing, Pip, environ
from portal.environments.schemas import EnvironmentChange, EnvironmentOut
from portal.environments.store import KEPT_BUILDS, State, Status, Store
from portal.errors import Conflict, InstallFailed, NotFound, PortalError
from portal.events.bus import Bus, Event
from portal.settings import Environment, Settings

log = structlog.get_logger()

INSTALL_TIMEOUT_S = 3600.0
MIB = 1 << 20

Watch = Callable[[EnvironmentChange], None]


class EnvironmentService:
    def __init__(self, settings: Settings, bus: Bus | None = None) -> None:
        self.settings = settings
        self._bus = bus
        self._running: set[asyncio.Task[None]] = set()

    async def overview(self) -> list[EnvironmentOut]:
        """Return every declared environment, with the state of its last installation."""
        return await asyncio.to_thread(lambda: [self._show(name) for name in self.settings.environments])

    async def brief(self) -> list[dict[str, Any]]:
        """Return the environments for the form of a new session."""
        return [
            environment.model_dump(exclude={"state", "message", "progress"}) for environment in await self.overview()
        ]

    def is_installed(self, name: str) -> bool:
        """Return whether it is installed. The portal does not install modules or images; only nodes may have them."""
        environment = self._environment(name)
        return environment.kind != "path" or self._store(name).installed

    def missing(self, name: str) -> str | None:
        """Return why sessions cannot use the environment; None if they can, or if only the nodes know."""
        environment = self._environment(name)
        if self.is_installed(name) or not environment.packages:
            return None
        return f"{environment.title} is not installed yet; choose another environment, or ask the administrators."

    def start(self, name: str) -> EnvironmentOut:
        """Start an installation in the background; its progress goes to the bus.

        Raises NotFound, Conflict, ConfigurationError, InstallFailed for what is known at once.
        """
        locks, held = self._prepare(name)
        task = asyncio.create_task(self._in_background(name, locks, held), name=f"install {name}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return self._show(name)

    async def install(self, name: str, watch: Watch | None = None) -> None:
        """Install or renew an environment and return when it is in place.

        Raises NotFound, Conflict (it is being installed already, or is not ours to install), InstallFailed.
        """
        locks, held = self._prepare(name)
        await self._install(name, locks, held, watch)

    async def close(self) -> None:
        """Abort running installations; the previous ones stay in use."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def declare_kernels(self, name: str) -> list[Path]:
        """Declare the kernels of an environment that the site made itself. Raises NotFound, Conflict, InstallFailed."""
        environment, store = self._environment(name), self._store(name)
        if not environment.extends:
            raise Conflict(
                f"“{name}” serves Jupyter itself and already has its kernel.", hint="There is nothing to do."
            )
        try:
            written = write_kernels(store.path, name, environment)
        except OSError as error:
            raise InstallFailed(
                f"{error.filename} cannot be written ({error.strerror}).", hint="Run this as the environment's owner."
            ) from error
        if not written:
            raise Conflict(
                f"There is no Python in {store.path}, and no kernel for another language.",
                hint="Create the environment first, with ipykernel, IRkernel or another kernel in it.",
            )
        return written

    # --- one installation ---

    def _prepare(self, name: str) -> tuple[list[Lock], int]:
        """Check in advance and take the lock; return the lock files that may fit, and the held lock."""
        environment, store = self._environment(name), self._store(name)
        if not environment.packages:
            raise Conflict(
                f"“{name}” is maintained by the site, not by the portal.",
                hint="To have the portal install it, name locked requirements in environments.NAME.packages.",
            )
        if store.foreign:
            raise Conflict(
                f"{store.path} already exists and was not created by the portal; it is left alone.",
                hint="Move it away, or name another path in environments.NAME.path.",
            )
        locks = [read_lock(path, default_size_mb=environment.size_mb) for path in environment.packages]
        held = store.lock()
        _Teller(name, store, self._bus, None)(State.INSTALLING, "Preparing", 0)
        return locks, held

    async def _in_background(self, name: str, locks: list[Lock], held: int) -> None:
        started = time.monotonic()
        try:
            await self._install(name, locks, held, None)
            log.info("environment.installed", environment=name, seconds=round(time.monotonic() - started))
        except PortalError as error:
            log.warning("environment.install_failed", environment=name, error=error.message)
        except Exception:
            log.exception("environment.install_crashed", environment=name)

    async def _install(self, name: str, locks: list[Lock], held: int, watch: Watch | None) -> None:
        store = self._store(name)
        tell = _Teller(name, store, self._bus, watch)
        build: Path | None = None
        try:
            build = await asyncio.to_thread(store.new_build)
            async with asyncio.timeout(INSTALL_TIMEOUT_S):
                await self._build(name, locks, held, build, tell)
            await asyncio.to_thread(store.activate, build)
            tell(State.INSTALLED, "Installed", 100)
            await asyncio.to_thread(store.remove_builds, keep=KEPT_BUILDS)
        except BaseException as error:
            # Whatever ends it, even a cancelled task or a killed terminal: leave no half build, and report the reason.
            if build:
                await asyncio.shield(asyncio.to_thread(shutil.rmtree, build, True))
            failure = _failure(error)
            tell(State.FAILED, f"{failure.message} {failure.hint}", 0)
            if failure is not error and isinstance(error, Exception):
                raise failure from error
            raise
        finally:
            os.close(held)

    async def _build(self, name: str, locks: list[Lock], held: int, build: Path, tell: _Teller) -> None:
        environment, store = self._environment(name), self._store(name)
        scratch = build.with_suffix(".tmp")
        try:
            await asyncio.to_thread(scratch.mkdir)
            pip = Pip(log=store.log, env=environ(os.environ, scratch), held=held)
            tell(State.INSTALLING, "Making a Python environment", 2)
            await pip.make_venv(self.settings.environments_python, build)
            for lock in locks:
                await asyncio.to_thread(_require_room, store.builds, lock)
                try:
                    await pip.install(build, lock, lambda message, progress: tell(State.INSTALLING, message, progress))
                    break
                except PackageMissing:
                    if lock is locks[-1]:
                        raise
            tell(State.INSTALLING, "Checking", 92)
            await pip.check(build, *(["ipykernel"] if environment.extends else ["jupyterhub", "jupyterlab"]))
            if environment.extends:
                await asyncio.to_thread(write_kernels, build, name, environment)
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, scratch, True))

    # --- existing environments ---

    def _show(self, name: str) -> EnvironmentOut:
        environment = self._environment(name)
        store = self._store(name) if environment.kind == "path" else None
        status = store.status() if store else Status(State.INSTALLED, "", 100)
        return EnvironmentOut(
            name=name,
            title=environment.title,
            description=environment.description,
            version=environment.version,
            kind=environment.kind,
            installed=store.installed if store else True,
            installable=store is not None and bool(environment.packages) and not store.foreign,
            size_mb=environment.size_mb,
            state=status.state,
            message=status.message,
            progress=status.progress,
            reason=self.missing(name),
        )

    def _environment(self, name: str) -> Environment:
        try:
            return self.settings.environments[name]
        except KeyError:
            known = ", ".join(self.settings.environments) or "none is declared"
            raise NotFound(f"There is no environment “{name}”. There is: {known}.") from None

    def _store(self, name: str) -> Store:
        """Return the folders of an environment of kind `path`. Raises Conflict for another kind, which has none."""
        environment = self._environment(name)
        if environment.kind != "path" or environment.path is None:
            raise Conflict(f"“{name}” cannot be installed.", hint="Only environments of kind `path` are installed.")
        return Store(environment.path)


class _Teller:
    """Reports an installation's progress: to the state file, to open pages, and to the caller."""

    def __init__(self, name: str, store: Store, bus: Bus | None, watch: Watch | None) -> None:
        self._name = name
        self._store = store
        self._bus = bus
        self._watch = watch
        self._last: Status | None = None

    def __call__(self, state: State, message: str, progress: int) -> None:
        status = Status(state, message, progress)
        if status == self._last:
            return
        self._last = status
        try:
            self._store.write_status(status)
        except OSError as error:  # a full disk must not stop the other reports
            log.warning("environment.status_not_written", environment=self._name, error=str(error))
        change = EnvironmentChange(name=self._name, state=state, message=message, progress=progress)
        if self._bus:
            self._bus.publish(Event("environment", change.model_dump_json(), about=self._name))
        if self._watch:
            self._watch(change)


def _require_room(folder: Path, lock: Lock) -> None:
    free_mb = shutil.disk_usage(folder).free // MIB
    if free_mb < lock.needed_mb:
        raise InstallFailed(
            f"Not enough disk space in {folder.parent.parent}: {lock.needed_mb:,} MB needed, {free_mb:,} MB free.",
            hint="Free some space and install again.",
        )


def _failure(error: BaseException) -> PortalError:
    if isinstance(error, PortalError):
        return error
    if isinstance(error, TimeoutError):
        return InstallFailed(f"It did not finish within {INSTALL_TIMEOUT_S / 60:.0f} minutes and was ended.")
    if isinstance(error, OSError):
        return InstallFailed(f"{error.filename or 'A file'} cannot be written ({error.strerror}).")
    if isinstance(error, Exception):
        return InstallFailed("It failed for an unknown reason; see the portal's log.")
    return InstallFailed("It was interrupted.", hint="The previous installation is untouched; install it again.")
