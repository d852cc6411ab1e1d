"""Changes what a waiting session requests: checks the change, writes the intent, and has the change made.

The intent is written before Slurm is asked, the outcome after it; the reconciler settles a change whose outcome is
unknown by what Slurm says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from portal.errors import Conflict, FieldProblem
from portal.owner_locks import OwnerLocks
from portal.placement.starts import Starts, starts
from portal.policy.request import ResourceRequest, Resources
from portal.policy.resolve import granted
from portal.policy.view import UserView
from portal.sessions.change_steps import IN_PLACE, ChangeSteps
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.requests import SessionRequests
from portal.sessions.store import SessionStore
from portal.sessions.time_limits import running
from portal.sessions.view import line_of, own_line, resources_of
from portal.slurm.reasons import has_position
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

How = Literal["nothing", "in_place", "new_job"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change would give, what is wrong with it, and what it does to the position in the queue."""

    resources: Resources | None
    problems: list[FieldProblem]
    how: How
    place: str
    starts: Starts
    starts_text: str


class Changes:
    def __init__(
        self,
        *,
        store: SessionStore,
        requests: SessionRequests,
        watcher: Watcher,
        locks: OwnerLocks,
        steps: ChangeSteps,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._requests = requests
        self._watcher = watcher
        self._locks = locks
        self._steps = steps
        self._now = now

    async def plan(self, session_id: str, asked: ResourceRequest) -> Plan:
        """Check a change without making it. Raises Conflict unless the session waits in the queue."""
        record = await self._store.get(session_id)
        waiting(record)
        return await self._plan(record, asked, await self._requests.views.user(record.owner))

    async def make(self, session_id: str, asked: ResourceRequest, *, new_job: bool) -> SessionRecord:
        """Change what the session requests; what `asked` leaves out stays. `new_job` allows a new job to take over.

        Raises Conflict unless the session waits, or if it takes a new job that is not allowed; PolicyRefused and
        SlurmRefused, when nothing was changed; OutcomeUnknown.
        """
        record = await self._store.get(session_id)
        async with self._locks.of(record.owner, self._requests.views.user) as user:
            record = await self._store.get(session_id)
            waiting(record)
            plan = await self._plan(record, asked, user)
            resources = granted(plan.resources, plan.problems)
            if plan.how == "nothing":
                return record
            if plan.how == "new_job" and not new_job:
                raise Conflict(plan.place, hint="Allow a new job to take over, or change less.")
            how = "new_job" if new_job else "in_place"
            async with self._store.change(session_id) as draft:
                waiting(draft.record)
                to = resources.model_dump()
                draft.set(change={"job": record.job_id, "how": how, "to": to, "at": draft.now.isoformat()})
            self._steps.busy.add(session_id)
        # Shielded: a client that disconnects must not leave an outcome that is known unwritten.
        return await asyncio.shield(asyncio.ensure_future(self._steps.make(draft.record, resources, new_job=new_job)))

    async def _plan(self, record: SessionRecord, asked: ResourceRequest, owner: UserView) -> Plan:
        held = resources_of(record)
        wanted = held.model_dump()
        if asked.partition not in (None, held.partition) or asked.gpus == 0 or asked.gpu_memory_gb:
            wanted["gpu_type"] = None
        if asked.exclusive:  # a whole node has all its GPUs and cores
            wanted |= dict.fromkeys(("gpus", "cpus", "memory_mib", "shards", "mps_percent"))
        if asked.part or asked.gpus:
            wanted |= dict.fromkeys(("gpus", "shards", "mps_percent"))
        wanted |= asked.model_dump(exclude_unset=True)
        user = without(held, owner)
        resources, problems = await self._requests.consider(ResourceRequest(**wanted), user)
        if resources is None:
            return Plan(None, problems, "nothing", "", "unknown", "")
        if resources.partition == held.partition:
            # The portal may have learned the default account only since the start: nobody asked for that change.
            kept = {name: getattr(held, name) for name in ("account", "qos") if name not in asked.model_fields_set}
            resources = resources.model_copy(update=kept)
        snapshot = self._watcher.snapshot
        how = how_to(held, resources)
        others = replace(snapshot, jobs={job.id: job for job in snapshot.jobs.values() if job.id != record.job_id})
        when, text = starts(resources, others, user, self._now())
        return Plan(resources, problems, how, place_of(record, resources, how, snapshot), when, text)


def waiting(record: SessionRecord) -> int:
    """Return the job of a session that waits in the queue. Raises Conflict."""
    job_id = running(record)
    if record.state != SessionState.QUEUED:
        raise Conflict("It has started already.", hint="Only what waits in the queue can be changed.")
    if record.is_being_changed or record.limit_change is not None:
        raise Conflict("It is being changed.", hint="Try again in a moment.")
    return job_id


def how_to(old: Resources, new: Resources) -> How:
    """Return how Slurm can make the change: not every one can be made to a job in the queue."""
    before, after = old.model_dump(), new.model_dump()
    changed = {name for name in Resources.model_fields if before[name] != after[name]}
    if not changed:
        return "nothing"
    sizes = changed & {"gpus", "cpus", "memory_mib"}
    unset = [name for name in ("account", "qos") if name in changed and after[name] is None]
    new_gpus = "gpus" in changed and 0 in (old.gpus, new.gpus)  # Slurm 22.05 keeps counting GPUs that are taken away
    if not changed <= IN_PLACE or new_gpus or unset or (sizes and new.nodes > 1):
        return "new_job"
    return "in_place"


def place_of(record: SessionRecord, resources: Resources, how: How, snapshot: Snapshot) -> str:
    """Say what the change does to the position in the queue."""
    job = snapshot.jobs.get(record.job_id or 0)
    if how == "nothing":
        return ""
    if job is None or snapshot.state is not Reach.UP:  # such as a job that is younger than the snapshot
        if how == "new_job":
            return "A new job takes over, at the end of the queue."
        same = resources.partition == resources_of(record).partition
        return "It keeps its position in the queue." if same else "It keeps its waiting time."
    there = [value for value in line_of(resources.partition, snapshot) if value.id != job.id]
    of = len(there) + 1
    if job.state.waits and has_position(job):
        line = own_line(job, snapshot)
        now = f"{line.index(job) + 1} of {len(line)}"
    else:
        now = "unknown"
    if how == "new_job":
        return (
            "Slurm cannot make this change to a job in the queue. A new job takes over, at the end of the queue:"
            f" position {of} of {of} instead of {now}."
        )
    if resources.partition == job.partition:
        return f"It keeps its position in the queue: {now}."
    ahead = sum(value.rank < job.rank for value in there)
    return (
        f"It moves to the queue of “{resources.partition}” and keeps its waiting time:"
        f" about position {ahead + 1} of {of}."
    )


def without(held: Resources, user: UserView) -> UserView:
    """Return the user as policy sees them without this session."""
    gpus = held.gpus_counted
    hours = gpus * held.walltime_s / 3600
    pools = (
        replace(
            pool,
            gpus=max(0, pool.gpus - gpus),
            gpu_hours_promised=max(0.0, pool.gpu_hours_promised - hours),
        )
        for pool in user.pools
    )
    return replace(
        user,
        gpus_in_use=max(0, user.gpus_in_use - gpus),
        sessions_in_use=max(0, user.sessions_in_use - 1),
        gpu_hours_promised=max(0.0, user.gpu_hours_promised - hours),
        pools=tuple(pools),
    )
