"""A second portal on the same database is refused, with a message, until the first has ended."""

from __future__ import annotations

import asyncio
import os

import pytest

from portal.db.engine import make_engine
from portal.db.single_portal import alone
from portal.errors import ConfigurationError


async def test_second_portal_is_refused_until_the_first_has_gone(empty_database: str) -> None:
    first, second = make_engine(empty_database), make_engine(empty_database)
    try:
        async with alone(first):
            with pytest.raises(ConfigurationError, match="Another portal") as refused:
                async with alone(second, patience_s=0.1):
                    pytest.fail("two at once")
            if "sqlite" in empty_database:
                assert f"process {os.getpid()} on " in refused.value.message
        async with alone(second, patience_s=10):  # PostgreSQL notices after a moment that the first has gone
            pass
    finally:
        await first.dispose()
        await second.dispose()


async def test_portal_that_follows_waits_for_the_one_that_ends(empty_database: str) -> None:
    first, second = make_engine(empty_database), make_engine(empty_database)
    began, ended = asyncio.Event(), []

    async def ending() -> None:
        async with alone(first):
            began.set()
            await asyncio.sleep(0.3)
            ended.append("first")

    try:
        task = asyncio.create_task(ending())
        await began.wait()
        async with alone(second):
            assert ended == ["first"]
        await task
    finally:
        await first.dispose()
        await second.dispose()
