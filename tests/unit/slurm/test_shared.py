"""Simultaneous questions become one; a caller that arrives after it began gets a newer answer."""

from __future__ import annotations

import asyncio
import time

import pytest

from portal.errors import SlurmUnavailable
from portal.slurm.budget import Budget
from portal.slurm.shared import Shared


class Asked:
    def __init__(self) -> None:
        self.count = 0
        self.budget = Budget(60_000, time.monotonic, saved=0)
        self.may_answer = asyncio.Event()
        self.silent = False

    async def ask(self) -> int:
        self.count += 1
        answer = self.count
        await self.may_answer.wait()
        if self.silent:
            raise SlurmUnavailable("Slurm does not answer.")
        return answer


async def test_who_asks_while_it_waits_shares_and_who_comes_later_does_not() -> None:
    asked = Asked()
    shared = Shared(asked.ask, asked.budget)
    first = [asyncio.create_task(shared()) for _ in range(50)]
    await asyncio.sleep(0)
    first[0].cancel()  # one who leaves takes the answer from nobody
    while not asked.count:
        await asyncio.sleep(0)
    later = asyncio.create_task(shared())
    asked.may_answer.set()
    assert await asyncio.gather(*first[1:]) == [1] * 49
    assert await later == 2


async def test_silence_is_told_to_all_and_the_next_question_is_a_new_one() -> None:
    asked = Asked()
    shared = Shared(asked.ask, asked.budget)
    asked.may_answer.set()
    asked.silent = True
    results = await asyncio.gather(shared(), shared(), return_exceptions=True)
    assert [type(value) for value in results] == [SlurmUnavailable] * 2
    asked.silent = False
    assert await shared() == 2
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await shared()
