"""The database check detects a held lock; the snapshot's age is reported separately from slurmctld."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from portal.db.engine import make_engine
from portal.errors import SlurmUnavailable
from portal.health import checks
from portal.health.monitor import State
from portal.settings import Slurm
from portal.slurm.door_client import Door
from portal.slurm.snapshot import Reach, Snapshot

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    made = make_engine(f"sqlite+aiosqlite:///{tmp_path}/portal.db")
    yield made
    await made.dispose()


async def test_a_locked_database_is_down_and_well_again_when_the_lock_is_gone(
    engine: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "LOCKED_MS", 50)
    store = checks.Store(engine)
    assert (await store.look()).state is State.OK
    other = sqlite3.connect(tmp_path / "portal.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    locked = await store.look()
    assert locked.state is State.DOWN
    assert "locked" in locked.message
    assert "fuser" in locked.do
    other.execute("ROLLBACK")
    other.close()
    assert (await store.look()).state is State.OK


def queue(snapshot: Snapshot) -> checks.Queue:
    return checks.Queue(SimpleNamespace(snapshot=snapshot), 15.0, lambda: NOW, lambda: "Slurm's commands")  # type: ignore[arg-type]


async def test_slurmctld_and_the_age_of_its_snapshot_are_two_things() -> None:
    up = Snapshot(state=Reach.UP, since=NOW, version="22.05.8", jobs_as_of=NOW - timedelta(seconds=4))
    assert (await queue(up).controller()).state is State.OK
    assert (await queue(up).age()).state is State.OK
    stuck = replace(up, jobs_as_of=NOW - timedelta(minutes=10))
    assert (await queue(stuck).controller()).state is State.OK
    assert (await queue(stuck).age()).state is State.DOWN
    down = replace(up, state=Reach.DOWN, since=NOW - timedelta(minutes=3), message="slurmctld does not answer.")
    finding = await queue(down).controller()
    assert (finding.state, finding.since, finding.message) == (State.DOWN, down.since, down.message)
    assert (await queue(Snapshot()).controller()).state is State.UNKNOWN


class FakeSlurm:
    def __init__(self, *, keeps: bool | None, answers: bool) -> None:
        self.keeps, self.answers = keeps, answers

    async def keeps_accounts(self) -> bool:
        if self.keeps is None:
            raise SlurmUnavailable("scontrol: error: Unable to contact slurm controller")
        return self.keeps

    async def clusters(self) -> list[str]:
        if not self.answers:
            raise SlurmUnavailable("sacctmgr: error: Problem talking to the database: Connection refused")
        return ["portal"]


async def test_a_cluster_without_accounting_misses_none() -> None:
    assert (await checks.Accounting(FakeSlurm(keeps=False, answers=False)).look()).state is State.OFF  # type: ignore[arg-type]
    assert (await checks.Accounting(FakeSlurm(keeps=True, answers=True)).look()).state is State.OK  # type: ignore[arg-type]
    with pytest.raises(SlurmUnavailable):
        await checks.Accounting(FakeSlurm(keeps=True, answers=False)).look()  # type: ignore[arg-type]


async def test_accounting_is_not_called_silent_while_only_slurmctld_is() -> None:
    finding = await checks.Accounting(FakeSlurm(keeps=None, answers=True)).look()  # type: ignore[arg-type]
    assert (finding.state, "slurmctld does not answer" in finding.message) == (State.UNKNOWN, True)


async def test_nor_while_slurmctld_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SLURMCTLD_S", 0.05)
    slurm = FakeSlurm(keeps=True, answers=True)
    monkeypatch.setattr(slurm, "keeps_accounts", asyncio.Event().wait)
    async with asyncio.timeout(5):
        finding = await checks.Accounting(slurm).look()  # type: ignore[arg-type]
    assert finding.state is State.UNKNOWN


async def test_door_that_cannot_be_started_is_down(tmp_path: Path) -> None:
    program = tmp_path / "door"
    program.write_text('#!/bin/sh\necho \'{"ok": true, "version": 4}\'\n')
    look = checks.door_opens(Door(Slurm(door=[str(program)])))
    finding = await look()
    assert finding.state is State.DOWN, "it is not executable"
    assert finding.message
    program.chmod(0o755)
    assert (await look()).state is State.OK
    program.write_text('#!/bin/sh\necho "sudo: a password is required" >&2\nexit 1\n')
    assert (await look()).message == "The portal's door could not be used: sudo: a password is required."
