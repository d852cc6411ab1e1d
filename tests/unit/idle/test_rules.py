"""The idle policy's rules: what counts as work, and the course from idle to the end."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from pydantic import ValidationError

from portal.idle.rules import SILENCE_S, Course, Reading, Sign, Step, is_exempt, is_in_hours, sign_of_work
from portal.settings.idle import Idle

MINUTE = 60.0
RULE = Idle(action="end", after_minutes=60, grace_minutes=30)
QUIET: dict[str, Any] = {
    "seconds": MINUTE,
    "gpu_percent": 0.0,
    "cpu_percent": 1.0,
    "kernel_busy_percent": 0.0,
    "programs": 0,
    "quiet_s": 900.0,
    "disk_kib_s": 0.5,
    "network_kib_s": 0.5,
}


def reading(minute: float = 0, **changes: Any) -> Reading:
    return Reading(at_s=minute * MINUTE, **{**QUIET, **changes})


@pytest.mark.parametrize(
    ("changes", "sign"),
    [
        ({}, None),
        ({"gpu_percent": 1.5}, Sign.GPU),
        ({"kernel_busy_percent": 0.1}, Sign.KERNEL),
        ({"programs": 1}, Sign.TERMINAL),
        ({"quiet_s": 59.0}, Sign.PERSON),
        ({"cpu_percent": 11.0}, Sign.CPU),
        ({"disk_kib_s": 300.0}, Sign.DISK),
        ({"network_kib_s": 65.0}, Sign.NETWORK),
        ({"gpu_percent": 1.0, "cpu_percent": 10.0, "disk_kib_s": 256.0, "network_kib_s": 64.0}, None),
    ],
)
def test_any_one_sign_is_work(changes: dict[str, float], sign: Sign | None) -> None:
    assert sign_of_work(reading(**changes), RULE) is sign


@pytest.mark.parametrize("measure", [name for name in QUIET if name != "seconds"])
def test_a_measure_that_is_missing_is_never_idleness(measure: str) -> None:
    assert sign_of_work(reading(**{measure: None}), RULE) is Sign.UNKNOWN


def test_a_known_sign_is_told_before_what_is_unknown() -> None:
    assert sign_of_work(reading(gpu_percent=None, programs=1), RULE) is Sign.TERMINAL


def follow(course: Course, first: int, last: int, rule: Idle = RULE, **changes: Any) -> list[tuple[int, Step]]:
    allowed = changes.pop("allowed", True)
    steps = ((minute, course.step(reading(minute, **changes), rule, allowed=allowed)) for minute in range(first, last))
    return [(minute, step) for minute, step in steps if step is not None]


def test_a_session_is_warned_after_the_time_and_ended_after_the_grace() -> None:
    steps = follow(Course(), 1, 100)
    assert steps[:2] == [(60, Step.WARN), (90, Step.END)]


def test_telling_ends_nothing() -> None:
    assert follow(Course(), 1, 1000, Idle(action="tell", after_minutes=60)) == [(60, Step.WARN)]


def test_work_in_the_grace_withdraws_the_warning_and_the_time_begins_anew() -> None:
    course = Course()
    follow(course, 1, 80)
    assert follow(course, 80, 81, gpu_percent=50.0) == [(80, Step.CLEAR)]
    assert follow(course, 81, 200)[:2] == [(140, Step.WARN), (170, Step.END)]


def test_one_busy_minute_in_any_hour_is_enough() -> None:
    course = Course()
    for hour in range(12):
        assert follow(course, 55 * hour, 55 * hour + 1, kernel_busy_percent=2.0) == []
        assert follow(course, 55 * hour + 1, 55 * (hour + 1)) == []


def test_a_silence_is_not_idleness() -> None:
    course = Course()
    follow(course, 1, 80)
    assert follow(course, 200, 201) == [(200, Step.CLEAR)]
    assert follow(course, 201, 259) == []
    assert follow(course, 259, 262) == [(260, Step.WARN)]
    assert SILENCE_S < 120 * MINUTE


def test_a_snooze_puts_it_off_and_a_full_grace_follows() -> None:
    course, rule = Course(), Idle(action="end", after_minutes=60, grace_minutes=30, snooze_minutes=120)
    follow(course, 1, 70, rule)
    course.snooze(70 * MINUTE, rule)
    assert follow(course, 70, 221, rule)[:2] == [(190, Step.WARN), (220, Step.END)]
    assert course.snoozes == 1


def test_nothing_happens_while_it_is_not_allowed_and_the_idle_time_counts_on() -> None:
    course = Course()
    assert follow(course, 1, 300, allowed=False) == []
    assert follow(course, 300, 331) == [(300, Step.WARN), (330, Step.END)]


def test_a_warning_is_withdrawn_when_nobody_waits_any_more() -> None:
    course = Course()
    follow(course, 1, 70)
    assert follow(course, 70, 100, allowed=False) == [(70, Step.CLEAR)]
    assert follow(course, 100, 131) == [(100, Step.WARN), (130, Step.END)]


def test_after_a_restart_the_grace_is_whole_again() -> None:
    course = Course()
    follow(course, 1, 85)
    course.resume(100 * MINUTE, RULE)
    assert follow(course, 101, 131) == [(130, Step.END)]


@pytest.mark.parametrize(
    ("hours", "at", "within"),
    [
        ([], "2026-11-22T03:00", True),
        (["08:00-20:00"], "2026-11-22T08:00", True),
        (["08:00-20:00"], "2026-11-22T20:00", False),
        (["mon-fri 08:00-20:00"], "2026-11-22T12:00", False),  # a Sunday
        (["mon-fri 08:00-20:00", "sun 10:00-13:00"], "2026-11-22T12:00", True),
        (["sat-mon 08:00-20:00"], "2026-11-22T12:00", True),
    ],
)
def test_hours_are_of_the_day_and_the_week(hours: list[str], at: str, within: bool) -> None:
    assert is_in_hours(datetime.fromisoformat(at), hours) is within


@pytest.mark.parametrize("text", ["8-20", "20:00-08:00", "moon 08:00-20:00", "08:00-25:00", "08:00-20:00,"])
def test_hours_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        Idle(hours=[text])


@pytest.mark.parametrize(
    ("of", "exempt"),
    [
        ({}, False),
        ({"partition": "teaching"}, True),
        ({"reservation": "course-7"}, True),
        ({"reservation": "maintenance"}, False),
        ({"groups": frozenset({"staff", "professors"})}, True),
    ],
)
def test_exemptions_are_by_partition_reservation_and_group(of: dict[str, Any], exempt: bool) -> None:
    rule = Idle(exempt_groups=["professors"], exempt_reservations=["course-7"], exempt_partitions=["teaching"])
    session = {"partition": "gpu", "reservation": None, "groups": frozenset({"students"}), **of}
    assert is_exempt(rule, **session) is exempt


def test_all_reservations_can_be_exempt() -> None:
    rule = Idle(exempt_reservations=["*"])
    assert is_exempt(rule, partition="gpu", reservation="any", groups=frozenset())
    assert not is_exempt(rule, partition="gpu", reservation=None, groups=frozenset())
