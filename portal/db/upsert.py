"""INSERT … ON CONFLICT, which each database spells in its own dialect."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.base import Base


def insert(db: AsyncSession, table: type[Base]) -> Any:
    """Return an insert in the database's dialect, with `on_conflict_do_nothing` and `on_conflict_do_update`."""
    dialect = postgresql if db.get_bind().dialect.name == "postgresql" else sqlite
    return dialect.insert(table)
