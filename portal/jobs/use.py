"""What running jobs use, node by node: measured only while a user looks, once for all viewers.

Looking at a job starts a step in it that reads the values (`door/use.py`). The step runs while clients poll, and a
little longer. Nothing is stored. What cannot be measured is "unknown", with the reason.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from portal.errors import PortalError
from portal.gpus import problems
from portal.jobs.models import JobRecord
from portal.jobs.schemas import LiveUseOut, NodeUseOut
from portal.jobs.tasks import Tasks as ArrayTasks
from portal.moment import steady
from portal.settings import Jobs
from portal.slurm import error_messages
from portal.slurm.batch import BatchSlurm
from portal.tasks import Tasks

log = structlog.get_logger()

#: A job that nobody has asked about for this long is no longer watched.
LOOKED_FOR = timedelta(seconds=20)
#: The pause after a failed watch.
AGAIN_AFTER = timedelta(minutes=1)
#: Slurm's snapshot may show this long after its watch that a job has ended.
ENDING = timedelta(seconds=10)
#: A watch without output for this long has failed.
SILENT_S = 40.0
LIFE_S = 1800
MOST_NODES = 256


@dataclass(slots=True)
class _Watch:
    """A job that is being watched, or was a moment ago."""

    asked: datetime
    runs: asyncio.Task[None] | None = None
    nodes: dict[str, NodeUseOut] = field(default_factory=dict)
    as_of: datetime | None = None
    problem: str | None = None
    failed_at: datetime | None = None
    over: bool = False
    """Whether its job has ended, which Slurm's snapshot shows some seconds later."""


class LiveUse:
    def __init__(
        self,
        *,
        slurm: BatchSlurm,
        array_tasks: ArrayTasks,
        tasks: Tasks,
        settings: Jobs,
        now: Callable[[], datetime],
        steady: Callable[[], datetime] = steady,
    ) -> None:
        self._slurm = slurm
        self._array_tasks = array_tasks
        self._tasks = tasks
        self._most = settings.max_watched
        self._now = now
        self._steady = steady
        self._watches: dict[int, _Watch] = {}

    async def look(self, record: JobRecord, task: int | None) -> LiveUseOut:
        """Return what a job or an array task uses now; the first call starts to watch it."""
        if not await self._runs(record, task):
            return _IDLE
        job_id, _ = await self._array_tasks.raw(record, task)
        if job_id is None:
            return _IDLE
        if record.nodes > MOST_NODES:
            return _unknown(f"The use of jobs on more than {MOST_NODES} nodes is not measured.")
        self._drop()
        watch = self._watches.get(job_id)
        if watch is None:
            if len(self._watches) >= self._most:
                return _unknown("The use of too many jobs is being measured; try again in a minute.")
            watch = self._watches[job_id] = _Watch(asked=self._steady())
        watch.asked = self._steady()
        if watch.runs is None and self._may_begin(watch):
            watch.runs = self._tasks.start(self._run(record, job_id, watch), name=f"use of job {job_id}")
        return _told(watch)

    async def _runs(self, record: JobRecord, task: int | None) -> bool:
        """Whether there is something to watch; of an array, one task at a time."""
        if record.array_total is None:
            return task is None and record.state in _RUNNING and record.ended_at is None
        row = await self._array_tasks.one(record, task) if task is not None else None
        return row is not None and row.state in _RUNNING and row.ended_at is None

    def _may_begin(self, watch: _Watch) -> bool:
        pause = ENDING if watch.over else AGAIN_AFTER
        return watch.failed_at is None or self._steady() - watch.failed_at > pause

    def _drop(self) -> None:
        """Drop the watches that have ended and that nobody asks about."""
        old = self._steady() - AGAIN_AFTER
        for job_id in [key for key, watch in self._watches.items() if watch.runs is None and watch.asked < old]:
            del self._watches[job_id]

    async def _run(self, record: JobRecord, job_id: int, watch: _Watch) -> None:
        loop = asyncio.get_running_loop()
        cores = record.cpus / max(1, record.nodes)
        memory_mib = record.memory_mib // max(1, record.nodes) if record.memory_mib else None
        try:
            stream = await self._slurm.use(record.owner, job_id, record.nodes, LIFE_S)
            async with asyncio.timeout(SILENT_S) as patience, aclosing(stream) as lines:
                async for line in lines:
                    patience.reschedule(loop.time() + SILENT_S)
                    use = _sample(line, cores, memory_mib)
                    if use is not None and (use.node in watch.nodes or len(watch.nodes) < record.nodes):
                        watch.nodes[use.node] = use
                        watch.as_of, watch.problem, watch.failed_at = self._now(), None, None
                    if self._steady() - watch.asked > LOOKED_FOR:
                        return
        except TimeoutError:
            self._failed(watch, job_id, "Its nodes did not report in time.")
        except PortalError as error:
            watch.over = error_messages.has_ended(error.message)
            self._failed(watch, job_id, error.message)
        finally:
            watch.runs = None
            watch.nodes.clear()

    def _failed(self, watch: _Watch, job_id: int, message: str) -> None:
        log.info("job.use_unknown", job=job_id, message=message[:200])
        watch.problem, watch.failed_at = message, self._steady()


_RUNNING = ("RUNNING", "SUSPENDED")
_IDLE = LiveUseOut(state="idle", message=None, as_of=None, nodes=[])


def _told(watch: _Watch) -> LiveUseOut:
    if watch.nodes:
        return LiveUseOut(
            state="live", message=None, as_of=watch.as_of, nodes=[watch.nodes[name] for name in sorted(watch.nodes)]
        )
    if watch.problem is not None:
        return _IDLE if watch.over else _unknown(watch.problem)
    return LiveUseOut(state="starting", message=None, as_of=None, nodes=[])


def _unknown(message: str) -> LiveUseOut:
    return LiveUseOut(state="unknown", message=message, as_of=None, nodes=[])


def _sample(line: str, cores: float, memory_mib: int | None) -> NodeUseOut | None:
    """Parse a node's line. The job runs as its user, who may write anything there."""
    try:
        use = NodeUseOut.model_validate({**json.loads(line), "cores": cores, "memory_asked_mib": memory_mib})
    except (ValueError, TypeError):
        return None
    return use.model_copy(update={"gpu_problems": problems.in_words(use.gpus)})
