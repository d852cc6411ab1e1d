"""The idle policy without I/O: whether a session works, and what happens while it stays idle.

The portal follows running sessions with these rules, and the dry run follows recorded ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from portal.settings.idle import Hours, Idle

#: If two readings are further apart, it is unknown whether the session worked in between.
SILENCE_S = 300.0


class Sign(StrEnum):
    """Why a session is not idle."""

    GPU = "gpu"
    KERNEL = "kernel"
    TERMINAL = "terminal"
    PERSON = "person"
    CPU = "cpu"
    DISK = "disk"
    NETWORK = "network"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a session did in the `seconds` before `at_s`; None: not known."""

    at_s: float
    seconds: float
    gpu_percent: float | None
    """The highest reading of any of its GPUs."""
    cpu_percent: float | None
    kernel_busy_percent: float | None
    programs: int | None
    """How many of its terminals have a program in the foreground."""
    quiet_s: float | None
    """Seconds since somebody last ran a cell, typed in a terminal or used the app."""
    disk_kib_s: float | None
    network_kib_s: float | None


def sign_of_work(reading: Reading, rule: Idle) -> Sign | None:
    """Return the first sign of work; None if every measure is known and shows none."""
    measures = (
        (Sign.GPU, reading.gpu_percent, rule.gpu_percent),
        (Sign.KERNEL, reading.kernel_busy_percent, 0.0),
        (Sign.TERMINAL, reading.programs, 0),
        (Sign.CPU, reading.cpu_percent, rule.cpu_percent),
        (Sign.DISK, reading.disk_kib_s, rule.disk_kib_s),
        (Sign.NETWORK, reading.network_kib_s, rule.network_kib_s),
    )
    for sign, value, limit in measures:
        if value is not None and value > limit:
            return sign
    if reading.quiet_s is not None and reading.quiet_s < reading.seconds:
        return Sign.PERSON
    known = all(value is not None for _, value, _ in measures) and reading.quiet_s is not None
    return None if known else Sign.UNKNOWN


class Step(StrEnum):
    WARN = "warn"
    CLEAR = "clear"
    END = "end"


@dataclass(slots=True)
class Course:
    """How long one session has been idle, and which warning it has had. Times are seconds since 1970."""

    since_s: float | None = None
    heard_s: float | None = None
    warned_s: float | None = None
    ends_s: float | None = None
    snoozed_to_s: float = 0.0
    snoozes: int = 0

    def step(self, reading: Reading, rule: Idle, *, allowed: bool) -> Step | None:
        """Take the next reading. `allowed`: whether a warning or an end may happen now at all.

        Only a reading that shows no work can end a session, so none is ended while its agent is silent.
        """
        silent = self.heard_s is not None and reading.at_s - self.heard_s > SILENCE_S
        self.heard_s = reading.at_s
        works = sign_of_work(reading, rule) is not None
        if works or silent:
            self.since_s = None if works else reading.at_s
            return self._clear()
        if self.since_s is None:
            self.since_s = reading.at_s - reading.seconds
        if not allowed:
            return self._clear()
        if self.warned_s is None:
            if reading.at_s - self.since_s < rule.after_minutes * 60 or reading.at_s < self.snoozed_to_s:
                return None
            self.warned_s = reading.at_s
            self.ends_s = reading.at_s + rule.grace_minutes * 60 if rule.action == "end" else None
            return Step.WARN
        return Step.END if self.ends_s is not None and reading.at_s >= self.ends_s else None

    def snooze(self, now_s: float, rule: Idle) -> None:
        """Put the warning off. The idle time continues to count."""
        self.warned_s = self.ends_s = None
        self.snoozed_to_s = now_s + rule.snooze_minutes * 60
        self.snoozes += 1

    def resume(self, now_s: float, rule: Idle) -> None:
        """Continue after a restart of the portal, which missed reports: with a full grace period again."""
        self.heard_s = now_s
        if self.ends_s is not None:
            self.ends_s = max(self.ends_s, now_s + rule.grace_minutes * 60)

    def _clear(self) -> Step | None:
        was_warned, self.warned_s, self.ends_s = self.warned_s is not None, None, None
        return Step.CLEAR if was_warned else None


def is_in_hours(at: datetime, hours: Sequence[str]) -> bool:
    """Return whether a local time is within the hours in which the policy acts."""
    spans = [Hours.parse(text) for text in hours]
    return not spans or any(at.weekday() in days and first <= at.time() < last for days, first, last in spans)


def is_exempt(rule: Idle, *, partition: str, reservation: str | None, groups: frozenset[str]) -> bool:
    return (
        partition in rule.exempt_partitions
        or (reservation is not None and bool({reservation, "*"} & set(rule.exempt_reservations)))
        or bool(groups & set(rule.exempt_groups))
    )
