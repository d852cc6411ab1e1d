"""Accounts are served from the last answer while the directory is slow, and asked for once at a time."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from portal.auth.people import FRESH_S, STALE_S, People
from portal.directory import DirectoryUser
from portal.errors import DirectoryUnavailable


def account(*groups: str) -> DirectoryUser:
    return DirectoryUser("alice", "Alice", "", 1, 1, groups, allowed=True, admin=False)


class SlowDirectory:
    """Answers immediately, or when the test releases it."""

    def __init__(self) -> None:
        self.answer: DirectoryUser | DirectoryUnavailable | None = account("first")
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.asked = 0

    async def account(self, username: str) -> DirectoryUser | None:
        self.asked += 1
        await self.goes_on.wait()
        if isinstance(self.answer, DirectoryUnavailable):
            raise self.answer
        return self.answer


@pytest.fixture
async def directory() -> SlowDirectory:
    return SlowDirectory()


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def people(directory: Any, clock: SimpleNamespace) -> People:
    return People(directory, lambda: clock.now)


async def test_hanging_directory_keeps_nobody_who_is_known(
    people: People, directory: SlowDirectory, clock: SimpleNamespace
) -> None:
    await people.account("alice")
    clock.now += FRESH_S
    directory.goes_on.clear()
    directory.answer = account("second")
    async with asyncio.timeout(5):
        for _ in range(100):
            assert await people.groups("alice") == ("first",)
    assert directory.asked == 2
    directory.goes_on.set()
    async with asyncio.timeout(5):
        while await people.groups("alice") != ("second",):
            await asyncio.sleep(0)
    assert directory.asked == 2


async def test_directory_that_is_well_is_heard_before_an_old_answer(
    people: People, directory: SlowDirectory, clock: SimpleNamespace
) -> None:
    await people.account("alice")
    clock.now += FRESH_S
    directory.answer = None
    assert await people.account("alice") is None


async def test_last_answer_holds_for_its_time_and_not_longer(
    people: People, directory: SlowDirectory, clock: SimpleNamespace
) -> None:
    await people.account("alice")
    directory.answer = DirectoryUnavailable("away")
    clock.now += STALE_S - 1
    assert await people.groups("alice") == ("first",)
    clock.now += 1
    with pytest.raises(DirectoryUnavailable):
        await people.account("alice")


async def test_those_who_wait_for_one_unknown_account_ask_once(people: People, directory: SlowDirectory) -> None:
    directory.goes_on.clear()
    waiting = [asyncio.create_task(people.groups("alice")) for _ in range(20)]
    while not directory.asked:
        await asyncio.sleep(0)
    waiting[0].cancel()  # its page was closed
    directory.goes_on.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert answers[1:] == [("first",)] * 19
    assert directory.asked == 1
