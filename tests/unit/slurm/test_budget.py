"""The budget is the client's: whatever reads Slurm waits for it, whether or not its caller knows of a budget."""

from __future__ import annotations

import asyncio
import inspect
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.settings import Slurm
from portal.slurm import queries
from portal.slurm.batch import BatchSlurm
from portal.slurm.budget import BACKGROUND_WAIT_S, RESERVED, SAVED, Budget
from portal.slurm.client import SlurmClient
from portal.slurm.commands import SlurmCommands
from portal.slurm.library.client import SlurmLibrary
from portal.slurm.process import Finished

CONFIG = """\
SLURM_VERSION = 22.05.8
AccountingStorageType = accounting_storage/slurmdbd
PriorityType = priority/multifactor
TrackWCKey = Yes
"""
#: How each method that reads is called.
READS: dict[str, tuple[Any, ...]] = {
    "jobs": (), "nodes": (), "partitions": (), "associations": (), "places": (), "priorities": (), "reservations": (),
    "version": (), "licenses": (), "wckeys": (),
    "job_ends": ([7],), "with_steps": ([7],), "clusters": (), "limits": (), "ask": (queries.nodes(),),
}  # fmt: skip
BATCH_READS: dict[str, tuple[Any, ...]] = {
    "accounts": ([7],), "outputs": (7,), "submitted": ("alice", "k3f9", datetime(2026, 11, 21, tzinfo=UTC)),
    "use": ("alice", 7, 1, 60),
}  # fmt: skip
#: What a user's start waits for, and what is read once.
AT_ONCE: dict[str, tuple[Any, ...]] = {"find": ("alice", "k3f9k3f9k3f9"), "keeps_accounts": (), "private": ()}
#: What goes through the door, which has bounds of its own, or asks nothing.
OTHERS = {"submit", "change", "withdraw", "cancel", "read_log", "close", "act", "stream", "test"}


class Counted(Budget):
    """Counts the readings taken; there is always one left."""

    def __init__(self) -> None:
        super().__init__(60, lambda: 0.0)
        self.taken = 0

    async def take(self) -> None:
        self.taken += 1


@pytest.fixture(params=[SlurmCommands, SlurmLibrary])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SlurmCommands:
    async def run(argv: list[str], **_: object) -> Finished:
        return Finished(0, CONFIG if argv[1:] == ["show", "config"] else "", "")

    async def read(what: str, take: object) -> None:
        """pyslurm answers with nothing."""

    monkeypatch.setattr("portal.slurm.process.run", run)
    made: SlurmCommands = request.param(Slurm())
    if isinstance(made, SlurmLibrary):
        monkeypatch.setattr(made.child, "read", read)
    made.budget = Counted()
    return made


def taken(client: SlurmCommands) -> int:
    assert isinstance(client.budget, Counted)
    return client.budget.taken


@pytest.mark.parametrize("name", READS)
async def test_every_reading_waits_for_the_budget_by_itself(client: SlurmCommands, name: str) -> None:
    await getattr(client, name)(*READS[name])
    assert taken(client) == 1


@pytest.mark.parametrize("name", BATCH_READS)
async def test_so_do_those_for_batch_jobs(client: SlurmCommands, name: str) -> None:
    await getattr(BatchSlurm(client, deadline_s=10), name)(*BATCH_READS[name])
    assert taken(client) == 1


@pytest.mark.parametrize("name", AT_ONCE)
async def test_what_a_start_waits_for_waits_for_no_other_reading(client: SlurmCommands, name: str) -> None:
    await getattr(client, name)(*AT_ONCE[name])
    assert taken(client) == 0


@pytest.mark.parametrize(("of", "known"), [(SlurmClient, READS), (SlurmCommands, READS), (BatchSlurm, BATCH_READS)])
def test_no_method_is_left_out_here(of: type, known: dict[str, Any]) -> None:
    methods = {name for name, _ in inspect.getmembers(of, inspect.isfunction) if not name.startswith("_")}
    assert methods - OTHERS - AT_ONCE.keys() - known.keys() - ({"act"} if of is BatchSlurm else set()) == set()


async def test_one_reading_is_enough_for_all_that_a_task_asks_in_its_block(client: SlurmCommands) -> None:
    async with client.budget.reading():
        await client.nodes()
        await client.job_ends([7])
    assert taken(client) == 1
    await client.nodes()
    assert taken(client) == 2


@pytest.mark.parametrize("block", ["reading", "at_once"])
async def test_what_is_started_in_a_block_takes_readings_of_its_own(client: SlurmCommands, block: str) -> None:
    async def later() -> None:
        await client.nodes()

    if block == "reading":
        async with client.budget.reading():
            await asyncio.create_task(later())
    else:
        with client.budget.at_once():
            await asyncio.create_task(later())
    assert taken(client) == (2 if block == "reading" else 1)


class Slept:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> Slept:
    slept = Slept()
    monkeypatch.setattr("portal.slurm.budget.asyncio.sleep", slept.sleep)
    return slept


async def test_readings_beyond_the_budget_wait(slept: Slept) -> None:
    budget = Budget(60, lambda: slept.now, saved=1)
    for _ in range(3):
        async with budget.reading():
            slept.now += 0.25
    assert slept.waits == [0.0, 0.75, 0.75]


async def test_background_readings_leave_some_to_what_users_do(slept: Slept) -> None:
    budget = Budget(60, lambda: slept.now)
    for _ in range(int(SAVED - RESERVED) + 2):
        async with budget.background_reading():
            pass
    assert slept.now == pytest.approx(2), "the last two come as they are saved up"
    slept.waits.clear()
    for _ in range(int(RESERVED)):
        async with budget.reading():
            pass
    assert not any(slept.waits)


async def test_a_background_reading_gets_its_turn_when_nothing_is_left_over(
    slept: Slept, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, sleep = Budget(60, lambda: slept.now), slept.sleep

    async def others() -> None:
        while budget.saved >= 1:
            await budget.take()

    async def busily(seconds: float) -> None:
        await sleep(seconds)
        if seconds and slept.now < BACKGROUND_WAIT_S:
            await others()

    await others()
    monkeypatch.setattr("portal.slurm.budget.asyncio.sleep", busily)
    async with budget.background_reading():
        assert BACKGROUND_WAIT_S <= slept.now < BACKGROUND_WAIT_S + 2
