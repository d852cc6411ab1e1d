"""Times and days that come over the wire."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError


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


Moment = Annotated[datetime, BeforeValidator(written_out), AfterValidator(in_utc)]
Day = Annotated[date, BeforeValidator(written_out)]
