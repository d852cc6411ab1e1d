"""Migrations: up and down with rows in, in step with the tables, and never over a newer database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    Table,
    create_engine,
    func,
    inspect,
    literal,
    select,
    table,
    text,
    union_all,
)
from sqlalchemy.exc import IntegrityError

from alembic import command
from portal.db import migrate
from portal.errors import ConfigurationError
from portal.shipped import MIGRATIONS
from tests.unit.http.rows import session_row
from tests.unit.sessions.conftest import START

ROOT = Path(__file__).parents[3]
VALUES: dict[type, Any] = {int: 7, float: 0.5, bool: True, bytes: b"x", object: {"x": 1}, type(START): START}


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engine = create_engine(migrate.sync_url(url))
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def counts(connection: Connection) -> dict[str, int]:
    """The number of rows in each table: one query instead of a reflection, which takes most of a test's time."""
    names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
    every = [select(literal(name), func.count()).select_from(table(name)) for name in names]
    return {row[0]: row[1] for row in connection.execute(union_all(*every))} if every else {}


def tables(connection: Connection, only: Collection[str] | None = None) -> list[Table]:
    """The tables as they are now, or those named and what they point to; what others point to first."""
    data = MetaData()
    data.reflect(connection, only=only)
    return [found for found in data.sorted_tables if found.name != "alembic_version"]


def value(connection: Connection, column: Column[Any]) -> Any:
    for key in column.foreign_keys:
        return connection.execute(select(key.column)).scalars().first()
    kind = column.type.python_type
    return VALUES[kind] if kind is not str else "x" * min(getattr(column.type, "length", None) or 8, 8)


def fill_empty(connection: Connection) -> None:
    """Put a row into every table that has none, with a value in every column."""
    empty = {name for name, count in counts(connection).items() if not count}
    for each in tables(connection, empty) if empty else []:
        if each.name in empty:
            connection.execute(
                each.insert().values({column.name: value(connection, column) for column in each.columns})
            )


def test_the_migrations_make_exactly_the_tables_of_the_code(empty_database: str) -> None:
    migrate.upgrade(empty_database)
    command.check(migrate.config(empty_database))


def test_every_step_up_and_down_keeps_the_rows(empty_database: str) -> None:
    url = empty_database
    scripts = ScriptDirectory.from_config(migrate.config(url))
    steps = [script.revision for script in scripts.walk_revisions()][::-1]
    for revision in steps:
        migrate.upgrade(url, revision)
        with connected(url) as connection:
            fill_empty(connection)
    for revision in [*steps[-2::-1], "base"]:
        migrate.downgrade(url, revision)
        with connected(url) as connection:
            assert set(counts(connection).values()) <= {1}, f"Rows were lost on the way to {revision}."
    with connected(url) as connection:
        assert counts(connection) == {}
    migrate.upgrade(url)


def test_a_migration_killed_after_any_statement_leaves_the_database_as_it_was(empty_database: str) -> None:
    argv = [sys.executable, "-m", "tests.unit.db.killed_migrations", empty_database]
    done = subprocess.run(argv, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["marks"] == []
    assert seen["revision"] == migrate.newest_revision()
    assert min(seen["kills"].values()) >= len(list((MIGRATIONS / "versions").glob("[0-9]*_*.py")))


def test_a_database_of_a_newer_program_is_refused(database: str) -> None:
    with connected(database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match="9999"):
        migrate.upgrade(database)
    with pytest.raises(ConfigurationError, match="9999"):
        migrate.downgrade(database, "0009")


def test_way_down_to_a_revision_that_is_none_is_refused_with_those_that_are(database: str) -> None:
    with pytest.raises(ConfigurationError, match="There is no revision 0009x") as caught:
        migrate.downgrade(database, "0009x")
    assert "0001" in caught.value.hint
    assert migrate.current_revision(database) == migrate.newest_revision()


def test_revisions_read_off_the_files_are_those_of_alembic() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert migrate.newest_revision() == scripts.get_current_head()
    assert all(migrate.is_known(script.revision) for script in scripts.walk_revisions())
    assert not migrate.is_known("9999")


def test_a_starting_portal_has_its_database_migrated_by_another_process(empty_database: str) -> None:
    migrate.upgrade_apart(empty_database)
    assert migrate.current_revision(empty_database) == migrate.newest_revision()
    migrate.upgrade_apart(empty_database)
    with connected(empty_database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match="9999"):
        migrate.upgrade_apart(empty_database)


def test_a_migration_that_fails_is_told(empty_database: str) -> None:
    with connected(empty_database) as connection:
        connection.execute(text("CREATE TABLE sessions (id INTEGER)"))
    with pytest.raises(ConfigurationError, match="cannot be upgraded to"):
        migrate.upgrade_apart(empty_database)


#: A server on a database without tables, from its start over a round of Health and some answers to its end. Prints what
#: it holds of the migrations' library, of the commands for people, and of the checks, which run in a child.
A_SERVER = """
import asyncio, json, sys
from pathlib import Path
import httpx2
from portal.__main__ import commands
commands(["serve"])
from portal.app import create_app
from tests.unit.http.conftest import settings

async def run(folder):
    app = create_app(settings(folder, f"sqlite+aiosqlite:///{folder}/portal.sqlite"))
    async with app.router.lifespan_context(app):
        await app.state.portal.monitor.round()
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://portal") as client:
            for path in ("/healthz", "/metrics", "/api/site"):
                print(path, (await client.get(f"/services/portal{path}")).status_code)
    needless = ("alembic", "mako", "rich", "portal.cli", "portal.check.run")
    return [name for name in needless if sys.modules.get(name)]

print(json.dumps(asyncio.run(run(Path(sys.argv[1])))))
"""


def test_a_server_that_has_migrated_and_run_holds_nothing_needless(tmp_path: Path) -> None:
    argv = [sys.executable, "-P", "-c", A_SERVER, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, check=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
    *answers, held = done.stdout.splitlines()
    for answer in ("/healthz 200", "/metrics 200", "/api/site 401"):
        assert answer in answers
    assert json.loads(held) == [], "MiB for nothing until it ends"
    assert migrate.current_revision(f"sqlite+aiosqlite:///{tmp_path}/portal.sqlite") == migrate.newest_revision()


def test_one_server_carries_one_session_that_is_not_over(database: str) -> None:
    def add(connection: Connection, session_id: str, state: str) -> None:
        row = session_row(session_id, owner="alice", at=START, state=state, server_name="x")
        columns = row.__table__.columns
        given = {column.name: getattr(row, column.key) for column in columns if getattr(row, column.key) is not None}
        connection.execute(row.__table__.insert().values(**given))

    with connected(database) as connection:
        for number, state in enumerate(("ended", "ended", "ready")):
            add(connection, f"abcdefghijk{number}", state)
    with pytest.raises(IntegrityError), connected(database) as connection:
        add(connection, "zbcdefghijkm", "queued")


def test_sums_by_month_are_made_of_the_days_that_are_there(empty_database: str) -> None:
    migrate.upgrade(empty_database, "0013")
    with connected(empty_database) as connection:
        fill_empty(connection)
        by_name = {found.name: found for found in tables(connection)}
        whose_id = connection.execute(select(by_name["usage_whose"].c.id)).scalar_one()
        for name in ("usage_days", "usage_waits"):
            old = by_name[name]
            connection.execute(old.delete())
            row = {column.name: value(connection, column) for column in old.columns}
            days = [{**row, "whose_id": whose_id, "day": day} for day in (20260131, 20260201, 20260228)]
            connection.execute(old.insert(), days)
    migrate.upgrade(empty_database)
    with connected(empty_database) as connection:
        for name in ("usage_months", "usage_month_waits"):
            result = connection.execute(text(f"SELECT month, jobs, whose_id FROM {name} ORDER BY month"))  # noqa: S608
            assert [tuple(row) for row in result] == [(202601, 7, whose_id), (202602, 14, whose_id)]
