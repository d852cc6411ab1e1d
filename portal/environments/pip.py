"""Runs venv and pip for an installation, follows their progress, and explains their failures.

pip, not uv: a site's own index, wheels, proxy and certificates are configured for pip, and must apply here, too.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import takewhile
from pathlib import Path
from typing import cast

from portal.environments.locks import Lock
from portal.errors import InstallFailed

KEPT_VARIABLES = re.compile(
    r"PATH|HOME|LANG|LC_\w+|PIP_\w+|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE", re.IGNORECASE
)
KILL_AFTER_S = 5.0
LINE_LIMIT = 1 << 20

Report = Callable[[str, int], None]
"""Called with the current step and the progress, in percent."""


class PackageMissing(InstallFailed):
    """The index has no such package for this Python: another lock may fit."""


def environ(of: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """Return the variables that pip may see; large archives go to `scratch`, not to a small /tmp."""
    return {key: value for key, value in of.items() if KEPT_VARIABLES.fullmatch(key)} | {
        "TMPDIR": str(scratch),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PYTHONUNBUFFERED": "1",
    }


class Pip:
    """The programs of one installation: their environment, their log, and the lock they hold while they run."""

    def __init__(self, *, log: Path, env: Mapping[str, str], held: int) -> None:
        self._log = log
        self._env = env
        self._held = held
        self._said: list[str] = []

    async def make_venv(self, python: Path, folder: Path) -> None:
        """Make a virtual environment. Raises InstallFailed."""
        if await self._run(str(python), "-m", "venv", str(folder)):
            raise InstallFailed(_venv_words(python, self._said))

    async def install(self, folder: Path, lock: Lock, report: Report) -> None:
        """Install the lock's packages, each checked against its hash.

        Raises PackageMissing if the index lacks some of them for this Python, InstallFailed otherwise.
        """
        follow = _Progress(lock, report)
        failed = await self._run(
            *_pip(folder, "install", "--no-deps", "--require-hashes", "--progress-bar=off"),
            *("--requirement", str(lock.path)),
            follow=follow,
        )
        if failed:
            raise _install_words(self._said, lock)

    async def check(self, folder: Path, *imports: str) -> None:
        """Check that all dependencies are met and that `imports` can be imported. Raises InstallFailed."""
        if await self._run(*_pip(folder, "check")):
            raise InstallFailed(
                f"The lock is incomplete: {self._said[-1] if self._said else 'pip check failed'}.",
                hint="Regenerate the lock; see docs/how-to/environments.md.",
            )
        for module in imports:
            if await self._run(str(folder / "bin" / "python"), "-c", f"import {module}"):
                raise InstallFailed(f"The environment has no working {module}; its lock must include it.")

    async def _run(self, *argv: str, follow: Callable[[str], None] | None = None) -> int:
        """Run a program to its end, with its output in the log; return its exit status."""
        self._said = []
        with self._log.open("a", errors="replace") as log:
            log.write(f"$ {' '.join(argv)}\n")
            async with self._process(argv) as process:
                async for raw in cast(asyncio.StreamReader, process.stdout):
                    line = raw.decode(errors="replace").rstrip()
                    log.write(f"{line}\n")
                    log.flush()
                    self._said.append(line)
                    if follow:
                        follow(line)
                return await process.wait()

    @asynccontextmanager
    async def _process(self, argv: tuple[str, ...]) -> AsyncIterator[asyncio.subprocess.Process]:
        """Start a program in its own process group and end the whole group with the block.

        The program also holds the installation's lock: if this process is killed, no other installation
        starts while the program still runs.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=dict(self._env),
                limit=LINE_LIMIT,
                umask=0o022,
                start_new_session=True,
                pass_fds=(self._held,),
            )
        except OSError as error:
            raise InstallFailed(f"{argv[0]} cannot be started ({error.strerror}).") from error
        try:
            yield process
        finally:
            if process.returncode is None:
                await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            async with asyncio.timeout(KILL_AFTER_S):
                await process.wait()
                break
        except TimeoutError:
            continue


def _pip(folder: Path, command: str, *options: str) -> tuple[str, ...]:
    return (str(folder / "bin" / "python"), "-m", "pip", command, *options)


_PACKAGE = re.compile(r"(?:Collecting |Processing (?:\S*/)?)(?P<name>\w[\w.]*(?:-[A-Za-z]\w*)*)(?:==|-\d)")
_DOWNLOAD = re.compile(r"\s+(?:Downloading|Using cached) (?:\S*/)?(?P<name>\w+)-\S+ \((?P<size>[\d.]+ [MG]B)\)")


class _Progress:
    """Turns pip's lines into a percentage: downloading takes 5 to 70, installing comes after."""

    def __init__(self, lock: Lock, report: Report) -> None:
        self._total = lock.packages
        self._report = report
        self._done = 0

    def __call__(self, line: str) -> None:
        if line.startswith("Ignoring "):
            self._done += 1
        elif match := _PACKAGE.match(line):
            self._done += 1
            self._say(match["name"])
        elif match := _DOWNLOAD.match(line):
            self._say(f"{match['name']} ({match['size']})")
        elif line.startswith("Installing collected packages"):
            self._report("Unpacking the packages", 70)

    def _say(self, what: str) -> None:
        self._report(f"Fetching {what}", 5 + 65 * min(self._done, self._total) // self._total)


_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError|ProtocolError"
    r"|Failed to establish a new connection|Temporary failure in name resolution|Network is unreachable"
    r"|Connection (refused|reset|aborted)|RemoteDisconnected"
)
_CONFLICT = "The conflict is caused by:"
_MISSING = re.compile(r"No matching distribution found for (\S+)")


def _install_words(output: list[str], lock: Lock) -> InstallFailed:
    text = "\n".join(output)
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return InstallFailed(
            "This machine does not trust the package index's certificate.",
            hint="Name the site's CA in pip's configuration (`cert = …`) and install again.",
        )
    if _NETWORK.search(text):
        return InstallFailed(
            "The package index could not be reached from this machine.",
            hint="Check the network, or name the site's proxy or index in pip's configuration, and install again.",
        )
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return InstallFailed("The disk is full.", hint="Free some space and install again.")
    if "DO NOT MATCH THE HASHES" in text:
        return InstallFailed(
            f"A package does not match {lock.path.name}: its hash differs. Nothing was installed.",
            hint="The log says which. If its source can be trusted, regenerate the lock; otherwise report it.",
        )
    if "(from versions: none)" in text:
        return InstallFailed(
            "The package index has no packages, or is the wrong one.",
            hint="See the log for which index was used, correct pip's configuration, and install again.",
        )
    if "ResolutionImpossible" in text:
        return InstallFailed(
            f"These requirements of {lock.path.name} conflict: {_conflict(output)}.",
            hint="Correct the lock, or regenerate it; see docs/how-to/environments.md.",
        )
    if missing := _MISSING.search(text):
        return PackageMissing(
            f"The package index has no {missing[1]} for this Python.",
            hint="Choose another `environments_python`, or regenerate the lock; see docs/how-to/environments.md.",
        )
    last = next((line for line in reversed(output) if line.startswith("ERROR:")), "pip failed")
    return InstallFailed(f"{last.removeprefix('ERROR:').strip()[:300]}")


def _conflict(output: list[str]) -> str:
    """Return pip's lines on which packages exclude each other, as one."""
    rest = iter(output)
    causes = [line.strip() for line in takewhile(str.strip, rest)] if _CONFLICT in rest else []
    if not causes:
        causes = [match[1] for line in output if (match := re.search(r"Cannot install (.+?) because", line))]
    return "; ".join(causes)[:300] or "see the log"


def _venv_words(python: Path, output: list[str]) -> str:
    if any("ensurepip" in line for line in output):
        return f"{python} cannot create environments: install its venv package (`apt install python3-venv`)."
    return f"{python} could not create an environment: {output[-1] if output else 'no reason given'}."
