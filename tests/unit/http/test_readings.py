"""How often the whole portal asks Slurm: at rest, and however many people and pages want to know something."""

from __future__ import annotations

import asyncio
import selectors
import shutil
from collections import Counter
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from portal.settings import Usage
from portal.slurm.budget import SAVED
from portal.slurm.process import Finished
from portal.wiring import Portal, build
from tests.unit.conftest import sqlite
from tests.unit.http.conftest import settings

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTES = 5
CONFIG = "SLURM_VERSION = 22.05.8\nAccountingStorageType = accounting_storage/slurmdbd\n"
#: What a thread or a socket may take before the clock goes on to the next thing that is due.
PATIENCE_S = 0.003


class Hurried(asyncio.SelectorEventLoop):
    """A loop whose time goes on to the next timer as soon as there is nothing else to do."""

    def __init__(self) -> None:
        super().__init__(_Selector(self))
        self.now = 0.0

    def time(self) -> float:
        return self.now

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Without the limit of Python 3.12 and later, which passes in no time here."""
        await super().shutdown_default_executor()


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: Hurried) -> None:
        super().__init__()
        self._hurried = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        events = super().select(min(timeout, PATIENCE_S))
        if not events:
            self._hurried.now += timeout
        return events


class FakeSlurm:
    """Answers every program at once, with an empty cluster that keeps accounts; `asked` has what and when."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, str]] = []

    async def run(self, argv: list[str], **_: object) -> Finished:
        if Path(argv[0]).name == "sudo":  # Health looks whether the door opens, which asks Slurm nothing
            return Finished(0, '{"ok": true}', "")
        self.asked.append((asyncio.get_running_loop().time(), Path(argv[0]).name))
        return Finished(0, CONFIG if argv[1:] == ["show", "config"] else "", "")

    def most_a_minute(self) -> float:
        """Return the most that began within any minute but for the first, in which everything is read once."""
        times = [at for at, _ in self.asked if at > 60]
        return max(sum(begin <= at < begin + 60 for at in times) for begin in times)


async def nobody(_: Portal) -> None:
    return None


async def many_at_once(portal: Portal) -> None:
    """Two hundred people who want to know something every second."""

    async def one(number: int) -> None:
        while True:
            portal.watcher.kick()
            portal.watcher.kick("nodes")
            await portal.operate.reservations()
            await portal.jobs.tasks.ledger.accounts([number])
            await asyncio.sleep(1)

    await asyncio.gather(*(one(number) for number in range(200)))


@pytest.fixture
def lived(tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeSlurm]:
    def live(demand: Callable[[Portal], Coroutine[Any, Any, None]]) -> FakeSlurm:
        folder = tmp_path / demand.__name__
        folder.mkdir()
        shutil.copyfile(migrated_sqlite, folder / "portal.sqlite")
        slurm = FakeSlurm()

        async def life() -> None:
            loop = asyncio.get_running_loop()
            monkeypatch.setattr("portal.wiring.utcnow", lambda: START + timedelta(seconds=loop.time()))
            monkeypatch.setattr("portal.slurm.commands.time.monotonic", loop.time)
            asked = settings(folder, sqlite(folder / "portal.sqlite"))
            portal = build(asked.model_copy(update={"usage": Usage(first_days=1)}))
            monkeypatch.setattr("portal.slurm.process.run", slurm.run)
            rooms = (
                portal.watcher,
                portal.jobs.reconciler,
                portal.usage.reader,
                portal.monitor,
                portal.sessions.reconciler,
            )
            tasks = [asyncio.ensure_future(value.run()) for value in (*rooms, portal.cluster.stream)]
            tasks.append(asyncio.ensure_future(demand(portal)))
            await asyncio.sleep(MINUTES * 60)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(error is None or isinstance(error, asyncio.CancelledError) for error in ended), ended
            await portal.engine.dispose()
            await portal.hub.close()

        with asyncio.Runner(loop_factory=Hurried) as runner:
            runner.run(life())
        return slurm

    return live


def test_at_rest_all_rooms_together_ask_slurm_seventeen_times_a_minute(lived: Callable[..., FakeSlurm]) -> None:
    slurm = lived(nobody)
    counts = Counter(program for _, program in slurm.asked)
    assert counts.keys() == {"squeue", "scontrol", "sacctmgr", "sacct"}, "every room was at work"
    assert 13 <= len(slurm.asked) / MINUTES <= 20, counts
    assert slurm.most_a_minute() <= 20, counts


def test_however_many_ask_slurm_is_asked_within_the_budget(lived: Callable[..., FakeSlurm]) -> None:
    slurm = lived(many_at_once)
    assert 28 <= len(slurm.asked) / MINUTES <= 30 + SAVED / MINUTES + 1
    assert slurm.most_a_minute() <= 31
    queue = [at for at, program in slurm.asked if program == "squeue"]
    longest = max(later - sooner for sooner, later in pairwise(queue))
    assert longest <= 15, "the picture of the queue does not grow old meanwhile"
