"""Database failures as messages, from what the driver reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from portal.errors import DatabaseUnavailable, OutcomeUnknown

#: SQLite's SQLITE_FULL, the kernel's ENOSPC as both report it, and PostgreSQL's code 53100 (disk_full).
FULL = ("database or disk is full", "no space left on device", "disk full")
DISK_FULL_SQLSTATE = "53100"

#: Exceptions of drivers, and of SQLAlchemy's pool when all its connections stay in use.
Failure = DBAPIError | PoolTimeout
FAILURES = (DBAPIError, PoolTimeout)
FAILURES = (DBAPIError, PoolTimeout)


def is_full(error: Failure) -> bool:
    if isinstance(error, PoolTimeout):
        return False
    message = str(error.orig).lower()
    return getattr(error.orig, "sqlstate", None) == DISK_FULL_SQLSTATE or any(sign in message for sign in FULL)


def in_words(error: Failure) -> DatabaseUnavailable:
    """Return the error for the caller, without statements or values, and without claiming what was done."""
    if is_full(error):
        return DatabaseUnavailable(
            "The disk of the portal's database is full, so nothing can be changed.",
            hint="Running sessions continue. The administrators must free disk space; then try again.",
        )
    if isinstance(error, PoolTimeout):
        return DatabaseUnavailable("The portal's database is too slow: other requests are still waiting for it.")
    if "is locked" in str(error.orig):
        return DatabaseUnavailable("The portal's database is locked: something else is writing to it.")
    return DatabaseUnavailable("The portal's database does not answer.")


@contextmanager
def told_as(done: str, *, hint: str) -> Iterator[None]:
    """Record the outcome of an act that is already done; if that fails, `done` says what is known about it.

    Raises OutcomeUnknown.
    """
    try:
        yield
    except FAILURES as error:
        raise OutcomeUnknown(f"{done} {in_words(error).message}", hint=hint) from error
