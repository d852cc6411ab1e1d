"""One portal to a database: a second one would take the first one's sessions for jobs that nobody knows, and end them.

SQLite: a lock on a file beside it, which goes with the process. PostgreSQL: an advisory lock of one connection, which
is not taken again when PostgreSQL loses it by a restart.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from portal.errors import ConfigurationError

PATIENCE_S = 10.0
"""For a portal before this one, which is ending."""
EVERY_S = 0.2
ADVISORY_KEY = 0x4453506F7274616C
"""Ours alone in a database: "DSPortal" in ASCII."""
HINT = "One portal serves a site: stop that one first, or give this one a database and a Hub of its own."


@asynccontextmanager
async def alone(engine: AsyncEngine, *, patience_s: float = PATIENCE_S) -> AsyncIterator[None]:
    """Hold the database for this portal. Raises ConfigurationError while another portal does."""
    if engine.dialect.name == "sqlite":
        async with _beside(Path(f"{engine.url.database}.lock"), patience_s):
            yield
    else:
        async with _advisory(engine, patience_s):
            yield


@asynccontextmanager
async def _beside(file: Path, patience_s: float) -> AsyncIterator[None]:
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+") as lock:

        async def take() -> bool:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        if not await _within(patience_s, take):
            holder = lock.read(200).strip() or "another process"
            raise ConfigurationError(f"Another portal ({holder}) works with {file.stem}.", hint=HINT)
        with suppress(OSError):  # a full disk keeps nobody from being alone
            lock.truncate(0)
            lock.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            lock.flush()
        yield


@asynccontextmanager
async def _advisory(engine: AsyncEngine, patience_s: float) -> AsyncIterator[None]:
    connection = await engine.connect()
    try:

        async def take() -> bool:
            taken = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_KEY})
            await connection.commit()
            return bool(taken)

        if not await _within(patience_s, take):
            raise ConfigurationError(f"Another portal works with the database {engine.url.database}.", hint=HINT)
        yield
    finally:
        with suppress(SQLAlchemyError):
            await connection.invalidate()  # back in the pool it would hold the lock on
            await connection.close()


async def _within(patience_s: float, take: Callable[[], Awaitable[bool]]) -> bool:
    deadline = time.monotonic() + patience_s
    while not await take():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(EVERY_S)
    return True
