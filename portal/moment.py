"""Times that come over the wire."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator


def in_utc(moment: datetime) -> datetime:
    """Read a time without a zone as UTC."""
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is before or after all times") from error


Moment = Annotated[datetime, AfterValidator(in_utc)]
