"""Failed logins are limited per user and per address; right ones never are."""

from __future__ import annotations

import asyncio

import pytest

from portal.directory import LoginGate, TooManyFailures


async def fail(gate: LoginGate, username: str, address: str) -> None:
    async with gate.login(username, address) as attempt:
        await asyncio.sleep(0)
        attempt.failed()


async def test_user_waits_after_too_many_failures_from_anywhere() -> None:
    gate = LoginGate("2/minute")
    await fail(gate, "alice", "10.0.0.1")
    await fail(gate, "ALICE ", "10.0.0.2")
    with pytest.raises(TooManyFailures) as refused:
        await fail(gate, "alice", "10.0.0.3")
    assert 1 <= refused.value.retry_after_s <= 60
    await fail(gate, "bob", "10.0.0.3")


async def test_address_waits_after_too_many_failures_with_any_name() -> None:
    gate = LoginGate("2/minute")
    await fail(gate, "a", "10.0.0.1")
    await fail(gate, "b", "10.0.0.1")
    with pytest.raises(TooManyFailures):
        await fail(gate, "c", "10.0.0.1")


async def test_burst_gets_no_more_tries_than_one_after_the_other() -> None:
    gate = LoginGate("3/minute")
    tried = 0

    async def attempt() -> None:
        nonlocal tried
        async with gate.login("alice", "10.0.0.1") as result:
            tried += 1
            await asyncio.sleep(0)
            result.failed()

    results = await asyncio.gather(*(attempt() for _ in range(50)), return_exceptions=True)
    assert tried == 3
    assert sum(isinstance(result, TooManyFailures) for result in results) == 47


async def test_many_right_logins_from_one_address_all_pass() -> None:
    gate = LoginGate("3/minute")

    async def right(number: int) -> int:
        async with gate.login(f"user{number}", "10.0.0.1"):
            await asyncio.sleep(0)
        return number

    assert await asyncio.gather(*(right(number) for number in range(50))) == list(range(50))


async def test_attempt_that_raises_counts_for_nothing() -> None:
    gate = LoginGate("1/minute")
    for _ in range(3):
        with pytest.raises(OSError, match="away"):
            async with gate.login("alice", "10.0.0.1"):
                raise OSError("away")
