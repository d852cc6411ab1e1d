"""Questions that several ask at once are one; whoever comes after it began gets a newer answer."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import SlurmUnavailable
from portal.slurm.shared import Shared


class Asked:
    def __init__(self) -> None:
        self.count = 0
        self.may_ask = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.silent = False

    async def turn(self) -> None:
        await self.may_ask.wait()

    async def ask(self) -> int:
        self.count += 1
        answer = self.count
        await self.may_answer.wait()
        if self.silent:
            raise SlurmUnavailable("Slurm does not answer.")
        return answer


async def test_who_asks_while_it_waits_shares_and_who_comes_later_does_not() -> None:
    asked = Asked()
    shared = Shared(asked.ask, asked.turn)
    first = [asyncio.create_task(shared()) for _ in range(50)]
    await asyncio.sleep(0)
    first[0].cancel()  # one who leaves takes the answer from nobody
    asked.may_ask.set()
    while not asked.count:
        await asyncio.sleep(0)
    later = asyncio.create_task(shared())
    asked.may_answer.set()
    assert await asyncio.gather(*first[1:]) == [1] * 49
    assert await later == 2


async def test_silence_is_told_to_all_and_the_next_question_is_a_new_one() -> None:
    asked = Asked()
    shared = Shared(asked.ask, asked.turn)
    asked.may_ask.set()
    asked.may_answer.set()
    asked.silent = True
    told = await asyncio.gather(shared(), shared(), return_exceptions=True)
    assert [type(one) for one in told] == [SlurmUnavailable] * 2
    asked.silent = False
    assert await shared() == 2
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await shared()
