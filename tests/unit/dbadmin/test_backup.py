"""Backups: whole while the database is in use, put back as they were, refused where they do not fit."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from portal.db import migrate
from portal.dbadmin import backup, rows
from portal.errors import ConfigurationError, Conflict
from tests.unit.db.test_migrations import connected, fill_empty

NOW = datetime(2026, 12, 3, 8, tzinfo=UTC)


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    file = tmp_path / "data" / "hub" / "jupyterhub.sqlite"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE users (name TEXT)")
        connection.execute("INSERT INTO users VALUES ('alice')")
        connection.commit()
    return file


def users(hub: Path) -> list[str]:
    with closing(sqlite3.connect(hub)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM users")]


def test_backup_comes_back_with_every_row_and_the_hubs(database: str, hub: Path, tmp_path: Path) -> None:
    with connected(database) as connection:
        fill_empty(connection)
    before = rows.count_at(database)
    made = backup.backup(database, hub, tmp_path / "saved", now=NOW)
    assert made.rows == before
    assert set(before.values()) == {1}
    with connected(database) as connection:
        connection.execute(text("DELETE FROM announcements"))
    with closing(sqlite3.connect(hub)) as connection:
        connection.execute("DELETE FROM users")
        connection.commit()
    backup.restore(database, hub, tmp_path / "saved", now=NOW)
    assert rows.count_at(database) == before
    assert users(hub) == ["alice"]
    kept = [file.name for file in (tmp_path / "data").rglob("*before-restore*")]
    assert any("jupyterhub.sqlite" in name for name in kept)


def test_backup_from_before_an_upgrade_comes_back_over_a_newer_programs_tables(
    database: str, hub: Path, tmp_path: Path
) -> None:
    """With the older program, which does not know them: docs/how-to/troubleshoot.md sends administrators this way."""
    with connected(database) as connection:
        fill_empty(connection)
    before = rows.count_at(database)
    backup.backup(database, hub, tmp_path / "saved", now=NOW)
    with connected(database) as connection:
        connection.execute(text("CREATE TABLE of_tomorrow (id INTEGER PRIMARY KEY)"))
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    backup.restore(database, hub, tmp_path / "saved", now=NOW)
    assert rows.count_at(database) == before
    assert migrate.current_revision(database) == migrate.newest_revision()
    with connected(database) as connection:
        assert not inspect(connection).has_table("of_tomorrow")


def test_backup_is_refused_in_words_where_the_account_may_not_write(database: str, hub: Path) -> None:
    with pytest.raises(ConfigurationError, match="/proc/nowhere cannot be created"):
        backup.backup(database, hub, Path("/proc/nowhere"), now=NOW)


def test_backup_of_an_older_revision_comes_back_and_can_be_upgraded(database: str, hub: Path, tmp_path: Path) -> None:
    migrate.downgrade(database, "0009")
    backup.backup(database, hub, tmp_path / "saved", now=NOW)
    migrate.upgrade(database)
    backup.restore(database, hub, tmp_path / "saved", now=NOW)
    assert migrate.current_revision(database) == "0009"
    migrate.upgrade(database)
    assert migrate.current_revision(database) == migrate.newest_revision()


def test_backup_is_whole_while_somebody_writes(hub: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(hub, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO users VALUES ('never committed')")
        backup.copy_sqlite(hub, tmp_path / "copy.sqlite")
        writer.execute("ROLLBACK")
    assert users(tmp_path / "copy.sqlite") == ["alice"]
    assert (tmp_path / "copy.sqlite").stat().st_mode & 0o777 == 0o600


def test_folder_that_is_there_is_not_written_into(database: str, hub: Path, tmp_path: Path) -> None:
    with pytest.raises(Conflict, match="already exists"):
        backup.backup(database, hub, tmp_path, now=NOW)


def test_restore_refuses_what_is_not_whole_and_changes_nothing(database: str, hub: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    backup.backup(database, hub, saved, now=NOW)
    (saved / backup.HUB).write_bytes(b"not a database at all" * 500)
    with pytest.raises(ConfigurationError, match="is damaged"):
        backup.restore(database, hub, saved, now=NOW)
    assert users(hub) == ["alice"]
    (saved / backup.MANIFEST).unlink()
    with pytest.raises(ConfigurationError, match="not a complete backup"):
        backup.restore(database, hub, saved, now=NOW)


@pytest.mark.parametrize(("key", "value", "says"), [("kind", "oracle", "is of oracle"), ("revision", "9999", "9999")])
def test_restore_refuses_what_does_not_fit(
    key: str, value: str, says: str, database: str, hub: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "saved"
    made = backup.backup(database, hub, saved, now=NOW)
    (saved / backup.MANIFEST).write_text(made.model_copy(update={key: value}).model_dump_json())
    with pytest.raises(ConfigurationError, match=says):
        backup.restore(database, hub, saved, now=NOW)
