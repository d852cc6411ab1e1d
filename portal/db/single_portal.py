"""Allows one portal per database: a second would take the first one's sessions for unknown jobs, and end them.

SQLite: a lock on a file beside it, released with the process. PostgreSQL: an advisory lock (portal/db/advisory.py).
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from portal.db.advisory import Advisory
from portal.errors import ConfigurationError

PATIENCE_S = 10.0
"""Time for a previous portal to end."""
EVERY_S = 0.2
HINT = "A site can have only one portal: stop the other one first, or give this one its own database and Hub."

log = structlog.get_logger()


def end() -> None:
    """End this portal as a signal would; when started again, it reports that another one is running."""
    log.critical("database.taken", hint=HINT)
    signal.raise_signal(signal.SIGTERM)


@asynccontextmanager
async def alone(
    engine: AsyncEngine, *, patience_s: float = PATIENCE_S, lost: Callable[[], None] = end
) -> AsyncIterator[None]:
    """Hold the database for this portal. Raises ConfigurationError while another portal does.

    `lost` is called when another portal has taken it meanwhile, which only a restart of PostgreSQL makes possible.
    """
    if engine.dialect.name == "sqlite":
        async with _beside(Path(f"{engine.url.database}.lock"), patience_s):
            yield
    else:
        async with _advisory(engine, patience_s, lost):
            yield


@asynccontextmanager
async def _beside(file: Path, patience_s: float) -> AsyncIterator[None]:
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        hint = "The database's folder must exist and belong to the account that the portal runs as."
        raise ConfigurationError(f"{file.parent} cannot be used: {error.strerror}.", hint=hint) from error
    with os.fdopen(descriptor, "r+") as lock:

        async def take() -> bool:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        if not await _within(patience_s, take):
            holder = lock.read(200).strip() or "another process"
            raise ConfigurationError(f"Another portal ({holder}) is using {file.stem}.", hint=HINT)
        with suppress(OSError):  # a full disk must not prevent the lock
            lock.truncate(0)
            lock.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            lock.flush()
        yield


@asynccontextmanager
async def _advisory(engine: AsyncEngine, patience_s: float, lost: Callable[[], None]) -> AsyncIterator[None]:
    lock = Advisory(engine)
    try:
        if not await _within(patience_s, lock.take):
            raise ConfigurationError(f"Another portal is using the database {engine.url.database}.", hint=HINT)
        keeping = asyncio.create_task(lock.keep(lost))
        try:
            yield
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
    finally:
        await lock.drop()


async def _within(patience_s: float, take: Callable[[], Awaitable[bool]]) -> bool:
    deadline = time.monotonic() + patience_s
    while not await take():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(EVERY_S)
    return True
