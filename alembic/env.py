"""Alembic's environment: online migrations only, on the URL that portal.db.migrate hands in."""

from sqlalchemy import create_engine

from alembic import context
from portal.db.tables import Base

engine = create_engine(context.config.attributes["url"])
with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()
