"""Administrators' operations on sessions of any user: stop, extend, send a message."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from portal.errors import PolicyRefused, SlurmRefused
from portal.messages.service import Messages
from portal.operate.service import Operations
from portal.placement.policy_views import PolicyViews
from portal.policy import formatting
from portal.policy.closures import clock
from portal.policy.extension import why_not_longer
from portal.sessions.models import SessionRecord
from portal.sessions.service import SessionService
from portal.sessions.store import SessionStore
from portal.sessions.time_limits import TimeLimits, going_on, running
from portal.sessions.view import resources_of
from portal.settings import Policy


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
        views: PolicyViews,
        messages: Messages,
        limits: TimeLimits,
        policy: Policy,
        now: Callable[[], datetime],
    ) -> None:
        self._operations = operations
        self._store = store
        self._service = service
        self._views = views
        self._messages = messages
        self._limits = limits
        self._policy = policy
        self._now = now

    async def stop(self, session_id: str) -> str:
        going_on(await self._store.get(session_id))
        await self._service.stop(session_id, code="stopped_by_admin")
        return "It is being stopped."

    async def tell(self, actor: str, session_id: str, text: str) -> str:
        """Send the owner a message. It appears on all of their pages and on the session's page."""
        record = await self._store.get(session_id)
        await self._messages.send(record.owner, text, author=actor, session_ids=[session_id])
        return f"The message was sent to {record.owner}."

    async def extend(self, actor: str, session_id: str, seconds: int, *, beyond_limits: bool) -> str:
        """Raise the time limit of the session's job by `seconds`, if policy allows it or `beyond_limits` is set.

        Raises PolicyRefused with the reason otherwise.
        """
        record = await self._store.get(session_id)
        running(record)
        walltime_s = record.walltime_s + seconds
        if not beyond_limits and (why := await self._why_not(record, walltime_s, seconds)) is not None:
            raise PolicyRefused(why, hint="To extend it anyway, allow going past the limits.")
        by = formatting.duration(seconds)
        event_text = f"{actor}, an administrator, extended it by {by}."
        record = await self._limits.change(record, walltime_s, partial(self._set, actor), event_text=event_text)
        return f"Extended by {by}{f': it ends at {clock(record.ends_at)}' if record.ends_at else ''}."

    async def _set(self, actor: str, job_id: int, walltime_s: int) -> None:
        done = await self._operations.time_limit(actor, job_id, walltime_s)
        if not done.ok:
            raise SlurmRefused(done.message)

    async def _why_not(self, record: SessionRecord, walltime_s: int, seconds: int) -> str | None:
        left_s = walltime_s if record.ends_at is None else seconds + int((record.ends_at - self._now()).total_seconds())
        account = await self._views.user(record.owner)
        return why_not_longer(
            resources_of(record), walltime_s, left_s, account, await self._views.cluster(), self._policy
        )
