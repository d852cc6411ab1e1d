"""Times and days that come over the wire, and a clock that nothing steps."""

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
    raise PydanticCustomError("bare_number", "Write it out, as in 2026-12-03 or 2026-12-03T08:00Z")


def in_utc(moment: datetime) -> datetime:
    """Read a time without a zone as UTC."""
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is before or after all times") from error


def within(earliest: Time, latest: Time) -> Callable[[Time], Time]:
    """Return a validator that refuses what lies outside."""

    def check(value: Time) -> Time:
        if not earliest <= value <= latest:
            raise ValueError(f"must be between {earliest:%Y} and {latest:%Y}")
        return value

    return check


_WALL, _MONOTONIC = datetime.now(UTC), time.monotonic()


def steady() -> datetime:
    """Return the time as if the machine's clock had not been set since the start: for how long, never for when."""
    return _WALL + timedelta(seconds=time.monotonic() - _MONOTONIC)


#: Calendars end within reach of the first and the last year; nothing here is that far.
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)

Moment = Annotated[
    datetime, BeforeValidator(written_out), AfterValidator(in_utc), AfterValidator(within(EARLIEST, LATEST))
]
Day = Annotated[date, BeforeValidator(written_out), AfterValidator(within(EARLIEST.date(), LATEST.date()))]
