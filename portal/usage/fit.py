"""How much memory a user's last sessions of an app used, to suggest what to request next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from portal.db.engine import UnitOfWork
from portal.sessions.models import SessionRecord
from portal.usage.models import UsageHour, UsageSample

SESSIONS = 5
RECENT = timedelta(days=60)
#: Shorter sessions do not show what the work needs.
LEAST_S = 600
#: Room above the peak: samples are means, and the next run differs.
ROOM = 1.5
STEP_MIB = 4 * 1024

By = Literal["template", "preset", "environment"]


@dataclass(frozen=True, slots=True)
class Fit:
    """What the last sessions used at most, and the memory that would hold that with room to spare."""

    by: By
    sessions: int
    peak_mib: int
    memory_mib: int


class Fits:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime]) -> None:
        self._work = work
        self._now = now

    async def of(self, owner: str, app: str, by: Mapping[By, str | None]) -> Fit | None:
        """Return the fit by the first criterion with enough sessions; None if one of them ran out of memory."""
        async with self._work() as db:
            for kind, value in by.items():
                if value is None:
                    continue
                last = (
                    select(SessionRecord.id, SessionRecord.end_code)
                    .where(
                        SessionRecord.owner == owner,
                        SessionRecord.app == app,
                        getattr(SessionRecord, kind) == value,
                        SessionRecord.ready_at.is_not(None),
                        SessionRecord.created_at > self._now() - RECENT,
                    )
                    .order_by(SessionRecord.created_at.desc())
                    .limit(SESSIONS)
                )
                rows = (await db.execute(last)).all()
                if any(row.end_code == "oom" for row in rows):
                    return None
                if known := await _peaks(db, [row.id for row in rows]):
                    peak_mib = max(known)
                    memory_mib = max(1, -(-int(peak_mib * ROOM) // STEP_MIB)) * STEP_MIB
                    return Fit(kind, len(known), peak_mib, memory_mib)
        return None


async def _peaks(db: AsyncSession, sessions: Sequence[str]) -> list[int]:
    """Return the highest memory (MiB) of each session that was measured for long enough."""
    peaks: dict[str, int] = {}
    seconds: dict[str, int] = {}
    for table, peak in ((UsageSample, UsageSample.memory_mib), (UsageHour, UsageHour.memory_max_mib)):
        query = (
            select(table.session_id, func.max(peak), func.sum(table.seconds))
            .where(table.session_id.in_(sessions), peak.is_not(None))
            .group_by(table.session_id)
        )
        for session_id, most, measured_s in await db.execute(query):
            peaks[session_id] = max(peaks.get(session_id, 0), int(most or 0))
            seconds[session_id] = seconds.get(session_id, 0) + int(measured_s or 0)
    return [peaks[name] for name in peaks if seconds[name] >= LEAST_S]
