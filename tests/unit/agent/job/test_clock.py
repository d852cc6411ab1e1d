"""Warnings before the end: each once, none as a short session starts, again when the end has moved away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agent.job.clock import Deadline, moment

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START.timestamp()

    def __call__(self) -> float:
        return self.now


def at(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_each_warning_is_given_once(clock: Clock) -> None:
    deadline = Deadline(at(1000), [60, 900, 300], clock)
    assert deadline.warning() is None
    assert deadline.until_next() == 60
    clock.now += 100
    assert deadline.warning() == "This session ends in 15 minutes. Save your work."
    assert deadline.warning() is None
    clock.now += 870
    assert deadline.warning() == "This session ends in 30 seconds. Save your work."
    assert deadline.warning() is None
    assert deadline.cause() == "time_limit"
    assert not deadline.is_over()
    clock.now += 30
    assert deadline.is_over()
    assert deadline.until_next() == 0.05


def test_short_session_is_not_warned_as_it_starts(clock: Clock) -> None:
    deadline = Deadline(at(600), [900, 300, 60], clock)
    assert deadline.warning() is None
    clock.now += 301
    assert deadline.warning() == "This session ends in 5 minutes. Save your work."


def test_very_short_session_is_warned_once(clock: Clock) -> None:
    deadline = Deadline(at(59), [900, 300, 60], clock)
    assert deadline.warning() == "This session ends in 1 minute. Save your work."
    assert deadline.warning() is None


def test_end_that_moved_away_is_warned_of_again(clock: Clock) -> None:
    deadline = Deadline(at(400), [300, 60], clock)
    clock.now += 150
    assert deadline.warning() is not None
    deadline.move(at(4000))
    clock.now += 100
    assert deadline.warning() is None
    clock.now = START.timestamp() + 3701
    assert deadline.warning() is not None


def test_end_that_came_nearer_is_warned_of(clock: Clock) -> None:
    deadline = Deadline(at(4000), [300, 60], clock)
    deadline.move(at(200))
    assert deadline.warning() is not None


def test_end_that_jumps_to_now_is_a_stop_and_not_the_time_limit(clock: Clock) -> None:
    deadline = Deadline(at(4000), [], clock)
    deadline.move(at(1))
    assert deadline.cause() == "stopped"
    shortened = Deadline(at(4000), [], clock)
    shortened.move(at(100))
    clock.now += 100
    assert shortened.cause() == "time_limit"


def test_no_end_means_no_warning(clock: Clock) -> None:
    deadline = Deadline(None, [300], clock)
    deadline.move("nonsense")
    assert deadline.warning() is None
    assert not deadline.is_over()
    assert deadline.cause() == "stopped"


def test_times_of_every_spelling_are_read() -> None:
    assert moment("2026-01-01T00:00:00Z") == moment("2026-01-01T01:00:00+01:00") == moment("2026-01-01T00:00:00")
    assert moment(5) is moment("soon") is moment(None) is None
