"""A commit outlives a power cut, which takes whatever no sync has put on the disk."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests import preloaded

ROOT = Path(__file__).parents[3]

PORTAL = """
import asyncio, sys
from sqlalchemy import text
from portal.db.engine import make_engine, unit_of_work

async def write():
    work = unit_of_work(make_engine(f"sqlite+aiosqlite:///{sys.argv[1]}"))
    for statement in ("CREATE TABLE kept (id INTEGER)", *["INSERT INTO kept VALUES (1)"] * 3):
        async with work() as db:
            await db.execute(text(statement))
    print("committed", flush=True)
    sys.stdin.read()

asyncio.run(write())
"""

HUB = """
import sys
from sqlalchemy import create_engine, event, text
from portal.sqlite import write_durably

engine = create_engine(f"sqlite:///{sys.argv[1]}")
event.listen(engine, "connect", lambda connection, _: write_durably(connection))
for statement in ("CREATE TABLE kept (id INTEGER)", *["INSERT INTO kept VALUES (1)"] * 3):
    with engine.begin() as connection:
        connection.execute(text(statement))
print("committed", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return preloaded.build(tmp_path_factory.mktemp("preloaded"), "synced")


@pytest.mark.parametrize("program", [PORTAL, HUB], ids=["portal", "hub"])
def test_commit_outlives_the_loss_of_whatever_was_not_synced(program: str, synced: Path, tmp_path: Path) -> None:
    file, notes = tmp_path / "before" / "rows.sqlite", tmp_path / "notes"
    file.parent.mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(synced), "SYNCED_NOTES": str(notes), "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-c", program, file]
    with subprocess.Popen(argv, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        running.kill()
    assert line == "committed\n"
    after = cut(file.parent, notes, tmp_path / "after")
    with sqlite3.connect(after / file.name) as database:
        assert database.execute("SELECT count(*) FROM kept").fetchone() == (3,)


def cut(folder: Path, notes: Path, after: Path) -> Path:
    """Copy the files of a folder, each as long as it was when it was last synced; the index of the WAL is memory."""
    lengths = preloaded.synced_lengths(notes)
    after.mkdir()
    for file in folder.iterdir():
        if not file.name.endswith("-shm"):
            shutil.copy(file, after)
            os.truncate(after / file.name, lengths.get(file, 0))
    return after
