"""The SQL of the idle policy: warnings, and what the dry run reads of recorded use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from portal.db import upsert
from portal.db.engine import UnitOfWork
from portal.idle.dry_run import Recorded, Wait
from portal.idle.models import IdleWarning
from portal.idle.rules import Course
from portal.notifications.outbox import Outbox
from portal.notifications.texts import Told
from portal.sessions.models import SessionRecord, SessionState
from portal.usage.models import UsageJob, UsageSample, UsageWhose

ENDED = SessionState.ENDED.value


class IdleStore:
    def __init__(self, work: UnitOfWork, outbox: Outbox) -> None:
        self._work = work
        self._outbox = outbox

    async def courses(self) -> dict[str, Course]:
        """Return the warnings of sessions that have not ended."""
        active = select(SessionRecord.id).where(SessionRecord.state != ENDED)
        query = select(IdleWarning).where(IdleWarning.session_id.in_(active))
        async with self._work() as db:
            rows = (await db.scalars(query)).all()
        return {
            row.session_id: Course(
                since_s=row.since_s,
                warned_s=row.warned_s,
                ends_s=row.ends_s,
                snoozed_to_s=row.snoozed_to_s,
                snoozes=row.snoozes,
            )
            for row in rows
        }

    async def keep(self, session_id: str, course: Course, owner: str = "", told: Told | None = None) -> None:
        """Write the state of a session's course, and the message about it, in one transaction."""
        values: dict[str, Any] = {
            "since_s": course.since_s,
            "warned_s": course.warned_s,
            "ends_s": course.ends_s,
            "snoozed_to_s": course.snoozed_to_s,
            "snoozes": course.snoozes,
        }
        async with self._work() as db:
            insert = upsert.insert(db, IdleWarning).values(session_id=session_id, **values)
            await db.execute(insert.on_conflict_do_update(index_elements=["session_id"], set_=values))
            if told is not None and self._outbox.channels:
                await self._outbox.write(db, owner, told)

    async def recorded(self, since_s: int) -> Sequence[Recorded]:
        """Return the sessions with GPUs that have samples since then, without the samples."""
        ids = select(UsageSample.session_id).where(UsageSample.at_s >= since_s).distinct()
        query = select(SessionRecord).where(SessionRecord.id.in_(ids), SessionRecord.gpus > 0)
        async with self._work() as db:
            records = (await db.scalars(query.order_by(SessionRecord.created_at))).all()
        return [
            Recorded(
                id=record.id,
                name=record.name,
                owner=record.owner,
                partition=record.partition,
                reservation=record.reservation,
                gpus=record.gpus,
                gpu_type=record.gpu_type,
            )
            for record in records
        ]

    async def samples(self, session_id: str, since_s: int) -> Sequence[UsageSample]:
        query = (
            select(UsageSample)
            .where(UsageSample.session_id == session_id, UsageSample.at_s >= since_s)
            .order_by(UsageSample.at_s)
        )
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def waits(self, since_s: int) -> Sequence[Wait]:
        """Return the waits of jobs with GPUs that have started since then."""
        query = (
            select(UsageWhose.owner, UsageWhose.partition, UsageWhose.gpu_type, UsageJob.started_s, UsageJob.wait_s)
            .join(UsageWhose, UsageWhose.id == UsageJob.whose_id)
            .where(UsageJob.started_s >= since_s, UsageJob.gpus > 0, UsageJob.wait_s > 0)
        )
        async with self._work() as db:
            rows = (await db.execute(query)).all()
        return [
            Wait(owner=owner, partition=partition, gpu_type=gpu_type or None, from_s=at_s - (wait_s or 0), to_s=at_s)
            for owner, partition, gpu_type, at_s, wait_s in rows
        ]
