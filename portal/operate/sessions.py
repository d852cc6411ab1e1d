"""Administrators' operations on sessions of any user: stop, extend, send a message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from portal.db import failure
from portal.errors import Conflict, PolicyRefused, SlurmRefused
from portal.messages.service import Messages
from portal.operate.service import Operations
from portal.policy import words
from portal.policy.closures import clock
from portal.policy.extension import why_not_longer
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.requests import SessionRequests
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.view import resources_of
from portal.settings import Policy
from portal.slurm.watcher import Watcher

OVER = (SessionState.STOPPING, SessionState.ENDED)


class SessionOperations:
    """Each method acts on one session and returns what was done, in words. Raises NotFound, Conflict if the session has
    ended, and the refusals of Slurm or policy.
    """

    def __init__(
        self,
        *,
        operations: Operations,
        store: SessionStore,
        service: SessionService,
        requests: SessionRequests,
        messages: Messages,
        watcher: Watcher,
        policy: Policy,
        now: Callable[[], datetime],
    ) -> None:
        self._operations = operations
        self._store = store
        self._service = service
        self._requests = requests
        self._messages = messages
        self._watcher = watcher
        self._policy = policy
        self._now = now

    async def stop(self, session_id: str) -> str:
        await self._going_on(session_id)
        await self._service.stop(session_id, code="stopped_by_admin")
        return "It is being stopped."

    async def tell(self, actor: str, session_id: str, text: str) -> str:
        """Send the owner a message. It appears on all of their pages and on the session's page."""
        record = await self._store.get(session_id)
        await self._messages.send(record.owner, text, author=actor, session_id=session_id)
        return f"The message was sent to {record.owner}."

    async def extend(self, actor: str, session_id: str, seconds: int, *, beyond_limits: bool) -> str:
        """Raise the time limit of the session's job by `seconds`, if policy allows it or `beyond_limits` is set.

        Raises PolicyRefused with the reason otherwise.
        """
        record = await self._going_on(session_id)
        if record.job_id is None:
            raise Conflict("It is still being submitted; try again in a moment.")
        job = self._watcher.snapshot.jobs.get(record.job_id)
        held_s = job.time_limit_s if job is not None and job.time_limit_s else record.walltime_s
        walltime_s = held_s + seconds
        if not beyond_limits and (why := await self._why_not(record, walltime_s, seconds)) is not None:
            raise PolicyRefused(why, hint="To extend it anyway, allow going past the limits.")
        done = await self._operations.time_limit(actor, record.job_id, walltime_s)
        if not done.ok:
            raise SlurmRefused(done.message)
        known = f"Slurm extended it by {words.duration(seconds)}, but this could not be recorded."
        with failure.told_as(known, hint="Do not extend it again: first check when it ends."):
            until = await self._note_extension(actor, session_id, walltime_s, seconds)
        return f"Extended by {words.duration(seconds)}{until}."

    async def _note_extension(self, actor: str, session_id: str, walltime_s: int, seconds: int) -> str:
        """Record the extension, and return when the session ends now, in words."""
        async with self._store.change(session_id) as draft:
            ends_at = None if draft.record.ends_at is None else draft.record.ends_at + timedelta(seconds=seconds)
            draft.set(walltime_s=walltime_s, ends_at=ends_at)
            until = f": it ends at {clock(ends_at)}" if ends_at else ""
            draft.say(f"{actor}, an administrator, extended it by {words.duration(seconds)}{until}.")
        return until

    async def _why_not(self, record: SessionRecord, walltime_s: int, seconds: int) -> str | None:
        left_s = walltime_s if record.ends_at is None else seconds + int((record.ends_at - self._now()).total_seconds())
        account = await self._requests.user_view(record.owner)
        return why_not_longer(
            resources_of(record), walltime_s, left_s, account, await self._requests.cluster(), self._policy
        )

    async def _going_on(self, session_id: str) -> SessionRecord:
        record = await self._store.get(session_id)
        if record.state in OVER:
            raise Conflict("It has already ended." if record.state == SessionState.ENDED else "It is already ending.")
        return record
