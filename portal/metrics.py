"""Prometheus metrics of the portal. `FAMILIES` lists them all; docs/reference/metrics.md is made from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from portal.cluster.history import History
from portal.events.bus import Bus
from portal.health.monitor import Monitor, State
from portal.idle.service import IdlePolicy
from portal.loops import Loops
from portal.notifications.outbox import Outbox
from portal.retention.service import Retention
from portal.sessions.agents import AgentService
from portal.sessions.store import SessionStore
from portal.settings.usage import GpuLabels
from portal.slurm.snapshot import Reach
from portal.slurm.timing import Timings
from portal.slurm.watcher import Watcher
from portal.usage.gpus import GpuTotals
from portal.usage.models import UsageGpu

log = structlog.get_logger(__name__)

#: Sessions and meters report more often; what has not is over.
GPUS_WITHIN_S = 180


@dataclass(frozen=True, slots=True)
class Family:
    """A metric; `labels` tell its series apart."""

    name: str
    kind: Literal["gauge", "counter", "summary"]
    help: str
    labels: tuple[str, ...] = ()

    @property
    def series(self) -> tuple[str, ...]:
        ends = {"gauge": ("",), "counter": ("_total",), "summary": ("_count", "_sum")}[self.kind]
        return tuple(f"{self.name}{end}" for end in ends)


SESSIONS = Family("portal_sessions", "gauge", "Sessions that are not over.", ("state",))
GPUS = Family(
    "portal_gpus",
    "gauge",
    "GPUs of the cluster: all, used, reserved (not in use), and down (out of service).",
    ("state",),
)
WAITED = Family(
    "portal_session_wait_seconds", "summary", "From a session's request to its job's start.", ("partition",)
)
STARTED = Family("portal_session_start_seconds", "summary", "From there until it was ready.", ("partition",))
JOB_GPUS = Family(
    "portal_job_gpus",
    "gauge",
    "GPUs that jobs and sessions have (`running`) or wait for (`waiting`).",
    ("account", "partition", "state"),
)
JOBS = Family("portal_jobs", "gauge", "Jobs in the queue.", ("state",))
UP = Family("portal_slurm_up", "gauge", "1 while Slurm answers.")
READ_AT = Family("portal_slurm_picture_timestamp_seconds", "gauge", "When Slurm was last read.", ("part",))
CALLS = Family("portal_slurm_calls", "counter", "Readings of Slurm started.", ("part",))
PROGRAMS = Family(
    "portal_slurm_command_seconds", "summary", "Time taken by Slurm's programs and the door's acts.", ("program",)
)
FAILED = Family(
    "portal_slurm_command_failures", "counter", "Slurm's programs and the door's acts that failed.", ("program",)
)
PARTS = Family("portal_part_up", "gauge", "1 while a part answers, 0 while it is down; none while unknown.", ("part",))
CHECKS = Family("portal_part_check_seconds", "gauge", "How long the last check of a part took.", ("part",))
READERS = Family("portal_event_readers", "gauge", "Open event streams: pages, scripts that follow, starts in progress.")
LOOPS = Family("portal_loop_up", "gauge", "1 while a loop of the portal works, 0 while it fails or hangs.", ("loop",))
LOOP_FAILURES = Family(
    "portal_loop_failures", "counter", "How often a loop, or one of its turns, has failed.", ("loop",)
)
PRUNED = Family(
    "portal_retention_pruned", "counter", "Rows deleted because their retention time had passed.", ("kind",)
)
PRUNED_AT = Family("portal_retention_timestamp_seconds", "gauge", "When rows were last deleted.", ("kind",))
NOTIFICATIONS = Family(
    "portal_notifications",
    "counter",
    "Messages by mail and webhook: sent, failed, dropped, and retried attempts.",
    ("channel", "outcome"),
)
NOTIFICATIONS_WAITING = Family("portal_notifications_waiting", "gauge", "Messages that wait to be sent.")
IDLE = Family(
    "portal_idle_sessions",
    "counter",
    "Idle sessions: warned, snoozed by their owners, cleared because they worked again, and ended.",
    ("outcome",),
)
IDLE_WARNED = Family("portal_idle_sessions_warned", "gauge", "Sessions that have an idle warning now.")
XIDS = Family("portal_gpu_xid_errors", "counter", "Xid errors of GPUs, of sessions and metered jobs.", ("node", "xid"))
_GPU = ("node", "gpu", "name", "job", "user")
GPU_MEASURED = Family(
    "portal_gpu_measured_seconds",
    "counter",
    "How long a session or a metered job has had this GPU and its use was measured.",
    _GPU,
)
GPU_BUSY = Family("portal_gpu_busy_seconds", "counter", "Of the measured seconds, those in which it was busy.", _GPU)
GPU_SLOWED = Family(
    "portal_gpu_slowed_seconds", "counter", "Of the measured seconds, those in which heat or power slowed it.", _GPU
)
GPU_ENERGY = Family("portal_gpu_energy_joules", "counter", "What the session or job has made it consume.", _GPU)
GPU_MEMORY = Family("portal_gpu_memory_peak_bytes", "gauge", "Peak of its memory in this session or job.", _GPU)
FAMILIES = (
    SESSIONS, WAITED, STARTED, GPUS, JOB_GPUS, JOBS, UP, READ_AT, CALLS, PROGRAMS, FAILED, PARTS, CHECKS, READERS,
    LOOPS, LOOP_FAILURES, PRUNED, PRUNED_AT, NOTIFICATIONS, NOTIFICATIONS_WAITING, IDLE, IDLE_WARNED,
    GPU_MEASURED, GPU_BUSY, GPU_SLOWED, GPU_ENERGY, GPU_MEMORY, XIDS,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """The sources of the metrics."""

    sessions: SessionStore
    monitor: Monitor
    bus: Bus
    loops: Loops
    retention: Retention
    history: History
    watcher: Watcher
    timings: Timings
    outbox: Outbox
    idle: IdlePolicy
    agents: AgentService
    gpus: GpuTotals
    gpu_labels: GpuLabels
    """What tells the GPUs in use apart; with `off` they are left out."""

    async def exposition(self) -> bytes:
        """Return all metrics in Prometheus's text format; without the sessions while the database does not answer."""
        registry = CollectorRegistry(auto_describe=False)
        try:
            states = Counter(record.state for record in await self.sessions.active())
        except (SQLAlchemyError, OSError) as error:
            log.warning("metrics.without_sessions", error=str(error)[:200])
            states = None
        registry.register(PortalCollector(self, states, await self._gpus_now()))
        return generate_latest(registry)

    async def _gpus_now(self) -> list[UsageGpu]:
        if self.gpu_labels == "off":
            return []
        try:
            return await self.gpus.reported_within(GPUS_WITHIN_S)
        except (SQLAlchemyError, OSError) as error:
            log.warning("metrics.without_gpus", error=str(error)[:200])
            return []


class PortalCollector(Collector):
    """Reads the values on each scrape and keeps none. Unknown values have no series."""

    def __init__(self, read: Metrics, sessions: Counter[str] | None, gpus: Sequence[UsageGpu]) -> None:
        self._read = read
        self._gpus = gpus
        self._sessions = sessions

    def collect(self) -> Iterator[Metric]:
        read = self._read
        if self._sessions is not None:
            yield _gauge(SESSIONS, {(state,): count for state, count in self._sessions.items()})
        starts = read.sessions.starts.by_partition.items()
        yield _summary(WAITED, {(partition,): (total.count, total.waited_s) for partition, total in starts})
        yield _summary(STARTED, {(partition,): (total.count, total.started_s) for partition, total in starts})
        yield from self._cluster()
        yield from self._slurm()
        yield from self._gpu_use()
        answers = [part for part in read.monitor.parts if part.state in (State.OK, State.DOWN)]
        yield _gauge(PARTS, {(part.name,): float(part.state is State.OK) for part in answers})
        yield _gauge(CHECKS, {(part.name,): part.took_ms / 1000 for part in answers if part.took_ms is not None})
        yield _gauge(READERS, {(): read.bus.readers})
        loops = [loop for loop in read.loops.all if not loop.ended]
        yield _gauge(LOOPS, {(loop.name,): float(loop.is_well) for loop in loops})
        yield _counter(LOOP_FAILURES, {(loop.name,): loop.failures for loop in loops})
        yield _counter(PRUNED, {(kind,): rows for kind, rows in read.retention.pruned.items()})
        counts = read.outbox.counts.items()
        yield _counter(NOTIFICATIONS, {(channel, outcome): count for (channel, outcome), count in counts})
        yield _gauge(NOTIFICATIONS_WAITING, {(): read.outbox.waiting} if read.outbox.channels else {})
        xids = read.agents.xids + read.gpus.xids
        yield _counter(XIDS, {(node, str(xid)): count for (node, xid), count in xids.items()})
        if read.idle.is_on:
            yield _counter(IDLE, {(outcome,): count for outcome, count in read.idle.counts.items()})
            yield _gauge(IDLE_WARNED, {(): read.idle.warned})
        yield _gauge(PRUNED_AT, {(kind,): at.timestamp() for kind, at in read.retention.last_at.items()})

    def _cluster(self) -> Iterator[Metric]:
        if (totals := self._read.history.latest) is not None:
            states = {"used": totals.gpus_used, "reserved": totals.gpus_reserved, "down": totals.gpus_down}
            yield _gauge(GPUS, {("all",): totals.gpus} | {(state,): count for state, count in states.items()})
            held: Counter[tuple[str, ...]] = Counter()
            for job in self._read.watcher.snapshot.jobs.values():
                if job.gpus and not job.state.is_over:
                    held[job.account, job.partition, "waiting" if job.state.waits else "running"] += job.gpus
            yield _gauge(JOB_GPUS, dict(held))
            yield _gauge(JOBS, {("running",): totals.jobs_running, ("waiting",): totals.jobs_waiting})

    def _gpu_use(self) -> Iterator[Metric]:
        with_user = self._read.gpu_labels == "jobs and users"
        of = {
            (gpu.node, gpu.uuid, gpu.name, str(gpu.job_id), gpu.owner if with_user else ""): gpu for gpu in self._gpus
        }
        yield _counter(GPU_MEASURED, {labels: gpu.known_s for labels, gpu in of.items()})
        yield _counter(GPU_BUSY, {labels: gpu.used_s for labels, gpu in of.items()})
        yield _counter(GPU_SLOWED, {labels: gpu.slowed_s for labels, gpu in of.items()})
        yield _counter(GPU_ENERGY, {labels: gpu.energy_j for labels, gpu in of.items() if gpu.energy_j is not None})
        peaks = {labels: gpu.memory_peak_mib for labels, gpu in of.items()}
        yield _gauge(GPU_MEMORY, {labels: mib * 1024 * 1024.0 for labels, mib in peaks.items() if mib is not None})

    def _slurm(self) -> Iterator[Metric]:
        watcher, totals = self._read.watcher, self._read.timings.totals
        snapshot = watcher.snapshot
        yield _gauge(UP, {(): float(snapshot.state is Reach.UP)})
        read = {"jobs": snapshot.jobs_as_of, "nodes": snapshot.nodes_as_of}
        yield _gauge(READ_AT, {(part,): at.timestamp() for part, at in read.items() if at is not None})
        yield _counter(CALLS, {(part,): count for part, count in watcher.calls.items()})
        yield _summary(PROGRAMS, {(program,): (total.count, total.seconds) for program, total in totals.items()})
        yield _counter(FAILED, {(program,): total.failed for program, total in totals.items()})


def _gauge(family: Family, values: dict[tuple[str, ...], float]) -> Metric:
    made = GaugeMetricFamily(family.name, family.help, labels=family.labels)
    for labels, value in values.items():
        made.add_metric(labels, value)
    return made


def _counter(family: Family, values: dict[tuple[str, ...], float]) -> Metric:
    made = CounterMetricFamily(family.name, family.help, labels=family.labels)
    for labels, value in values.items():
        made.add_metric(labels, value)
    return made


def _summary(family: Family, values: dict[tuple[str, ...], tuple[int, float]]) -> Metric:
    """Make a metric of counts and sums."""
    made = SummaryMetricFamily(family.name, family.help, labels=family.labels)
    for labels, (count, total) in values.items():
        made.add_metric(labels, count, total)
    return made
