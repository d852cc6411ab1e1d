"""What the supervisor knows about a service, and the conditions it waits for."""

from __future__ import annotations

import asyncio
import http.client
import os
import pwd
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Check = Callable[[], Awaitable[bool]]
Work = Callable[[], Awaitable[None]]


POLL_S = 0.05


@dataclass(frozen=True)
class Service:
    """One step of bringing the site up: work to prepare, a process, or both."""

    name: str
    title: str
    after: tuple[str, ...] = ()
    prepare: Work | None = None
    argv: Sequence[str | Path] = ()
    """Empty: the step is its preparation alone."""
    user: str | None = None
    env: Mapping[str, str | Path] = field(default_factory=dict)
    cwd: Path | str = "/"
    ready: Check | None = None
    ready_within_s: float = 180  # on a busy machine; one that exits is noticed at once
    settle: Work | None = None
    """Work to be done each time it has become ready, before what comes after it starts."""
    restart: bool = False
    """Start it again when it dies of itself, as systemd does with Restart=on-failure."""
    grace_s: float = 10


async def until(check: Check, *, within_s: float) -> None:
    """Poll a condition that sends no notification. Raises TimeoutError."""
    async with asyncio.timeout(within_s):
        while not await check():
            await asyncio.sleep(POLL_S)


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 1)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def listening(port: int) -> Check:
    return lambda: listens(port)


def answering(port: int, path: str, headers: Mapping[str, str] | None = None) -> Check:
    """Check that an HTTP server answers GET `path` with 200."""

    def ask() -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path, headers=dict(headers or {}))
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    return lambda: asyncio.to_thread(ask)


def accepting(path: Path) -> Check:
    """Check that something accepts connections on a Unix socket."""

    async def check() -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except OSError:
                return False
            return True

    return check


def folder(path: Path, owner: str = "root", mode: int = 0o755) -> Path:
    """Make a folder with the given mode, owner and the owner's group."""
    path.mkdir(parents=True, exist_ok=True)
    account = pwd.getpwnam(owner)
    os.chown(path, account.pw_uid, account.pw_gid)
    path.chmod(mode)
    return path


def write(path: Path, text: str, owner: str = "root", mode: int = 0o644) -> Path:
    """Write a file with this owner and mode; it is never readable by others, not even for a moment."""
    account = pwd.getpwnam(owner)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        os.fchown(file.fileno(), account.pw_uid, account.pw_gid)
        os.fchmod(file.fileno(), mode)
    new.replace(path)
    return path
