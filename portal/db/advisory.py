"""PostgreSQL's advisory lock, bound to one connection: lost with it, and taken again on a new one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

KEY = 0x4453506F7274616C
"""Ours alone in a database: "DSPortal" in ASCII."""
LOOK_S = 5.0
"""Interval between checks that the connection is still there."""
ANSWER_S = 30.0
"""Timeout of a check; after it the connection is given up."""
DISPUTED_S = 90.0
"""How long a server that has not noticed the loss of our last connection may keep its lock."""
#: With these, the server notices silence from this machine within a minute, not the kernel's two hours.
NOTICES = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 3")

log = structlog.get_logger()


class Advisory:
    def __init__(self, engine: AsyncEngine, *, look_s: float = LOOK_S, disputed_s: float = DISPUTED_S) -> None:
        self._engine = engine
        self._look_s = look_s
        self._disputed_s = disputed_s
        self._connection: AsyncConnection | None = None

    async def take(self) -> bool:
        """Return whether we now hold the lock. Raises SQLAlchemyError if the server does not answer."""
        if self._connection is None:
            self._connection = await self._engine.connect()
            for setting in NOTICES:
                await self._connection.execute(text(f"SET {setting}"))
        taken = await self._connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY})
        await self._connection.commit()
        return bool(taken)

    async def keep(self, lost: Callable[[], None]) -> None:
        """Watch the lock until cancelled: take it again if its connection is lost, or call `lost` and end."""
        disputed = None
        while True:
            await asyncio.sleep(self._look_s)
            try:
                async with asyncio.timeout(ANSWER_S):
                    if self._connection is not None and disputed is None:
                        await self._connection.execute(text("SELECT 1"))
                        await self._connection.commit()
                        continue
                    taken = await self.take()
            except (SQLAlchemyError, OSError, TimeoutError):
                await self.drop()
                continue
            if taken:
                log.info("database.held_again")
                disputed = None
                continue
            disputed = disputed or time.monotonic()
            if time.monotonic() - disputed >= self._disputed_s:
                lost()
                return

    async def drop(self) -> None:
        """Release the lock by closing its connection: back in the pool, it would keep the lock."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        with suppress(SQLAlchemyError, OSError):
            await connection.invalidate()
            await connection.close()
