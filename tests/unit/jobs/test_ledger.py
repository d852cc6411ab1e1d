"""Accounting is asked in few questions, however many jobs end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Any

import pytest

from portal.errors import SlurmUnavailable
from portal.jobs import ledger
from portal.jobs.ledger import Ledger
from portal.slurm.budget import Budget


class FakeSlurm:
    def __init__(self) -> None:
        self.asked: list[set[int]] = []
        self.silent = False
        self.budget = Budget(60_000, lambda: 0.0, saved=1000)

    async def accounts(self, job_ids: Collection[int]) -> dict[int, list[Any]]:
        self.asked.append(set(job_ids))
        if self.silent:
            raise SlurmUnavailable("slurmdbd is away.")
        return {job_id: [f"account {job_id}"] for job_id in job_ids if job_id != 404}


@pytest.fixture
def slurm() -> FakeSlurm:
    return FakeSlurm()


@pytest.fixture
def calls() -> Counter[str]:
    return Counter()


@pytest.fixture
def asks(slurm: FakeSlurm, calls: Counter[str]) -> Ledger:
    accounting: Any = slurm
    return Ledger(accounting, per_minute=600, calls=calls)


async def test_questions_beyond_the_budget_wait_and_become_one(
    asks: Ledger, slurm: FakeSlurm, calls: Counter[str]
) -> None:
    accounts = [await asks.accounts([first]) for first in (1, 2)]  # what was saved up
    accounts += await asyncio.gather(*(asks.accounts([number, 404]) for number in range(10, 60)))
    assert accounts[0] == {1: ["account 1"]}
    assert accounts[-1] == {59: ["account 59"]}
    assert slurm.asked == [{1}, {2}, {*range(10, 60), 404}]
    assert calls["accounting"] == 3


async def test_questions_a_minute_are_bounded(slurm: FakeSlurm, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("portal.slurm.budget.asyncio.sleep", sleep)
    monkeypatch.setattr(ledger.time, "monotonic", lambda: now)
    accounting: Any = slurm
    asks = Ledger(accounting, per_minute=6, calls=Counter())
    while now < 600:
        await asks.accounts([7])
    assert len(slurm.asked) <= 10 * 6 + ledger.SAVED + 1


async def test_silence_is_told_to_everybody_who_asked_and_the_next_question_is_a_new_one(
    asks: Ledger, slurm: FakeSlurm
) -> None:
    slurm.silent = True
    results = await asyncio.gather(asks.accounts([1]), asks.accounts([2]), return_exceptions=True)
    assert [type(value) for value in results] == [SlurmUnavailable, SlurmUnavailable]
    slurm.silent = False
    assert await asks.accounts([1]) == {1: ["account 1"]}
    assert await asks.accounts([]) == {}


async def test_who_goes_away_leaves_the_others_their_answer(asks: Ledger) -> None:
    gone, stays = asyncio.create_task(asks.accounts([1])), asyncio.create_task(asks.accounts([2]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await stays == {2: ["account 2"]}
