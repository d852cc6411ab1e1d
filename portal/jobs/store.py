"""Reads and writes the rows of batch jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, delete, or_, select, update

from portal.db.engine import UnitOfWork
from portal.idempotency.service import Key
from portal.jobs.models import JobRecord, SubmissionRecord, SubmissionState

#: Maximum submissions without a job on a page.
MOST_SHOWN = 20


class JobStore:
    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def open_or_ended_since(self, since: datetime) -> Sequence[JobRecord]:
        """Return open jobs, and those that ended since then; of jobs with the same number, the newest comes last."""
        open_ones = or_(JobRecord.ended_at.is_(None), JobRecord.accounted.is_(False), JobRecord.ended_at > since)
        query = select(JobRecord).where(open_ones).order_by(JobRecord.submitted_at)
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def save(self, records: Sequence[JobRecord], submission: SubmissionRecord | None = None) -> None:
        """Write new and changed rows in one transaction, together with the submission that the single row settles."""
        async with self._work() as db:
            db.add_all(records)
            if submission is not None:
                settled = {"state": SubmissionState.SUBMITTED.value, "job_id": records[0].job_id, "script": ""}
                await db.execute(update(SubmissionRecord).where(SubmissionRecord.id == submission.id).values(settled))

    async def find(self, job_id: int, owner: str | None) -> JobRecord | None:
        """Return the newest job of this number, restricted to `owner` if given."""
        query = select(JobRecord).where(JobRecord.job_id == job_id)
        if owner is not None:
            query = query.where(JobRecord.owner == owner)
        async with self._work() as db:
            return (await db.scalars(query.order_by(JobRecord.submitted_at.desc()).limit(1))).first()

    async def last(self, owner: str, name: str, limit: int) -> Sequence[JobRecord]:
        """Return a user's last jobs of this name on one node that have ended; no arrays."""
        query = (
            select(JobRecord)
            .where(
                JobRecord.owner == owner,
                JobRecord.name == name,
                JobRecord.ended_at.is_not(None),
                JobRecord.nodes == 1,
                JobRecord.array_total.is_(None),
            )
            .order_by(JobRecord.submitted_at.desc())
            .limit(limit)
        )
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def page(
        self, owner: str, *, state: str, query: str, limit: int, before: datetime | None
    ) -> Sequence[JobRecord]:
        records = select(JobRecord).where(JobRecord.owner == owner)
        if state == "active":
            records = records.where(JobRecord.ended_at.is_(None))
        elif state == "ended":
            records = records.where(JobRecord.ended_at.is_not(None))
        for word in query.split()[:8]:
            records = _about(records, word)
        if before is not None:
            records = records.where(JobRecord.submitted_at < before)
        async with self._work() as db:
            rows = await db.scalars(records.order_by(JobRecord.submitted_at.desc(), JobRecord.id.desc()).limit(limit))
            return rows.all()

    async def forget(self, before: datetime, at_most: int) -> int:
        """Delete up to `at_most` jobs that ended before then; return how many."""
        old = select(JobRecord.id).where(JobRecord.ended_at < before).limit(at_most)
        async with self._work() as db:
            ids = (await db.scalars(old)).all()
            if ids:
                await db.execute(delete(JobRecord).where(JobRecord.id.in_(ids)))
            return len(ids)


class SubmissionStore:
    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def add(self, submission: SubmissionRecord, key: Key | None) -> None:
        """Write a submission, and the idempotency key of its request."""
        async with self._work() as db:
            db.add(submission)
            if key is not None:
                await db.merge(key.row(submission.owner, submission.id, submission.at))

    async def get(self, submission_id: str) -> SubmissionRecord | None:
        async with self._work() as db:
            return await db.get(SubmissionRecord, submission_id)

    async def open(self) -> Sequence[SubmissionRecord]:
        query = select(SubmissionRecord).where(SubmissionRecord.state == SubmissionState.OPEN.value)
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def without_job(self, owner: str) -> Sequence[SubmissionRecord]:
        """Return a user's submissions without a known job, newest first."""
        query = select(SubmissionRecord).where(SubmissionRecord.owner == owner, SubmissionRecord.job_id.is_(None))
        async with self._work() as db:
            return (await db.scalars(query.order_by(SubmissionRecord.at.desc()).limit(MOST_SHOWN))).all()

    async def close(self, submission_id: str, state: SubmissionState) -> None:
        async with self._work() as db:
            change = update(SubmissionRecord).where(SubmissionRecord.id == submission_id)
            await db.execute(change.values(state=state.value))

    async def remove(self, submission_id: str) -> None:
        async with self._work() as db:
            await db.execute(delete(SubmissionRecord).where(SubmissionRecord.id == submission_id))

    async def forget(self, before: datetime) -> None:
        """Delete settled submissions from before then."""
        old = SubmissionRecord.at < before, SubmissionRecord.state != SubmissionState.OPEN.value
        async with self._work() as db:
            await db.execute(delete(SubmissionRecord).where(*old))


def _about(query: Select[JobRecord], word: str) -> Select[JobRecord]:
    """Keep the jobs that match a word: by number, or by part of a name."""
    columns = (
        JobRecord.name,
        JobRecord.state,
        JobRecord.partition,
        JobRecord.account,
        JobRecord.qos,
        JobRecord.node_list,
        JobRecord.script,
    )
    likes = [column.icontains(word, autoescape=True) for column in columns]
    number = word.partition("_")[0]
    if number.isascii() and number.isdigit() and len(number) < 10:
        likes.append(JobRecord.job_id == int(number))
    return query.where(or_(*likes))
