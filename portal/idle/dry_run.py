"""What the idle policy would have done with recorded sessions, had it been on. Nobody snoozes in a dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from portal.idle.rules import Course, Reading, Step, is_in_hours, sign_of_work
from portal.settings.idle import Idle


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A session with GPUs whose use was recorded."""

    id: str
    name: str
    owner: str
    partition: str
    reservation: str | None
    gpus: int
    gpu_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A time in which a user's job waited for GPUs."""

    owner: str
    partition: str
    gpu_type: str | None
    from_s: float
    to_s: float

    def is_for(self, session: Recorded) -> bool:
        return (
            self.owner != session.owner
            and self.partition == session.partition
            and (None in (self.gpu_type, session.gpu_type) or self.gpu_type == session.gpu_type)
        )


@dataclass(slots=True)
class Outcome:
    """What would have happened to one session. Times are seconds since 1970."""

    session: Recorded
    seconds: float = 0.0
    """For how long the session's use was recorded."""
    unknown_s: float = 0.0
    """The part of `seconds` in which a measurement was missing, so that it counts as work."""
    warned_s: list[float] = field(default_factory=list)
    cleared: int = 0
    """Warnings that were withdrawn because the session worked again in time."""
    ended_s: float | None = None
    given_back_s: float = 0.0
    """From `ended_s` until the session's real end."""
    worked_later_s: float | None = None
    """When the owner first worked in the session after `ended_s`."""

    @property
    def gpu_hours_back(self) -> float:
        return self.given_back_s * self.session.gpus / 3600


def replay(
    session: Recorded,
    readings: Iterable[Reading],
    rule: Idle,
    *,
    waits: Sequence[Wait] = (),
    local: Callable[[float], datetime] = datetime.fromtimestamp,
) -> Outcome:
    """Follow one session's readings, in order. The rule's `action` must be `tell` or `end`."""
    outcome, course = Outcome(session), Course()
    theirs = [wait for wait in waits if wait.is_for(session)]
    for reading in readings:
        outcome.seconds += reading.seconds
        sign = sign_of_work(reading, rule)
        if sign == "unknown":
            outcome.unknown_s += reading.seconds
        if outcome.ended_s is not None:
            outcome.given_back_s = reading.at_s - outcome.ended_s
            if outcome.worked_later_s is None and sign not in (None, "unknown"):
                outcome.worked_later_s = reading.at_s
            continue
        wanted = not rule.while_others_wait or any(wait.from_s <= reading.at_s < wait.to_s for wait in theirs)
        step = course.step(reading, rule, allowed=wanted and is_in_hours(local(reading.at_s), rule.hours))
        if step is Step.WARN:
            outcome.warned_s.append(reading.at_s)
        elif step is Step.CLEAR:
            outcome.cleared += 1
        elif step is Step.END:
            outcome.ended_s = reading.at_s
    return outcome
