"""What has just changed, for a page that begins to follow: what it read a moment before may be older than that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from portal.jobs.models import JobRecord

#: Longer than a page takes from its first reading to its stream, on a slow day.
KEPT = timedelta(seconds=60)


class Recent:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._changed: dict[int, tuple[datetime, JobRecord]] = {}
        """By number, the latest change last."""

    def put(self, records: Iterable[JobRecord]) -> None:
        now = self._now()
        for record in records:
            self._changed.pop(record.job_id, None)
            self._changed[record.job_id] = (now, record)
        self._forget(now)

    def of(self, owner: str) -> list[JobRecord]:
        self._forget(self._now())
        return [record for _, record in self._changed.values() if record.owner == owner]

    def clear(self) -> None:
        self._changed.clear()

    def _forget(self, now: datetime) -> None:
        while self._changed:
            job_id, (changed, _) = next(iter(self._changed.items()))
            if now - changed < KEPT:
                return
            del self._changed[job_id]
