"""Requests while the database is full or down get a 503 with a message, never a crash."""

from __future__ import annotations

import contextlib
from contextlib import AsyncExitStack

import httpx2
import pytest
from psycopg.errors import DiskFull
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from portal.db import failure
from portal.wiring import Portal
from tests.unit.http.conftest import ADMIN

ANNOUNCEMENTS = "/services/portal/api/admin/announcements"


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """SQLite alone: how a disk of PostgreSQL's is full cannot be pretended."""
    file = request.getfixturevalue("tmp_path") / "portal.sqlite"
    file.write_bytes(request.getfixturevalue("migrated_sqlite").read_bytes())
    return f"sqlite+aiosqlite:///{file}"


def fill(portal: Portal, pages: int | None) -> None:
    """Let SQLite's file grow no further, as a full disk does; SQLite says the same of both (SQLITE_FULL)."""

    @event.listens_for(portal.engine.sync_engine, "checkout")
    def limit(connection, _record, _proxy) -> None:  # type: ignore[no-untyped-def]  # the DB-API's own types
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA max_page_count={pages or 1_000_000}")
        cursor.close()


async def announce(http: httpx2.AsyncClient) -> httpx2.Response:
    return await http.post(ANNOUNCEMENTS, json={"text": "x" * 480}, headers=ADMIN)


async def test_full_disk_is_told_in_words_and_is_over_when_there_is_room(
    http: httpx2.AsyncClient, portal: Portal
) -> None:
    fill(portal, pages=1)
    for _ in range(60):  # until the free room inside of the file is used up
        answer = await announce(http)
        if answer.status_code != 201:
            break
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (503, "database_unavailable")
    assert "is full" in error["message"]
    assert "continue" in error["hint"]
    assert (await http.get(ANNOUNCEMENTS, headers=ADMIN)).status_code == 200, "What is there can be read."
    fill(portal, pages=None)
    assert (await announce(http)).status_code == 201


async def test_full_pool_is_told_in_words_and_is_over_when_a_connection_is_free(
    http: httpx2.AsyncClient, portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portal.engine.pool, "_timeout", 0.2)
    async with AsyncExitStack() as others:
        with contextlib.suppress(PoolTimeout):
            while True:
                await others.enter_async_context(portal.engine.connect())
        answer = await http.get(ANNOUNCEMENTS, headers=ADMIN)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (503, "database_unavailable")
        assert "too slow" in error["message"]
        assert "continue" in error["hint"]
    assert (await http.get(ANNOUNCEMENTS, headers=ADMIN)).status_code == 200


def test_full_disk_of_postgresql_is_known_by_its_code() -> None:
    error = OperationalError("INSERT", {"password": "of alice"}, DiskFull("could not extend file"))
    assert failure.is_full(error)
    assert "alice" not in failure.in_words(error).message


def test_what_else_befalls_is_said_without_details() -> None:
    error = DBAPIError("SELECT secret", {}, OSError("connection refused by 10.0.0.1"))
    assert failure.in_words(error).message == "The portal's database does not answer."
