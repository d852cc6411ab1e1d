"""A machine's clock that is set ahead or back is noticed, and nothing is concluded by it for a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from portal.moment import Steps
from portal.slurm.snapshot import Snapshot
from tests.unit.sessions.conftest import Clock


@pytest.mark.parametrize("seconds", [3600, -3600, 0.5])
def test_clock_that_is_set_is_noticed_until_it_has_settled(seconds: float) -> None:
    clock = Clock()
    steps = Steps(clock, clock.steady)
    clock.pass_(1000)
    assert not steps.lately()
    clock.set(seconds)
    assert steps.lately()
    clock.pass_(44)
    assert steps.lately()
    clock.pass_(2)
    assert not steps.lately()


def test_slewed_clock_is_not_called_set() -> None:
    clock = Clock()
    steps = Steps(clock, clock.steady)
    for _ in range(100):
        clock.pass_(10)
        clock.set(0.005)  # 500 in a million
        assert not steps.lately()


def test_queue_read_by_a_clock_that_was_ahead_is_after_nothing() -> None:
    clock = Clock()
    snapshot = Snapshot(jobs_as_of=clock() + timedelta(hours=1))
    assert snapshot.is_after(clock())
    assert not replace(snapshot, clock_set=True).is_after(clock())
    assert not Snapshot().is_after(clock())
