"""Alembic's environment: online migrations only, on the URL that portal.db.migrate passes in.

All steps and the revision's own row are one transaction, on SQLite too: a process killed midway leaves the database as
it was.
"""

from sqlalchemy import create_engine, event

from alembic import context
from portal.dbadmin.tables import Base

engine = create_engine(context.config.attributes["url"])

if engine.dialect.name == "sqlite":
    # Python's driver commits before DDL unless transaction handling is turned off:
    # https://docs.sqlalchemy.org/en/21/dialects/sqlite.html#pysqlite-serializable
    @event.listens_for(engine, "connect")
    def _no_transactions_of_the_driver(connection, _record):
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=OFF")  # a batch drops and recreates a table that others refer to

    @event.listens_for(engine, "begin")
    def _begin(connection):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()
        if engine.dialect.name == "sqlite" and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
            raise RuntimeError(f"Rows point to rows that are not there: {broken[:5]}")
engine.dispose()
