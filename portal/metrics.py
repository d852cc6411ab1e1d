"""Prometheus metrics of the portal: its sessions, its calls to Slurm, its readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from portal.context import Portal


class PortalCollector(Collector):
    """Reads the numbers when they are asked for; keeps none."""

    def __init__(self, portal: Portal, sessions: Counter[str]) -> None:
        self._portal = portal
        self._sessions = sessions

    def collect(self) -> Iterator[Metric]:
        portal, picture = self._portal, self._portal.watcher.picture
        sessions = GaugeMetricFamily("portal_sessions", "Sessions that are not over, by state.", labels=["state"])
        for state, count in self._sessions.items():
            sessions.add_metric([state], count)
        yield sessions
        calls = CounterMetricFamily("portal_slurm_calls", "Readings of Slurm begun, by part.", labels=["part"])
        for part, count in portal.watcher.calls.items():
            calls.add_metric([part], count)
        yield calls
        yield GaugeMetricFamily("portal_slurm_up", "1 while Slurm answers.", value=picture.state.value == "up")
        if picture.jobs_as_of is not None:
            yield GaugeMetricFamily(
                "portal_slurm_picture_timestamp_seconds",
                "When the queue was last read.",
                value=picture.jobs_as_of.timestamp(),
            )
        yield GaugeMetricFamily("portal_event_readers", "Open streams of events.", value=portal.bus.readers)


async def exposition(portal: Portal) -> bytes:
    """Return all metrics in Prometheus's text format."""
    registry = CollectorRegistry(auto_describe=False)
    states = Counter(record.state for record in await portal.store.active())
    registry.register(PortalCollector(portal, states))
    return generate_latest(registry)
