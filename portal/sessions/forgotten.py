"""Asks accounting how sessions ended whose jobs Slurm has forgotten meanwhile: the portal was away for long.

All of them are asked for in one call, which takes its turn among the readings of Slurm. While accounting does not
answer nothing is concluded, and it is asked again only after a while.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import structlog

from portal.errors import SlurmUnavailable
from portal.sessions.models import SessionRecord
from portal.slurm.client import SlurmClient
from portal.slurm.types import JobEnd

log = structlog.get_logger()

ASK_AGAIN = timedelta(seconds=30)
MAX_ASKED = 1000  # in one call; the others have their turn with the next picture


class Forgotten:
    def __init__(self, *, slurm: SlurmClient, turn: Callable[[], Awaitable[None]], now: Callable[[], datetime]) -> None:
        """`turn` waits until Slurm may be asked, within the bounds of the watcher's own readings."""
        self._slurm = slurm
        self._turn = turn
        self._now = now
        self._failed_at: datetime | None = None

    async def ends(self, records: Sequence[SessionRecord]) -> list[tuple[SessionRecord, JobEnd | None]]:
        """Return how they ended; None: accounting knows nothing of the job, or not of its end."""
        asked = [record for record in records if record.job_id is not None][:MAX_ASKED]
        if not asked or (self._failed_at is not None and self._now() - self._failed_at < ASK_AGAIN):
            return []
        await self._turn()
        try:
            ends = await self._slurm.job_ends([record.job_id for record in asked if record.job_id is not None])
        except SlurmUnavailable as error:
            log.warning("forgotten.unknown", sessions=len(asked), error=error.message)
            self._failed_at = self._now()
            return []
        self._failed_at = None
        return [(record, ends.get(record.job_id or 0)) for record in asked]
