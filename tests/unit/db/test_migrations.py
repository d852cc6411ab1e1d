"""Migrations: up and down with rows in, in step with the tables, and never over a newer database."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from alembic import command
from portal.db import migrate
from portal.errors import ConfigurationError
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import START


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'portal.sqlite'}"


def test_the_migrations_make_exactly_the_tables_of_the_code(url: str) -> None:
    migrate.upgrade(url)
    command.check(migrate.config(url))


def test_up_and_down_with_rows_in(url: str) -> None:
    migrate.upgrade(url)
    engine = create_engine(migrate.sync_url(url))
    row = session_row("abcdefghijkm", owner="alice", at=START)
    with engine.begin() as connection:
        values = {column.name: getattr(row, column.key) for column in row.__table__.columns}
        connection.execute(row.__table__.insert().values(**values))
    migrate.upgrade(url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT owner FROM sessions")).scalar() == "alice"
    migrate.downgrade(url, "base")
    migrate.upgrade(url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 0
    engine.dispose()


def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    migrate.upgrade(url)
    engine = create_engine(migrate.sync_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(ConfigurationError, match="9999"):
        migrate.upgrade(url)


def test_one_server_carries_one_session_that_is_not_over(url: str) -> None:
    migrate.upgrade(url)
    engine = create_engine(migrate.sync_url(url))
    first = session_row("abcdefghijkm", owner="alice", at=START, state="ended", server_name="x")
    table = first.__table__
    with engine.begin() as connection:
        for number, state in enumerate(("ended", "ended", "ready")):
            row = session_row(f"abcdefghijk{number}", owner="alice", at=START, state=state, server_name="x")
            connection.execute(table.insert().values(**{one.name: getattr(row, one.key) for one in table.columns}))
    again = session_row("zbcdefghijkm", owner="alice", at=START, state="queued", server_name="x")
    with pytest.raises(Exception, match="UNIQUE"), engine.begin() as connection:
        connection.execute(table.insert().values(**{one.name: getattr(again, one.key) for one in table.columns}))
    engine.dispose()
