"""Every migration, up and down with rows in, killed after its statements: `python -m … URL` reports it.

What a killed process leaves of an SQLite database is the bytes of its files, so one process takes each step once and
copies the files after each statement. PostgreSQL sees a connection close: there each kill is a kill of a child, which
is why this is a program of its own (a process with threads should not fork).
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, inspect, make_url, text

from portal.db import migrate
from tests.unit.db.test_migrations import connected, counts, fill_empty

Step = Callable[[str, str], None]

EVERY = 10
"""PostgreSQL's own transactions hold DDL: every tenth statement is enough there."""

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
        migrated = inspect(connection).has_table("alembic_version")
        revisions = connection.scalars(text("SELECT version_num FROM alembic_version")).all() if migrated else None
        return [shape, counts(connection), revisions]


@contextmanager
def after_each_write(then: Callable[[], None]) -> Iterator[None]:
    """Call `then` after each statement that writes or begins a transaction."""

    def executed(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "SHOW", "PRAGMA", "WITH")):
            then()

    event.listen(Engine, "after_cursor_execute", executed)
    try:
        yield
    finally:
        event.remove(Engine, "after_cursor_execute", executed)


def copy_after_each(step: Step, url: str, revision: str) -> tuple[int, list[int]]:
    """Take a step on SQLite; return its number of statements, and after which of them a kill would have left marks."""
    before = state(url)
    file = Path(str(make_url(url).database))
    copies: list[Path] = []

    def copy() -> None:
        folder = file.parent / f"{file.name}-{len(copies)}"
        folder.mkdir()
        for part in file.parent.glob(f"{file.name}*"):  # with its journal, which the next connection rolls back
            if part.is_file():
                shutil.copyfile(part, folder / part.name)
        copies.append(folder)

    with after_each_write(copy):
        step(url, revision)
    marks = [
        number
        for number, folder in enumerate(copies, start=1)
        if state(f"sqlite+aiosqlite:///{folder / file.name}") != before
    ]
    for folder in copies:
        shutil.rmtree(folder)
    return len(copies), marks


def die_after(writes: int, step: Step, url: str, revision: str) -> None:
    """Take a step, and kill this process after that many statements that write."""
    left = writes

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    with after_each_write(count):
        step(url, revision)


def kill_after_some(step: Step, url: str, revision: str) -> tuple[int, list[int]]:
    """Take a step until it gets through; return how often it was killed, and after which statements that left marks."""
    before = state(url)
    marks = []
    kills, statement = 0, 1
    while True:
        child = os.fork()
        if child == 0:
            die_after(statement, step, url, revision)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0, f"The step to {revision} failed."
            return kills, marks
        if state(url) != before:
            marks.append(statement)
        kills += 1
        statement += EVERY


def main(url: str) -> None:
    kill = copy_after_each if url.startswith("sqlite") else kill_after_some
    scripts = ScriptDirectory.from_config(migrate.config(url))
    steps = [script.revision for script in scripts.walk_revisions()][::-1]
    # The children inherit the migrations as they are loaded here: hundreds of times to load them is most of the time.
    ScriptDirectory.from_config = lambda _config: scripts  # type: ignore[method-assign]
    gc.freeze()  # ... and their memory is not copied by a collection
    kills = {"up": 0, "down": 0}
    marks = []
    ways: list[tuple[str, Step, list[str]]] = [
        ("up", migrate.upgrade, steps),
        ("down", migrate.downgrade, [*steps[-2::-1], "base"]),
    ]
    for way, step, revisions in ways:
        for revision in revisions if not marks else []:
            killed, left = kill(step, url, revision)
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
    main(sys.argv[1])
