"""Errors of a database or its driver, as messages for the site's operators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from portal.errors import ConfigurationError


@contextmanager
def in_words() -> Iterator[None]:
    """Raise an error of the database or its driver as ConfigurationError, with a hint."""
    # Imported here, so that the help of `portal db` does without it.
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        hint = "Check database.url, ~portal/.pgpass, and that the server is running; `portal check` shows its state."
        raise ConfigurationError(f"The database failed: {str(error).splitlines()[0]}", hint=hint) from error
    except ModuleNotFoundError as error:
        hint = "Install it with the portal's own pip: /opt/portal/bin/pip install 'psycopg[binary]'"
        raise ConfigurationError(f"PostgreSQL needs {error.name}, which is not installed.", hint=hint) from error
