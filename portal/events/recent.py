"""Recent changes, for a page that begins to follow: the state it read a moment ago may be older."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

#: Longer than a page takes from its first request to its stream, on a slow day.
KEPT = timedelta(seconds=60)


class Recent(Generic[K, T]):
    """The latest change per key within `KEPT`."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._changed: dict[K, tuple[datetime, T]] = {}
        """The latest change last."""

    def put(self, key: K, value: T) -> None:
        now = self._now()
        self._changed.pop(key, None)
        self._changed[key] = (now, value)
        self._forget(now)

    def all(self) -> list[T]:
        self._forget(self._now())
        return [value for _, value in self._changed.values()]

    def clear(self) -> None:
        self._changed.clear()

    def _forget(self, now: datetime) -> None:
        while self._changed:
            key, (changed, _) = next(iter(self._changed.items()))
            if now - changed < KEPT:
                return
            del self._changed[key]
