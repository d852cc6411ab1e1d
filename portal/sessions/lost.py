"""Finds sessions whose processes on the node are gone while their allocation stands.

A session that was placed at once holds an allocation without a batch script, which does not end with its step. If the
whole step is killed, no process is left to give the allocation back. A silent agent alone proves nothing, since the
network may be cut. So Slurm is asked whether the job still has a step, once for all such sessions, and twice before
anything is concluded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from portal.errors import SlurmUnavailable
from portal.sessions.live import LiveSessions
from portal.sessions.models import SessionRecord
from portal.slurm.client import SlurmClient
from portal.slurm.jobs import JobState
from portal.slurm.snapshot import Snapshot

log = structlog.get_logger()

ASK_EVERY = timedelta(seconds=30)
MAX_ASKED = 1000  # in one call; the rest follow once these have reported or ended
REPORTS_MISSED = 4


class LostSteps:
    def __init__(
        self,
        *,
        slurm: SlurmClient,
        live: LiveSessions,
        report_interval_s: float,
        now: Callable[[], datetime],
    ) -> None:
        self._slurm = slurm
        self._live = live
        self._patience = timedelta(seconds=max(120.0, REPORTS_MISSED * report_interval_s))
        self._now = now
        self._asked_at: datetime | None = None
        self._bare: set[str] = set()  # sessions whose job had no step at the last reading

    async def find(self, records: Sequence[SessionRecord], snapshot: Snapshot) -> list[SessionRecord]:
        """Return the lost sessions; none while Slurm does not answer."""
        silent = [record for record in records if self._is_silent(record, snapshot)][:MAX_ASKED]
        if not silent:
            self._bare.clear()
            return []
        now = self._now()
        if self._asked_at is not None and now - self._asked_at < ASK_EVERY:
            return []
        self._asked_at = now
        try:
            alive = await self._slurm.with_steps([record.job_id for record in silent if record.job_id is not None])
        except SlurmUnavailable as error:
            log.warning("lost.unknown", sessions=len(silent), error=error.message)
            return []
        bare = [record for record in silent if record.job_id not in alive]
        lost = [record for record in bare if record.id in self._bare]
        self._bare = {record.id for record in bare}
        return lost

    def _is_silent(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Return whether the agent fell silent long ago although its job seems to run normally."""
        if record.job_id is None or record.hello_at is None or record.stopping_at is not None:
            return False
        job = snapshot.jobs.get(record.job_id)
        return job is not None and job.state is JobState.RUNNING and self._live.silence(record.id) > self._patience
