"""Every migration, up and down with rows in, killed after each of its statements: `python -m … URL [EVERY]` reports it.

A program of its own, since it forks: a process with threads had better not.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, inspect, text

from portal.db import migrate
from tests.unit.db.test_migrations import connected, fill_empty

Step = Callable[[str, str], None]


SHAPE = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master ORDER BY type, name",
    "postgresql": (
        "SELECT 'column', table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' "
        "UNION ALL SELECT 'index', tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' "
        "UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname FROM pg_trigger ORDER BY 1, 2, 3"
    ),
}


def state(url: str) -> list[Any]:
    """Return the shape of the tables, the number of rows in each, and the revision."""
    with connected(url) as connection:
        shape = [tuple(row) for row in connection.execute(text(SHAPE[connection.dialect.name]))]
        names = inspect(connection).get_table_names()
        counts = [connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names]  # noqa: S608
        revision = connection.execute(text("SELECT max(version_num) FROM alembic_version")).scalar() if names else None
    return [shape, counts, revision]


def die_after(writes: int) -> None:
    """Kill this process after that many statements that write or begin a transaction."""
    left = writes

    def executed(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        nonlocal left
        if statement.lstrip().upper().startswith(("SELECT", "SHOW", "PRAGMA", "WITH")):
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "after_cursor_execute", executed)


def kill_after_each(step: Step, url: str, revision: str, every: int) -> tuple[int, list[int]]:
    """Take a step until it gets through; return how often it was killed, and after which statements that left marks."""
    before = state(url)
    marks = []
    kills, statement = 0, 1
    while True:
        child = os.fork()
        if child == 0:
            die_after(statement)
            step(url, revision)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0, f"The step to {revision} failed."
            return kills, marks
        if state(url) != before:
            marks.append(statement)
        kills += 1
        statement += every


def main(url: str, every: int = 1) -> None:
    scripts = ScriptDirectory.from_config(migrate.config(url))
    steps = [script.revision for script in scripts.walk_revisions()][::-1]
    # The children inherit the migrations as they are loaded here: hundreds of times to load them is most of the time.
    ScriptDirectory.from_config = lambda _config: scripts  # type: ignore[method-assign]
    kills = {"up": 0, "down": 0}
    marks = []
    ways: list[tuple[str, Step, list[str]]] = [
        ("up", migrate.upgrade, steps),
        ("down", migrate.downgrade, [*steps[-2::-1], "base"]),
    ]
    for way, step, revisions in ways:
        for revision in revisions:
            killed, left = kill_after_each(step, url, revision, every)
            kills[way] += killed
            marks += [f"{way} to {revision}, statement {number}" for number in left]
            if left:
                break
            with connected(url) as connection:
                fill_empty(connection)
    if not marks:
        migrate.upgrade(url)
    print(json.dumps({"kills": kills, "marks": marks, "revision": migrate.current_revision(url)}))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
