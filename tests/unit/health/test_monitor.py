"""Parts are checked in the background; a check that fails or hangs does not affect the others."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta

from portal.errors import DirectoryUnavailable
from portal.health.monitor import Check, Finding, Monitor, State
from portal.slurm.budget import Budget

START = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def go(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


async def fine() -> Finding:
    return Finding(State.OK, "It answers.")


async def hangs() -> Finding:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


async def refuses() -> Finding:
    raise DirectoryUnavailable("The directory does not answer.")


async def is_broken() -> Finding:
    raise ZeroDivisionError


async def test_one_part_that_hangs_or_is_broken_leaves_the_others_alone() -> None:
    looks = {"fine": fine, "hangs": hangs, "refuses": refuses, "broken": is_broken}
    monitor = Monitor([Check(name, name, look, "Mend it.") for name, look in looks.items()], Clock(), timeout_s=0.05)
    await monitor.round()
    parts = {part.name: part for part in monitor.parts}
    assert {name: part.state for name, part in parts.items()} == {
        "fine": State.OK,
        "hangs": State.DOWN,
        "refuses": State.DOWN,
        "broken": State.UNKNOWN,
    }
    assert (parts["fine"].do, parts["hangs"].do) == ("", "Mend it.")
    assert parts["refuses"].message == "The directory does not answer."
    assert "ZeroDivisionError" in parts["broken"].message


async def test_since_is_when_it_changed_and_not_when_it_was_last_looked_at() -> None:
    clock, answers = Clock(), [State.OK, State.OK, State.DOWN, State.DOWN, State.OK]

    async def look() -> Finding:
        return Finding(answers.pop(0), "")

    monitor = Monitor([Check("one", "One", look, "Mend it.")], clock, steady=clock)
    since = []
    while answers:
        await monitor.round()
        since.append(monitor.part("one").since)
        clock.go(20)
    assert since == [START, START, *[START + timedelta(seconds=40)] * 2, START + timedelta(seconds=80)]


async def test_a_check_with_a_longer_pause_is_left_out_of_most_rounds() -> None:
    clock, looks = Clock(), {"often": 0, "rarely": 0}

    def counted(name: str, every_s: float) -> Check:
        async def look() -> Finding:
            looks[name] += 1
            return Finding(State.OK, "")

        return Check(name, name, look, "", every_s)

    monitor = Monitor([counted("often", 15), counted("rarely", 60)], clock, steady=clock)
    for _ in range(8):
        await monitor.round()
        clock.go(15)
    assert looks == {"often": 8, "rarely": 2}


async def test_a_clock_that_is_set_back_keeps_no_part_from_being_looked_at() -> None:
    clock, steady, looks = Clock(), Clock(), []

    async def look() -> Finding:
        looks.append(clock())
        return Finding(State.OK, "")

    monitor = Monitor([Check("one", "One", look, "Mend it.")], clock, steady=steady)
    await monitor.round()
    clock.go(-3600)
    steady.go(15)
    await monitor.round()
    assert len(looks) == 2


async def test_what_a_check_knows_better_than_that_it_was_seen_now_counts() -> None:
    async def look() -> Finding:
        return Finding(State.DOWN, "gone", since=START - timedelta(hours=1))

    monitor = Monitor([Check("one", "One", look, "Mend it.")], Clock())
    await monitor.round()
    assert monitor.part("one").since == START - timedelta(hours=1)


async def test_time_in_which_a_check_waits_for_its_turn_is_not_held_against_the_part() -> None:
    budget = Budget(600, time.monotonic, saved=0)  # a reading in 0.1 s

    async def asks() -> Finding:
        async with budget.reading():
            return await fine()

    monitor = Monitor([Check("one", "One", asks, "", budget=budget)], Clock(), timeout_s=0.05)
    await monitor.round()
    assert monitor.part("one").state is State.OK
