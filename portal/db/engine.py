"""The database engine and the unit of work.

One unit of work is one transaction: it commits when its block ends well and rolls back otherwise.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from sqlalchemy import event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from portal.sqlite import write_durably

#: How long a request waits for a connection while all are in use.
POOL_TIMEOUT_S = 5.0

UnitOfWork = Callable[[], AbstractAsyncContextManager[AsyncSession]]


def make_engine(url: str) -> AsyncEngine:
    """Make the engine for `url`; SQLite gets synced commits, foreign keys and a busy timeout."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_async_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=10, pool_timeout=POOL_TIMEOUT_S)
    engine = create_async_engine(url, pool_timeout=POOL_TIMEOUT_S)

    @event.listens_for(engine.sync_engine, "connect")
    def _pragmas(connection, _record) -> None:  # type: ignore[no-untyped-def]  # the DB-API's own types
        write_durably(connection)
        cursor = connection.cursor()
        for pragma in ("foreign_keys=ON", "busy_timeout=3000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def unit_of_work(engine: AsyncEngine) -> UnitOfWork:
    """Return the factory of transactions on `engine`."""
    maker = async_sessionmaker(engine, expire_on_commit=False)

    @asynccontextmanager
    async def work() -> AsyncIterator[AsyncSession]:
        async with maker() as session, session.begin():
            yield session

    return work
