"""How long sessions waited for their jobs to start, and then for their apps: totals since the portal's start."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from portal.sessions.models import SessionRecord


@dataclass(slots=True)
class StartTotal:
    count: int = 0
    waited_s: float = 0.0
    """From the request to the start of the job."""
    started_s: float = 0.0
    """From there until the session was ready."""


class StartTimes:
    def __init__(self) -> None:
        self.by_partition: defaultdict[str, StartTotal] = defaultdict(StartTotal)

    def add(self, record: SessionRecord) -> None:
        """Count a session that has just become ready. Slurm's clock and ours may differ: no time is negative."""
        if record.started_at is None or record.ready_at is None:
            return
        total = self.by_partition[record.partition]
        total.count += 1
        total.waited_s += max(0.0, (record.started_at - record.created_at).total_seconds())
        total.started_s += max(0.0, (record.ready_at - record.started_at).total_seconds())
