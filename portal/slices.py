"""Long work on the event loop, in slices: whoever waits for an answer meanwhile waits for a slice, not for all of it.

A thread would not do: what computes in one holds Python's interpreter lock for milliseconds at a time, and every answer
needs it back several times.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
SLICE_S = 0.003
#: An answer takes about this many of the event loop's rounds. One in which nobody else has work costs next to nothing.
ROUNDS = 10


async def in_slices(work: Generator[None, None, T]) -> T:
    """Run a generator that yields wherever it may be interrupted, and return what it returns."""
    until = perf_counter() + SLICE_S
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        if perf_counter() > until:
            for _ in range(ROUNDS):
                await asyncio.sleep(0)
            until = perf_counter() + SLICE_S


def at_once(work: Generator[None, None, T]) -> T:
    """Run such a generator without interruption."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
