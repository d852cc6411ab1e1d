"""Every table in the code, and the number of its rows in a database."""

from __future__ import annotations

from sqlalchemy import Connection, Table, create_engine, func, inspect, select

from portal.db import migrate
from portal.dbadmin.tables import Base
from portal.errors import ConfigurationError

VERSION_TABLE = "alembic_version"


def tables() -> list[Table]:
    """Return all tables, referenced ones first."""
    return list(Base.metadata.sorted_tables)


def count(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each existing table."""
    there = set(inspect(connection).get_table_names())
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in tables()
        if table.name in there
    }


def count_at(url: str) -> dict[str, int]:
    engine = create_engine(migrate.sync_url(url))
    try:
        with engine.connect() as connection:
            return count(connection)
    finally:
        engine.dispose()


def require_newest(url: str) -> None:
    """Raise ConfigurationError unless the database's tables are exactly this version's."""
    current, newest = migrate.current_revision(url), migrate.newest_revision()
    if current != newest:
        raise ConfigurationError(
            f"The database is at revision {current or 'none'}, but this program needs {newest}.",
            hint="Run `portal db upgrade` first.",
        )
