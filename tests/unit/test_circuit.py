"""A circuit opens after slow failures, probes singly, and closes with the first answer."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from portal.circuit import Circuit
from portal.errors import DirectoryUnavailable
from portal.health.monitor import Check, Monitor, State
from tests.unit.sessions.conftest import START


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now=0.0)


@pytest.fixture
def circuit(clock: SimpleNamespace) -> Circuit:
    return Circuit("It", DirectoryUnavailable, slow_s=1, failures=3, retry_s=10, monotonic=lambda: clock.now)


def fail(circuit: Circuit, clock: SimpleNamespace, took_s: float) -> None:
    def hang() -> None:
        with circuit.attempt():
            clock.now += took_s
            raise DirectoryUnavailable("it hangs")

    with pytest.raises(DirectoryUnavailable, match="hangs"):
        hang()


def test_opens_after_slow_failures_and_says_when_to_try_again(circuit: Circuit, clock: SimpleNamespace) -> None:
    for _ in range(3):
        fail(circuit, clock, took_s=5)
    clock.now += 4
    with pytest.raises(DirectoryUnavailable, match="not answered for some time") as caught, circuit.attempt():
        pytest.fail("it was asked")
    assert caught.value.retry_after_s == 6
    assert caught.value.since == circuit.open_since is not None


def test_quick_failures_and_answers_in_between_keep_it_closed(circuit: Circuit, clock: SimpleNamespace) -> None:
    for _ in range(10):
        fail(circuit, clock, took_s=0.1)
    for took_s in (5, 5):
        fail(circuit, clock, took_s=took_s)
    with pytest.raises(ValueError, match="an answer"), circuit.attempt():
        raise ValueError("an answer, if an odd one")
    for took_s in (5, 5):
        fail(circuit, clock, took_s=took_s)
    assert circuit.open_since is None


def test_one_probe_goes_through_and_its_answer_closes_it(circuit: Circuit, clock: SimpleNamespace) -> None:
    for _ in range(3):
        fail(circuit, clock, took_s=5)
    clock.now += 11
    with circuit.attempt(), pytest.raises(DirectoryUnavailable, match="not answered for some time"), circuit.attempt():
        pytest.fail("a second one was asked beside the probe")
    assert circuit.open_since is None
    with circuit.attempt():
        pass


def test_a_failed_probe_keeps_it_open_and_an_abandoned_one_lets_the_next_through(
    circuit: Circuit, clock: SimpleNamespace
) -> None:
    for _ in range(3):
        fail(circuit, clock, took_s=5)
    since = circuit.open_since
    clock.now += 11
    fail(circuit, clock, took_s=5)
    assert circuit.open_since == since
    clock.now += 11
    with pytest.raises(asyncio.CancelledError), circuit.attempt():
        raise asyncio.CancelledError
    with circuit.attempt():
        pass
    assert circuit.open_since is None


async def test_health_says_since_when_it_is_open(circuit: Circuit, clock: SimpleNamespace) -> None:
    for _ in range(3):
        fail(circuit, clock, took_s=5)

    async def look() -> None:
        with circuit.attempt():
            pytest.fail("it was asked")

    monitor = Monitor([Check("directory", "Directory", look, "Mend it.")], lambda: START)  # type: ignore[arg-type]
    await monitor.round()
    part = monitor.part("directory")
    assert (part.state, part.since) == (State.DOWN, circuit.open_since)
