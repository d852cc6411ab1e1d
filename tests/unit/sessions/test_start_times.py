"""Waits and starts are totalled by partition, never as negative times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from portal.sessions.models import SessionRecord
from portal.sessions.start_times import StartTimes, StartTotal

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def session(partition: str, started_after_s: float | None, ready_after_s: float) -> SessionRecord:
    started = None if started_after_s is None else NOON + timedelta(seconds=started_after_s)
    ready = NOON + timedelta(seconds=ready_after_s)
    return SessionRecord(partition=partition, created_at=NOON, started_at=started, ready_at=ready)


def test_waits_and_starts_are_totalled_by_partition() -> None:
    times = StartTimes()
    times.add(session("a100", 60, 62))
    times.add(session("a100", 0.5, 1.5))
    times.add(session("debug", 0, 3))
    assert times.by_partition == {"a100": StartTotal(2, 60.5, 3.0), "debug": StartTotal(1, 0.0, 3.0)}


def test_clock_of_slurm_that_differs_makes_no_negative_time() -> None:
    times = StartTimes()
    times.add(session("a100", -2, -3))
    times.add(session("a100", None, 1))
    assert times.by_partition["a100"] == StartTotal(1, 0.0, 0.0)
