"""Long work gives way, and its result is the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator

from portal.slices import SLICE_S, at_once, in_slices


def work(steps: int) -> Generator[None, None, int]:
    total = 0
    for number in range(steps):
        time.sleep(SLICE_S / 3)
        total += number
        yield
    return total


async def test_others_have_their_turn_meanwhile() -> None:
    order: list[str] = []

    async def long() -> None:
        assert await in_slices(work(20)) == 190
        order.append("long")

    async def short() -> None:
        order.append("short")

    await asyncio.gather(long(), short())
    assert order == ["short", "long"]


def test_without_interruption_it_is_the_same() -> None:
    assert at_once(work(5)) == 10


async def test_an_answer_of_several_steps_waits_for_one_slice() -> None:
    slices = 0

    def long() -> Generator[None, None, None]:
        nonlocal slices
        while slices < 50:
            time.sleep(SLICE_S)  # work: it holds the event loop
            slices += 1
            yield

    async def answer() -> int:
        for _ in range(8):
            await asyncio.sleep(0)
        return slices

    _, waited = await asyncio.gather(in_slices(long()), answer())
    assert waited <= 2
