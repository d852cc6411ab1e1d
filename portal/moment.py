"""Times and days in requests, and a clock that nothing steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

Time = TypeVar("Time", date, datetime)


def written_out(value: object) -> object:
    """Refuse a bare number, which Pydantic would read as seconds since 1970."""
    try:
        float(value)  # type: ignore[arg-type]  # whatever it is
    except (TypeError, ValueError):
        return value
    raise PydanticCustomError("bare_number", "Use a form such as 2026-12-03 or 2026-12-03T08:00Z")


def in_utc(moment: datetime) -> datetime:
    """Read a time without a zone as UTC."""
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is out of range") from error


def within(earliest: Time, latest: Time) -> Callable[[Time], Time]:
    """Return a validator that refuses values outside the range."""

    def check(value: Time) -> Time:
        if not earliest <= value <= latest:
            raise ValueError(f"must be between {earliest:%Y} and {latest:%Y}")
        return value

    return check


_WALL, _MONOTONIC = datetime.now(UTC), time.monotonic()


def steady() -> datetime:
    """Return the time as if the machine's clock had not been set since the start: for durations, not for timestamps."""
    return _WALL + timedelta(seconds=time.monotonic() - _MONOTONIC)


#: Calendar arithmetic fails near the first and last year; nothing here is that far away.
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)

#: A clock that is slewed moves by far less than this between two calls.
NOTICED = timedelta(seconds=0.1)
#: Longer than a submission to Slurm takes.
SETTLED = timedelta(seconds=45)

Moment = Annotated[
    datetime, BeforeValidator(written_out), AfterValidator(in_utc), AfterValidator(within(EARLIEST, LATEST))
]
Day = Annotated[date, BeforeValidator(written_out), AfterValidator(within(EARLIEST.date(), LATEST.date()))]


class Steps:
    """Detects that the machine's clock was set: for a while, times from before and after cannot be compared."""

    def __init__(self, now: Callable[[], datetime], steady: Callable[[], datetime] = steady) -> None:
        self._now = now
        self._steady = steady
        self._offset = now() - steady()
        self._set_at: datetime | None = None

    def lately(self) -> bool:
        """Return whether the clock was set since the last call, or shortly before."""
        offset, at = self._now() - self._steady(), self._steady()
        if abs(offset - self._offset) > NOTICED:
            self._set_at = at
        self._offset = offset
        return self._set_at is not None and at - self._set_at < SETTLED
