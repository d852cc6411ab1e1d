"""Changes the time limit of a session's job: the intent is written before Slurm is asked, the outcome after it.

A change whose outcome is unknown, because Slurm gave no answer or the portal ended meanwhile, is settled by the
reconciler with what Slurm says about the job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from portal.db import failure
from portal.errors import Conflict, OutcomeUnknown, PortalError, SlurmUnavailable
from portal.policy import formatting
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import Draft, SessionStore
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot

#: Asks Slurm for a job's new limit (seconds).
Act = Callable[[int, int], Awaitable[None]]

IN_FLIGHT = timedelta(seconds=30)  # a door that outlives the portal ends before that
CHECK_FIRST = "Do not send it again: the session's page shows its end as soon as it is known."


class TimeLimits:
    def __init__(self, store: SessionStore) -> None:
        self._store = store

    async def change(self, record: SessionRecord, walltime_s: int, act: Act, *, event_text: str) -> SessionRecord:
        """Set the time limit of a session as it was read. Raises as `begin` and `finish`."""
        await self.begin(record, walltime_s, event_text=event_text)
        return await self.finish(record, walltime_s, act)

    async def begin(self, record: SessionRecord, walltime_s: int, *, event_text: str, own_s: int = 0) -> None:
        """Write the intent; `own_s` is what the owner adds. Raises Conflict if it has ended or changed since then."""
        async with self._store.change(record.id) as draft:
            running(draft.record)
            open_ = draft.record.limit_change is not None or draft.record.is_being_changed
            if open_ or draft.record.walltime_s != record.walltime_s:
                raise Conflict("Its time limit has just been changed, or is being changed.")
            at = draft.now.isoformat()
            draft.set(limit_change={"walltime_s": walltime_s, "at": at, "own_s": own_s, "said": event_text})

    async def finish(self, record: SessionRecord, walltime_s: int, act: Act) -> SessionRecord:
        """Ask Slurm, and write the outcome. Raises the refusal of `act`, or OutcomeUnknown."""
        # Shielded: a client that disconnects must not leave an outcome that is known unwritten.
        return await asyncio.shield(asyncio.ensure_future(self._act(record.id, running(record), walltime_s, act)))

    async def _act(self, session_id: str, job_id: int, walltime_s: int, act: Act) -> SessionRecord:
        try:
            await act(job_id, walltime_s)
        except PortalError as error:
            if isinstance(error, SlurmUnavailable) and not isinstance(error, DoorBusy):
                raise OutcomeUnknown(
                    f"The time limit may have been changed: {error.message}", hint=CHECK_FIRST
                ) from error
            async with self._store.change(session_id) as draft:
                draft.set(limit_change=None)
            raise
        known = f"Slurm has set its time limit to {formatting.duration(walltime_s)}, but this could not be recorded."
        with failure.told_as(known, hint=CHECK_FIRST):
            async with self._store.change(session_id) as draft:
                conclude(draft)
        return draft.record


def going_on(record: SessionRecord) -> None:
    """Raise Conflict if the session is ending or has ended."""
    if record.state in (SessionState.STOPPING, SessionState.ENDED):
        raise Conflict(
            "The session has already ended." if record.state == SessionState.ENDED else "The session is already ending."
        )


def running(record: SessionRecord) -> int:
    """Return the job of a session that is not ending. Raises Conflict."""
    going_on(record)
    if record.job_id is None:
        raise Conflict("The session is still being submitted; try again in a moment.")
    return record.job_id


def conclude(draft: Draft) -> None:
    """Record that Slurm has made the change."""
    change, record = draft.record.limit_change, draft.record
    if change is None or draft.is_over:
        return
    more = timedelta(seconds=change["walltime_s"] - record.walltime_s)
    draft.set(
        walltime_s=change["walltime_s"],
        ends_at=record.ends_at + more if record.ends_at else None,
        limit_change=None,
        limit_changed_at=draft.now,
        extended_s=record.extended_s + change["own_s"],
        extended_times=record.extended_times + (change["own_s"] > 0),
    )
    draft.say(change["said"])


def follow(draft: Draft, job: Job, snapshot: Snapshot) -> None:
    """Take over Slurm's own time limit and end, and settle a change whose outcome nobody has reported."""
    record = draft.record
    if record.limit_change is not None:
        if not snapshot.is_after(datetime.fromisoformat(record.limit_change["at"]) + IN_FLIGHT):
            return
        if job.time_limit_s == record.limit_change["walltime_s"]:
            conclude(draft)
        else:
            draft.set(limit_change=None)
            draft.say("Its time limit was not changed.")
    known = record.limit_changed_at is None or snapshot.is_after(record.limit_changed_at)
    if job.time_limit_s and known:
        draft.set(walltime_s=job.time_limit_s)
    if known and not job.state.waits:
        draft.set(ends_at=job.ends_at or record.ends_at)
