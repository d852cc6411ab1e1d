"""Holds the files of the site's JupyterLab builds, compressed, for all sessions' pages to load from one address.

<data_dir>/jupyterlab/<id>/        one build: JupyterLab's own files, or one extension's; FILE, or FILE.gz
<data_dir>/jupyterlab/<id>/.loads  how often each was loaded, as JSON

A build is identified by its content and copied once, so what an address serves never changes. Only what the site's
administrators installed is copied: in environments of kind `path`, files and folders that belong to root or to the
portal's account, and that nobody else can write.

Visits show which files JupyterLab's page loads first; the web app fetches those while a session starts.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import structlog

from portal.environments.builds import ID_BYTES, File, identify, listing
from portal.loops import every
from portal.settings import Settings
from portal.settings.hosts import same_site
from portal.shipped import AGENT

log = structlog.get_logger(__name__)

EVERY_S = 60.0
KEPT_S = 90 * 86_400.0
"""How long a build is served after the last environment that has it is gone: sessions may still run from it."""
BUILD = re.compile(rf"[0-9a-f]{{{2 * ID_BYTES}}}")
OWN = Path("share", "jupyter", "lab", "static")
EXTENSIONS = Path("share", "jupyter", "labextensions")
SHIPPED = AGENT / "lab" / "labextension" / "static"
TEXT = {".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".map": "application/json"}
TEXT |= {".svg": "image/svg+xml", ".txt": "text/plain", ".wasm": "application/wasm"}
TEXT |= {".eot": "application/vnd.ms-fontobject", ".otf": "font/otf", ".ttf": "font/ttf"}
PACKED = {".gif": "image/gif", ".png": "image/png", ".woff": "font/woff", ".woff2": "font/woff2"}
KINDS = TEXT | PACKED
NOT_SERVED = {".html", ".md"}
"""The session's server renders its page itself."""
LOADS = ".loads"
WORKER = b"Worker(new URL("
"""Browsers start no worker whose script comes from another host."""


class NotServable(Exception):
    """The build must be served by the session itself."""


class ServedFile(NamedTuple):
    path: Path
    media_type: str
    gzipped: bool


class LabFiles:
    def __init__(self, settings: Settings) -> None:
        self._environments = settings.environments
        self._folder = settings.data_dir / "jupyterlab"
        self._url = f"{settings.portal_origin}{settings.server.prefix}/jupyterlab"
        self._known: dict[Path, tuple[tuple[File, ...], str]] = {}
        self._loads: dict[str, Counter[str]] = {}
        self._written: dict[str, int] = {}
        hub = settings.hub.public_url
        self._one_site = not hub or same_site(hub, settings.server.public_url)

    def builds(self) -> set[str]:
        """Return the ids of the builds held."""
        return {build for _, build in self._known.values() if build}

    @property
    def offer(self) -> str:
        """Return the address and the ids of the builds held, for sessions."""
        held = sorted(self.builds())
        return " ".join([self._url, *held]) if held else ""

    async def run(self) -> None:
        """Look for new builds for ever."""
        await every(EVERY_S, lambda: asyncio.to_thread(self.look))

    def look(self) -> None:
        """Copy builds that are new or have changed, and remove those that no environment has had for a long time."""
        known = {}
        for folder, top in self._candidates():
            try:
                files = listing(str(folder))
                before = self._known.get(folder)
                known[folder] = before if before and before[0] == files else (files, self._hold(folder, files, top))
            except (OSError, ValueError) as error:
                log.info("jupyterlab.not_shared", folder=str(folder), why=str(error))
        self._known = known
        self._keep_loads()
        self._remove_old()

    def find(self, build: str, name: str, query: str = "") -> ServedFile | None:
        """Return a file of a build, and count the load. `query` is the address's: JupyterLab's repeats the hash."""
        media_type = KINDS.get(PurePosixPath(name).suffix)
        if not BUILD.fullmatch(build) or media_type is None or any(part in ("", ".", "..") for part in name.split("/")):
            return None
        plain = self._folder / build / name
        packed = plain.with_name(f"{plain.name}.gz")
        gzipped = packed.is_file()
        if not gzipped and not plain.is_file():
            return None
        loads = self._loads.get(build)
        if loads is not None and query in ("", *(f"v={part}" for part in name.split("."))):
            loads[f"{name}?{query}" if query else name] += 1
        return ServedFile(packed if gzipped else plain, media_type, gzipped)

    def loaded_first(self, environment: str) -> list[str]:
        """Return the addresses of what JupyterLab's page loads at most visits, in sessions of this environment.

        Empty if its sessions serve it themselves, and if a page on the sessions' host would not find in the browser's
        cache what a page of the portal has loaded: browsers have a cache for each site.
        """
        served = self._environments.get(environment)
        if served is not None and served.extends:
            served = self._environments[served.extends]
        if not self._one_site or served is None or served.kind != "path" or served.path is None:
            return []
        top = served.path.resolve()
        builds = [build for folder, (_, build) in self._known.items() if folder == SHIPPED or top in folder.parents]
        return [f"{self._url}/{build}/{name}" for build in builds for name in self._first(build)]

    def _first(self, build: str) -> list[str]:
        """Return the files of a build, with their queries, that at least half as many loaded as the most loaded one."""
        loads = dict(self._loads.get(build, {}))
        most = max(loads.values(), default=0)
        return [name for name, count in loads.items() if 2 * count >= most]

    def _keep_loads(self) -> None:
        """Read the counts of builds that are new here, and write those that have changed."""
        for build in self.builds():
            file = self._folder / build / LOADS
            if build not in self._loads:
                self._loads[build] = Counter(_read(file))
                self._written[build] = self._loads[build].total()
            loads = dict(self._loads[build])
            total = sum(loads.values())
            if total != self._written[build]:
                new = file.with_suffix(".new")
                new.write_text(json.dumps(loads))
                new.replace(file)
                self._written[build] = total

    def _candidates(self) -> Iterator[tuple[Path, Path | None]]:
        """Yield the folders that may be shared, each with the topmost folder that must belong to the site."""
        yield SHIPPED, None
        for environment in self._environments.values():
            if environment.kind == "path" and environment.path:
                top = environment.path.resolve()
                yield from ((folder, top) for folder in _builds_in(top) if folder.is_dir())

    def _hold(self, folder: Path, files: tuple[File, ...], top: Path | None) -> str:
        """Copy the build and return its id; empty if sessions must serve it themselves."""
        try:
            if top is not None:
                _require_sites_own(folder, files, top)
            build = identify(_contents(folder, files))
            if not (self._folder / build).is_dir():
                self._write(build, _contents(folder, files))
        except NotServable as why:
            log.info("jupyterlab.not_shared", folder=str(folder), why=str(why))
            return ""
        os.utime(self._folder / build)
        return build

    def _write(self, build: str, contents: Iterable[tuple[str, bytes]]) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".", dir=self._folder))
        try:
            if identify(_written(beside, contents)) != build:
                raise NotServable("it changed while it was copied")
            beside.rename(self._folder / build)
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _remove_old(self) -> None:
        if not self._folder.is_dir():
            return
        held = self.builds()
        for folder in self._folder.iterdir():
            if folder.name not in held and folder.stat().st_mtime < time.time() - KEPT_S:
                shutil.rmtree(folder, ignore_errors=True)


def _read(loads: Path) -> dict[str, int]:
    try:
        return dict(json.loads(loads.read_text()))
    except (OSError, ValueError):  # none yet, or cut off by a crash: it is counted anew
        return {}


def _builds_in(top: Path) -> Iterator[Path]:
    yield top / OWN
    for file in sorted([*(top / EXTENSIONS).glob("*/package.json"), *(top / EXTENSIONS).glob("@*/*/package.json")]):
        yield file.parent / "static"


def _require_sites_own(folder: Path, files: tuple[File, ...], top: Path) -> None:
    """Raise NotServable if anything from `top` down to the files can be changed by anyone but root and the portal."""
    paths = {folder / file.name for file in files}
    inside = folder.relative_to(top)
    paths |= {parent for path in paths for parent in path.parents if parent.is_relative_to(folder)}
    paths |= {top, *(top / parent for parent in inside.parents)}
    for path in paths:
        entry = path.lstat()
        if stat.S_ISLNK(entry.st_mode):
            raise NotServable(f"{path} is a link")
        if entry.st_uid not in (0, os.geteuid()) or entry.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise NotServable(f"{path} can be changed by others than root and the portal's account")


def _contents(folder: Path, files: Iterable[File]) -> Iterator[tuple[str, bytes]]:
    """Yield the files one by one, since a build is megabytes. Raises NotServable for what fails from another host."""
    for file in files:
        content = (folder / file.name).read_bytes()
        suffix = PurePosixPath(file.name).suffix
        if suffix not in KINDS and suffix not in NOT_SERVED:
            raise NotServable(f"{file.name} is of a kind that is not served")
        if suffix == ".js" and WORKER in content:
            raise NotServable(f"{file.name} starts a worker")
        yield file.name, content


def _written(folder: Path, contents: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Write what is served, compressed, and pass everything on."""
    for name, content in contents:
        suffix = PurePosixPath(name).suffix
        if suffix in KINDS:
            target = folder / (f"{name}.gz" if suffix in TEXT else name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(gzip.compress(content, 6) if suffix in TEXT else content)
        yield name, content
