"""Background loops: one that fails runs again, one that hangs is reported, and Health shows both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import structlog

from portal import loops
from portal.health.background import part
from portal.health.monitor import State
from portal.loops import Loop, Loops, every, pause, resting, turn

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class FakeSleep:
    """A pause before a restart that lasts until the test lets it end."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        self.begun.set()
        await self.over.wait()
        self.over.clear()

    async def reached(self) -> None:
        async with asyncio.timeout(5):
            await self.begun.wait()
        self.begun.clear()


@pytest.fixture
def sleep() -> FakeSleep:
    return FakeSleep()


@pytest.fixture
async def made(sleep: FakeSleep) -> AsyncIterator[Loops]:
    made = Loops(lambda: NOW, sleep)
    yield made
    await made.close()


async def until(condition: asyncio.Event) -> None:
    async with asyncio.timeout(5):
        await condition.wait()


async def test_a_loop_that_fails_is_started_again_later_each_time(made: Loops, sleep: FakeSleep) -> None:
    async def broken() -> None:
        raise OverflowError("Python int too large to convert to SQLite INTEGER")

    made.start("usage-sampler", broken)
    for _ in range(8):
        await sleep.reached()
        sleep.over.set()
    await sleep.reached()
    assert sleep.asked == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    result = part(made.all, NOW)
    assert (result.state, result.since) == (State.DOWN, NOW)
    assert "usage-sampler fails, 9 times so far: OverflowError: Python int" in result.message
    assert result.do


async def test_a_whole_turn_ends_the_trouble_and_its_count_stays(made: Loops, sleep: FakeSleep) -> None:
    runs, turned, go = 0, asyncio.Event(), asyncio.Event()

    async def once_broken() -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise ValueError("no")
        with resting():
            assert part(made.all, NOW).state is State.DOWN, "starting again is not yet a turn"
        with resting():
            turned.set()
            await go.wait()

    made.start("feed", once_broken)
    await sleep.reached()
    sleep.over.set()
    await until(turned)
    result = part(made.all, NOW)
    assert result.state is State.OK
    assert (
        result.message == "All loops are running. feed failed once, last at 2026-11-21 12:00 UTC, and is running again."
    )


async def test_a_loop_that_is_cancelled_by_what_it_waits_for_or_returns_is_started_again(
    made: Loops, sleep: FakeSleep
) -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    async def returns() -> None:
        return

    made.start("one", cancelled)
    await sleep.reached()
    made.start("two", returns)
    await sleep.reached()
    made.start("not configured", returns, may_end=True)
    await asyncio.sleep(0)
    assert [(loop.failures, loop.ended) for loop in made.all] == [(1, False), (1, False), (0, True)]


async def test_one_bad_item_is_told_and_does_not_end_the_loop(made: Loops) -> None:
    done: list[int] = []
    over = asyncio.Event()

    async def items() -> None:
        for item in (1, 2, 3):
            with turn("test.item_failed", item=item):
                if item == 2:
                    raise KeyError(item)
                done.append(item)
        with resting():
            over.set()
            await asyncio.Event().wait()

    made.start("items", items)
    await until(over)
    assert done == [1, 3]
    (loop,) = made.all
    assert (loop.failures, loop.error) == (1, "KeyError: 2")
    assert part(made.all, NOW).state is State.DOWN, "until a turn is done without a failure"


@pytest.mark.parametrize("failed", [None, "test.act_failed"])
async def test_every_goes_on_after_a_failure_only_if_that_has_a_name(failed: str | None) -> None:
    calls = 0
    twice = asyncio.Event()

    async def act() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise KeyError(calls)
        twice.set()

    loop = asyncio.create_task(every(0.0, act, failed=failed))
    going_on = asyncio.create_task(twice.wait())
    await asyncio.wait([loop, going_on], return_when=asyncio.FIRST_COMPLETED, timeout=5)
    assert (loop.done(), going_on.done()) == (failed is None, failed is not None)
    if loop.done():
        assert isinstance(loop.exception(), KeyError)
    loop.cancel()
    going_on.cancel()
    await asyncio.gather(loop, going_on, return_exceptions=True)


async def test_a_loop_that_hangs_in_one_turn_is_told_and_one_that_rests_is_not(
    made: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = asyncio.Event()

    async def hangs() -> None:
        began.set()
        await asyncio.Event().wait()

    async def rests() -> None:
        await pause(3600)

    made.start("reconciler", hangs, patience_s=300)
    made.start("history", rests, patience_s=300)
    await until(began)
    assert part(made.all, NOW).state is State.OK
    now = loops.time.monotonic()
    monkeypatch.setattr(loops.time, "monotonic", lambda: now + 400)
    result = part(made.all, NOW)
    assert result.state is State.DOWN
    assert result.message == "reconciler has made no progress for 400 s."
    assert result.since is not None
    assert result.since < NOW


async def test_outside_of_a_loop_marks_do_nothing() -> None:
    with resting():
        pass
    with structlog.testing.capture_logs() as logs, turn("test.failed"):
        raise ValueError("logged alone")
    assert [entry["event"] for entry in logs] == ["test.failed"]


def test_nothing_started_is_not_called_well() -> None:
    assert part((), NOW).state is State.UNKNOWN
    ended = Loop("modules", pause, lambda: NOW, 1, True)  # type: ignore[arg-type]
    ended.ended = True
    assert part((ended,), NOW).state is State.UNKNOWN
