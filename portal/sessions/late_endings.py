"""Asks accounting how sessions ended whose jobs Slurm no longer lists, after the portal was down for long.

One call asks for all of them, within the budget of Slurm readings. If accounting does not answer, nothing is concluded,
and the next attempt waits for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from portal.errors import SlurmUnavailable
from portal.sessions.models import SessionRecord
from portal.slurm.client import SlurmClient
from portal.slurm.jobs import JobEnd

log = structlog.get_logger()

ASK_AGAIN = timedelta(seconds=30)
MAX_ASKED = 1000  # in one call; the rest follow with the next snapshot


class LateEndings:
    def __init__(self, *, slurm: SlurmClient, now: Callable[[], datetime]) -> None:
        self._slurm = slurm
        self._now = now
        self._failed_at: datetime | None = None

    async def ends(self, records: Sequence[SessionRecord]) -> list[tuple[SessionRecord, JobEnd | None]]:
        """Return how they ended; None where accounting does not know the job, or not its end."""
        asked = [record for record in records if record.job_id is not None][:MAX_ASKED]
        if not asked or (self._failed_at is not None and self._now() - self._failed_at < ASK_AGAIN):
            return []
        try:
            ends = await self._slurm.job_ends([record.job_id for record in asked if record.job_id is not None])
        except SlurmUnavailable as error:
            log.warning("forgotten.unknown", sessions=len(asked), error=error.message)
            self._failed_at = self._now()
            return []
        self._failed_at = None
        return [(record, ends.get(record.job_id or 0)) for record in asked]
