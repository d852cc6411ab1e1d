"""Maintenance windows: partitions that are closed for a while, as policy sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from portal.policy import formatting
from portal.policy.view import ClusterView, PartitionView


@dataclass(frozen=True, slots=True)
class Closure:
    """From `starts_at` to `ends_at` no session may run on `partitions` (None: all)."""

    starts_at: datetime
    ends_at: datetime
    partitions: frozenset[str] | None
    text: str

    def covers(self, partition: str) -> bool:
        return self.partitions is None or partition in self.partitions


def with_closures(cluster: ClusterView, closures: Sequence[Closure], now: datetime) -> ClusterView:
    """Return the cluster with partitions closed that are in maintenance at `now`, and with the next maintenance
    noted.
    """
    coming = sorted((closure for closure in closures if closure.ends_at > now), key=lambda closure: closure.starts_at)
    partitions = {
        name: _closed(partition, [c for c in coming if c.covers(name)], now)
        for name, partition in cluster.partitions.items()
    }
    return replace(cluster, partitions=partitions)


def _closed(partition: PartitionView, coming: Sequence[Closure], now: datetime) -> PartitionView:
    if not coming:
        return partition
    under_way = [closure for closure in coming if closure.starts_at <= now]
    if under_way:
        last = max(under_way, key=lambda closure: closure.ends_at)
        reason = f"The partition “{partition.name}” is in maintenance until {clock(last.ends_at)}: {last.text}"
        return replace(partition, available=False, reason=partition.reason or _sentence(reason))
    first = coming[0]
    seconds = int((first.starts_at - now).total_seconds())
    why = (
        f"“{partition.name}” closes at {clock(first.starts_at)}, in {formatting.duration(max(seconds // 60 * 60, 60))}"
    )
    return replace(partition, closes_in_s=seconds, closes_why=_sentence(f"{why}: {first.text}"))


def runs_into(partition: PartitionView, walltime_s: int | None) -> str | None:
    """Explain that a session that starts now runs into maintenance; None if it does not. `walltime_s` None: no end."""
    if partition.closes_in_s is None or (walltime_s is not None and walltime_s <= partition.closes_in_s):
        return None
    minutes = partition.closes_in_s // 60
    most = f"Ask for {formatting.duration(minutes * 60)} at most, or choose" if minutes else "Choose"
    return f"It would run into maintenance: {partition.closes_why} {most} another partition."


def clock(moment: datetime) -> str:
    """`Thu 26 Nov 08:00 UTC`. The form shows the user's own time zone; the server's sentences name theirs."""
    return moment.astimezone(UTC).strftime("%a %-d %b %H:%M UTC")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
