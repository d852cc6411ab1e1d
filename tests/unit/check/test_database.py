"""What `portal check` says of the portal's database, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from portal.check import site
from portal.check.findings import Finding, Mark
from portal.db import migrate
from portal.settings import Database, Settings


async def said_of(url: str) -> Finding:
    (finding,) = await site.database(Settings(database=Database(url=url)))
    return finding


def write(url: str, statement: str) -> None:
    engine = create_engine(migrate.sync_url(url))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


async def test_database_of_this_portal_is_fine(database: str) -> None:
    finding = await said_of(database)
    assert finding.mark is Mark.GOOD
    assert finding.text == f"{database.partition('+')[0]}, revision {migrate.newest_revision()}"


async def test_database_of_a_newer_portal_is_to_be_mended_in_words(database: str) -> None:
    await asyncio.to_thread(write, database, "UPDATE alembic_version SET version_num = '9999'")
    finding = await said_of(database)
    assert finding.mark is Mark.BAD
    assert finding.text == "its revision 9999 belongs to a newer version of the portal"
    assert finding.do.startswith("Run the newer version of the portal again, or restore a backup")


async def test_database_without_tables_is_told(empty_database: str) -> None:
    finding = await said_of(empty_database)
    assert (finding.mark, finding.text) == (Mark.WARNING, "it is empty")


@pytest.mark.parametrize("url", ["sqlite+aiosqlite:///{}/away/portal.sqlite", "postgresql+psycopg://portal@/x?host={}"])
async def test_database_that_does_not_answer_is_to_be_mended_in_words(tmp_path: Path, url: str) -> None:
    finding = await said_of(url.format(tmp_path))
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:  # aiosqlite's, which wants the loop once more
            await asyncio.to_thread(thread.join, 10)
    assert finding.mark is Mark.BAD
    assert finding.text.startswith("it does not answer: ")
    assert finding.do == "Check database.url, and that the server is running."
