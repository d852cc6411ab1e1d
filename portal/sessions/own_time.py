"""Gives users' own sessions more time within the site's policy, or less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from portal.errors import Conflict, Forbidden, PolicyRefused
from portal.owner_locks import OwnerLocks
from portal.placement.longer import reserved_from, waiting_for
from portal.placement.policy_views import PolicyViews
from portal.policy import formatting
from portal.policy.closures import clock
from portal.policy.extension import ExtendedSoFar, why_not_by_oneself, why_not_longer
from portal.policy.view import ClusterView, UserView
from portal.sessions.models import SessionRecord
from portal.sessions.store import SessionStore
from portal.sessions.time_limits import TimeLimits, running
from portal.sessions.view import resources_of
from portal.settings import Policy
from portal.slurm.hostlist import expand
from portal.slurm.operator import Operator
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

CHOICES_S = (1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600)
LEAST_LEFT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides whether a session may have more time, read once."""

    record: SessionRecord
    owner: UserView
    cluster: ClusterView
    so_far: ExtendedSoFar
    reserved: tuple[datetime, str] | None


class OwnTime:
    def __init__(
        self,
        *,
        store: SessionStore,
        views: PolicyViews,
        limits: TimeLimits,
        locks: OwnerLocks,
        operator: Operator,
        watcher: Watcher,
        policy: Policy,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._views = views
        self._limits = limits
        self._locks = locks
        self._operator = operator
        self._watcher = watcher
        self._policy = policy
        self._now = now

    async def choices(self, session_id: str, username: str) -> list[tuple[int, str | None]]:
        """Return how much time the owner could add, each with why not now. Raises as `set`."""
        record = await self._mine(session_id, username)
        facts = await self._facts(record, await self._views.user(username))
        return [(more_s, self._why_not(facts, more_s)) for more_s in CHOICES_S]

    async def set(self, session_id: str, username: str, walltime_s: int) -> SessionRecord:
        """Set the session's time limit, in seconds from its start.

        Raises Forbidden for another user's session, Conflict unless it is running, PolicyRefused, Slurm's refusals.
        """
        record = await self._mine(session_id, username)
        more_s = walltime_s - record.walltime_s
        if more_s == 0:
            return record
        if more_s < 0:
            return await self._shorten(record, walltime_s)
        await self._insist(record, more_s, await self._views.user(username))
        await self._watcher.reread("reservations")  # Slurm would not refuse one made since
        async with self._locks.of(username, self._views.user) as owner:
            await self._insist(record, more_s, owner)
            event_text = f"You extended it by {formatting.duration(more_s)}."
            await self._limits.begin(record, walltime_s, event_text=event_text, own_s=more_s)
        record = await self._limits.finish(record, walltime_s, partial(self._operator.extend, username, session_id))
        self._watcher.kick()
        return record

    async def _insist(self, record: SessionRecord, more_s: int, owner: UserView) -> None:
        if (why := self._why_not(await self._facts(record, owner), more_s)) is not None:
            raise PolicyRefused(why, hint="Ask for less, or ask the administrators.")

    async def _shorten(self, record: SessionRecord, walltime_s: int) -> SessionRecord:
        if (record.started_at or self._now()) + timedelta(seconds=walltime_s) < self._now() + LEAST_LEFT:
            raise Conflict("It has already run that long.", hint="Stop it, or leave it at least a minute.")
        record = await self._limits.change(
            record,
            walltime_s,
            partial(self._operator.shorten, record.owner),
            event_text=f"You shortened it by {formatting.duration(record.walltime_s - walltime_s)}.",
        )
        self._watcher.kick()
        return record

    async def _mine(self, session_id: str, username: str) -> SessionRecord:
        record = await self._store.get(session_id)
        if record.owner != username:
            raise Forbidden(
                "This session belongs to someone else.", hint="Administrators extend it on their own pages."
            )
        running(record)
        if record.started_at is None:
            raise Conflict("It has not started yet.", hint="Cancel it and ask for another time.")
        return record

    async def _facts(self, record: SessionRecord, owner: UserView) -> Facts:
        snapshot, held = self._watcher.snapshot, resources_of(record)
        job = snapshot.jobs.get(record.job_id or 0)
        nodes = expand((job.nodes if job else "") or record.node or "")
        return Facts(
            record=record,
            owner=owner,
            cluster=await self._views.cluster(),
            so_far=ExtendedSoFar(
                seconds=record.extended_s,
                times=record.extended_times,
                waiting=waiting_for(held, record.owner, nodes, snapshot),
            ),
            reserved=reserved_from(held, nodes, snapshot, self._now()),
        )

    def _why_not(self, facts: Facts, more_s: int) -> str | None:
        record, held = facts.record, resources_of(facts.record)
        if (why := why_not_by_oneself(more_s, facts.so_far, facts.owner, self._policy)) is not None:
            return why
        if not _is_known(self._watcher.snapshot) or held.partition not in facts.cluster.partitions:
            return "The portal cannot tell at the moment who else needs these nodes. Try again soon."
        walltime_s = record.walltime_s + more_s
        ends_at = (record.ends_at or self._now() + timedelta(seconds=record.walltime_s)) + timedelta(seconds=more_s)
        if facts.reserved is not None and ends_at > facts.reserved[0]:
            begins, name = facts.reserved
            return f"Its node is reserved from {clock(begins)} on (“{name}”)."
        left_s = int((ends_at - self._now()).total_seconds())
        return why_not_longer(held, walltime_s, left_s, facts.owner, facts.cluster, self._policy)


def _is_known(snapshot: Snapshot) -> bool:
    return snapshot.state is Reach.UP and snapshot.reservations_as_of is not None
