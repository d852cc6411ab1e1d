"""INSERT … ON CONFLICT, which each database spells in a dialect of its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.base import Base


def insert(db: AsyncSession, table: type[Base]) -> Any:
    """Return an insert of the database's own dialect, with `on_conflict_do_nothing` and `on_conflict_do_update`."""
    dialect = postgresql if db.get_bind().dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
