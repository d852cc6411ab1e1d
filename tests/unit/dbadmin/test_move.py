"""From SQLite to PostgreSQL: every row, compared, and numbers that go on where they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from portal.db import migrate
from portal.dbadmin import move, rows
from portal.errors import ConfigurationError, Conflict
from tests.postgresql import Cluster
from tests.unit.conftest import sqlite
from tests.unit.db.test_migrations import connected, fill_empty


@pytest.fixture
def source(migrated_sqlite: Path, tmp_path: Path) -> str:
    file = tmp_path / "portal.sqlite"
    file.write_bytes(migrated_sqlite.read_bytes())
    with connected(sqlite(file)) as connection:
        fill_empty(connection)
    return sqlite(file)


def test_move_brings_every_row_and_new_numbers_come_after(source: str, postgresql: Cluster) -> None:
    with postgresql.database() as target:
        moved = move.move(source, target)
        assert moved == rows.count_at(source) == rows.count_at(target)
        assert set(moved.values()) == {1}
        with connected(target) as connection:
            columns = "at, actor, action, target, result, address, detail"
            added = f"INSERT INTO audit ({columns}) SELECT {columns} FROM audit RETURNING id"  # noqa: S608
            first = connection.execute(text("SELECT max(id) FROM audit")).scalar_one()
            assert connection.execute(text(added)).scalar_one() == first + 1


def test_move_into_a_database_with_rows_is_refused(source: str, postgresql: Cluster) -> None:
    with postgresql.database() as target:
        move.move(source, target)
        with pytest.raises(Conflict, match="not empty"):
            move.move(source, target)


def test_move_beside_somebody_elses_tables_is_refused(source: str, postgresql: Cluster) -> None:
    with postgresql.database() as target:
        with connected(target) as connection:
            connection.execute(text("CREATE TABLE theirs (id int)"))
        with pytest.raises(Conflict, match="theirs"):
            move.move(source, target)


def test_move_of_an_older_database_says_to_upgrade_first(source: str, postgresql: Cluster) -> None:
    migrate.downgrade(source, "0009")
    with postgresql.database() as target, pytest.raises(ConfigurationError) as caught:
        move.move(source, target)
    assert "portal db upgrade" in caught.value.hint


def test_move_that_fails_in_the_middle_leaves_no_row(
    source: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move, "_compare", lambda *_: (_ for _ in ()).throw(Conflict("not the same")))
    with postgresql.database() as target:
        with pytest.raises(Conflict):
            move.move(source, target)
        assert set(rows.count_at(target).values()) == {0}


def test_move_to_a_server_that_does_not_answer_is_told(source: str) -> None:
    with pytest.raises(ConfigurationError, match="The database could not be moved"):
        move.move(source, "postgresql+psycopg://nobody@127.0.0.1:1/none?connect_timeout=2")
