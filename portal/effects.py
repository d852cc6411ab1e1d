"""Tracks whether the current request may have changed something, so that a failure claims no more than is known."""

from __future__ import annotations

from contextvars import ContextVar


class _Effects:
    begun = False


_of_request: ContextVar[_Effects | None] = ContextVar("effects_of_request", default=None)


def new_request() -> None:
    """Mark the start of a request, which has done nothing yet."""
    _of_request.set(_Effects())


def begun() -> None:
    """Note that a lasting change was requested, in the database or outside: from now on its outcome may be unknown."""
    if (effects := _of_request.get()) is not None:
        effects.begun = True


def possible() -> bool:
    """Return whether this request may have changed something."""
    effects = _of_request.get()
    return effects is not None and effects.begun
