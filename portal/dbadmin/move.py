"""Moves every row into another, empty database, in one transaction that commits only after a comparison."""

from __future__ import annotations

from itertools import zip_longest

from sqlalchemy import Connection, Table, create_engine, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from portal.db import migrate
from portal.dbadmin import rows
from portal.errors import ConfigurationError, Conflict

BATCH = 1000


def move(source_url: str, target_url: str) -> dict[str, int]:
    """Copy all rows; return the number per table. The source is only read.

    Raises Conflict if the target is not empty, or reads differently afterwards: no row is then written.
    Raises ConfigurationError if a database does not answer or is not at this version's revision.
    """
    source = create_engine(migrate.sync_url(source_url))
    target = create_engine(migrate.sync_url(target_url))
    try:
        rows.require_newest(source_url)
        with target.connect() as there:
            _require_empty(there)
        migrate.upgrade(target_url)
        with source.connect() as before, target.begin() as after:
            for table in rows.tables():
                _copy(table, before, after)
            _compare(before, after)
            return rows.count(after)
    except SQLAlchemyError as error:
        raise ConfigurationError(
            f"The database could not be moved: {str(error).splitlines()[0]}",
            hint="The old database was not changed. Check the new one's address and permissions, and that it is empty.",
        ) from error
    finally:
        source.dispose()
        target.dispose()


def _require_empty(target: Connection) -> None:
    held = {name: number for name, number in rows.count(target).items() if number}
    foreign = set(inspect(target).get_table_names()) - {table.name for table in rows.tables()} - {rows.VERSION_TABLE}
    if held or foreign:
        what = ", ".join(sorted(held) or sorted(foreign))
        raise Conflict(f"The new database is not empty: it has {what}.", hint="Create a new one, for the portal alone.")


def _copy(table: Table, source: Connection, target: Connection) -> None:
    rows = source.execution_options(yield_per=BATCH).execute(select(table))
    for batch in rows.mappings().partitions():
        target.execute(table.insert(), [dict(row) for row in batch])
    _continue_numbering(table, target)


def _continue_numbering(table: Table, target: Connection) -> None:
    """Advance PostgreSQL's sequences, which are separate from the table, past the copied ids."""
    column = table.autoincrement_column
    if column is None or target.dialect.name != "postgresql":
        return
    last = target.execute(select(func.max(column))).scalar_one()
    sequence = target.execute(select(func.pg_get_serial_sequence(f'"{table.name}"', column.name))).scalar_one()
    if last is not None and sequence is not None:
        target.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})


def _compare(source: Connection, target: Connection) -> None:
    """Compare both databases, row by row in primary key order."""
    for table in rows.tables():
        query = select(table).order_by(*table.primary_key)
        pairs = zip_longest(*(side.execution_options(yield_per=BATCH).execute(query) for side in (source, target)))
        for number, (pair, other) in enumerate(pairs):
            if pair is None or other is None or tuple(pair) != tuple(other):
                raise Conflict(
                    f"Row {number + 1} of {table.name} differs between the two databases.",
                    hint="Nothing was moved. Make sure that the portal is stopped, and run it again.",
                )
