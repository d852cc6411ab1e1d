"""How SQLite writes, for the portal's database and the Hub's."""

from __future__ import annotations

from typing import Any


def write_durably(connection: Any) -> None:
    """Make a DB-API connection write ahead and sync each commit.

    A commit then syncs one file, not two. With `synchronous=NORMAL`, WAL mode syncs at checkpoints alone: a power cut
    takes the last commits along (https://www.sqlite.org/pragma.html#pragma_synchronous).
    """
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
