"""Long work on the event loop, in slices: a request waits for one slice, not for all of the work.

A thread would not help: its computation holds Python's interpreter lock for milliseconds at a time, and every response
needs the lock several times.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
SLICE_S = 0.003
#: A response takes about this many rounds of the event loop. A round without other work costs next to nothing.
ROUNDS = 10


async def in_slices(work: Generator[None, None, T]) -> T:
    """Run a generator that yields wherever it may be interrupted, and return its result."""
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
