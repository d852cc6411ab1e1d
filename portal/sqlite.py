"""SQLite's write settings, for the portal's database and the Hub's."""

from __future__ import annotations

from typing import Any


def write_durably(connection: Any) -> None:
    """Make a DB-API connection use WAL and sync each commit.

    A commit then syncs one file, not two. With `synchronous=NORMAL`, WAL mode syncs at checkpoints only: a power cut
    loses the last commits (https://www.sqlite.org/pragma.html#pragma_synchronous).
    """
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
