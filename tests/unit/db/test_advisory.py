"""PostgreSQL's lock over restarts of the server: taken again, or lost to a portal that was quicker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from portal.db.advisory import KEY, Advisory
from portal.db.engine import make_engine
from tests.postgresql import Cluster

HELD = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = "
            "(SELECT oid FROM pg_database WHERE datname = current_database())")  # fmt: skip


@pytest.fixture
async def engine(postgresql: Cluster) -> AsyncIterator[AsyncEngine]:
    with postgresql.database() as url:
        engine = make_engine(url)
        try:
            yield engine
        finally:
            await engine.dispose()


async def test_lock_is_taken_again_after_the_server_was_restarted(engine: AsyncEngine, postgresql: Cluster) -> None:
    lock = Advisory(engine, look_s=0.05)
    assert await lock.take()
    keeping = asyncio.create_task(lock.keep(lambda: pytest.fail("nobody else wanted it")))
    try:
        await asyncio.to_thread(postgresql.restart)
        async with asyncio.timeout(20):
            while not await _held(engine):
                await asyncio.sleep(0.05)
        other = Advisory(engine)
        assert not await other.take()
        await other.drop()
        assert not keeping.done()
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await lock.drop()
    await _until_held(engine, 0)  # the server hears of the end of a connection a moment later


async def test_portal_that_lost_its_lock_to_another_is_told(engine: AsyncEngine) -> None:
    lock, event = Advisory(engine, look_s=0.05, disputed_s=0.2), asyncio.Event()
    assert await lock.take()
    async with engine.connect() as other, engine.connect() as killer:
        waiting = asyncio.create_task(other.execute(text("SELECT pg_advisory_lock(:key)"), {"key": KEY}))
        waits = text("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        async with asyncio.timeout(20):
            while not (await killer.execute(waits)).all():
                await asyncio.sleep(0.05)
        keeping = asyncio.create_task(lock.keep(event.set))
        await killer.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
        )
        await waiting
        async with asyncio.timeout(20):
            await event.wait()
            await keeping
        await lock.drop()
        await other.invalidate()


async def _until_held(engine: AsyncEngine, count: int) -> None:
    async with asyncio.timeout(20):
        while await _held(engine) != count:
            await asyncio.sleep(0.05)


async def _held(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int(await connection.scalar(HELD) or 0)
