"""Figures spread over days, and waiting times counted: nothing is lost, nothing counted twice."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from portal.usage import spread
from portal.usage.spread import JobRun, Sums, WaitingTimes

NIGHT = int(datetime(2026, 10, 31, 22, tzinfo=UTC).timestamp())


def test_a_job_over_the_end_of_a_month_counts_in_both_and_once_as_a_job() -> None:
    held = JobRun(NIGHT, NIGHT + 4 * 3600, gpus=2, cpus=8, gpu_known_s=14_400, gpu_used_s=7_200)
    parts = dict(spread.days(held))
    assert parts == {
        20261031: Sums(jobs=1, gpu_s=14_400, cpu_s=57_600, gpu_known_s=7_200, gpu_used_s=3_600),
        20261101: Sums(jobs=0, gpu_s=14_400, cpu_s=57_600, gpu_known_s=7_200, gpu_used_s=3_600),
    }


def test_a_job_that_ended_as_it_began_is_a_job_all_the_same() -> None:
    assert list(spread.days(JobRun(NIGHT, NIGHT, gpus=1, cpus=1))) == [(20261031, Sums(jobs=1))]


@given(st.integers(0, 4_000_000_000), st.integers(0, 40 * 86_400), st.integers(0, 64), st.integers(0, 10**7))
def test_the_parts_of_a_job_add_up_to_it(started: int, seconds: int, gpus: int, used: int) -> None:
    held = JobRun(started, started + seconds, gpus, 3, gpu_known_s=used, gpu_used_s=used // 2, cpu_used_s=7)
    whole = Sums()
    for _, part in spread.days(held):
        whole.add(part)
    known = (used, used // 2, 7) if seconds else (0, 0, 0)
    assert (whole.jobs, whole.gpu_s, whole.cpu_s) == (1, seconds * gpus, seconds * 3)
    assert (whole.gpu_known_s, whole.gpu_used_s, whole.cpu_used_s) == known


@given(st.integers(0, 10**9))
def test_a_waiting_time_is_told_within_two_and_a_half_percent(wait: int) -> None:
    seconds = spread.seconds_of(spread.bucket(wait))
    assert seconds == wait if wait <= 60 else abs(seconds - wait) <= 0.026 * wait + 1


def test_quantiles_are_by_nearest_rank() -> None:
    waits = WaitingTimes()
    for second in range(1, 41):
        waits.add(spread.bucket(second), 1)
    assert (waits.quantile(0.5), waits.quantile(0.95)) == (20, 38)
    assert WaitingTimes().quantile(0.5) is None
