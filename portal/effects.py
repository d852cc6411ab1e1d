"""Whether the request that is being answered may have changed something: what its answer may claim when it fails."""

from __future__ import annotations

from contextvars import ContextVar


class _Effects:
    begun = False


_of_request: ContextVar[_Effects | None] = ContextVar("effects_of_request", default=None)


def new_request() -> None:
    """Begin a request: nothing of it has been done."""
    _of_request.set(_Effects())


def begun() -> None:
    """Note that something lasting was asked for, in the database or outside; from now on its outcome can be unknown."""
    if (effects := _of_request.get()) is not None:
        effects.begun = True


def possible() -> bool:
    """Whether something of this request may have been done."""
    effects = _of_request.get()
    return effects is not None and effects.begun
