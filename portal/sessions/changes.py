"""Changes what a waiting session asks for: in place, or by a new job that takes over.

The intent is written before Slurm is asked, the outcome after it; the reconciler settles a change whose outcome is
unknown by what Slurm says. The new job has the old one's name and is a singleton: Slurm starts it only once no older
job of this name is left, and the old one is cancelled only while the new one is in the queue. So there is never no job,
and never two that could start.

slurmctld saves its state within 5 s, so one that is killed forgets what it has just done. The old job is therefore
cancelled only once the new one has been in the queue for longer than that, and a finished change stays in the row for
SAVED: until then the reconciler compares it with what Slurm says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import structlog

from portal.db import failure
from portal.errors import Conflict, FieldProblem, OutcomeUnknown, PortalError, SlurmRefused, SlurmUnavailable
from portal.owner_locks import OwnerLocks
from portal.placement.starts import Starts, starts
from portal.policy import formatting
from portal.policy.request import ResourceRequest, Resources
from portal.policy.resolve import granted
from portal.policy.view import UserView
from portal.sealing import Seals
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.requests import SessionRequests
from portal.sessions.store import Draft, SessionStore
from portal.sessions.time_limits import IN_FLIGHT, running
from portal.sessions.view import line_of, rank, resources_of
from portal.slurm.client import SlurmClient, job_name
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import Job, SessionSpec
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

How = Literal["nothing", "in_place", "new_job"]
#: What Slurm changes of a job in the queue.
IN_PLACE = frozenset({"partition", "account", "qos", "gpus", "cpus", "memory_mib", "walltime_s"})
#: After how long a killed slurmctld still knows a job: it saves its state after 5 s at most (SAVE_MAX_WAIT).
KEPT_S = 7.0
#: The same with a large margin.
SAVED = timedelta(seconds=30)
CHECK_FIRST = "Do not send it again: the session's page shows the outcome as soon as it is known."


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
        slurm: SlurmClient,
        watcher: Watcher,
        seals: Seals,
        locks: OwnerLocks,
        node_url: str,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._requests = requests
        self._slurm = slurm
        self._watcher = watcher
        self._seals = seals
        self._locks = locks
        self._node_url = node_url
        self._now = now
        self.busy: set[str] = set()

    async def plan(self, session_id: str, asked: ResourceRequest) -> Plan:
        """Check a change without making it. Raises Conflict unless the session waits in the queue."""
        record = await self._store.get(session_id)
        waiting(record)
        return await self._plan(record, asked, await self._requests.user_view(record.owner))

    async def make(self, session_id: str, asked: ResourceRequest, *, new_job: bool) -> SessionRecord:
        """Change what the session asks for; what `asked` leaves out stays. `new_job` allows a new job to take over.

        Raises Conflict unless the session waits, or if it takes a new job that is not allowed; PolicyRefused and
        SlurmRefused, when nothing was changed; OutcomeUnknown.
        """
        record = await self._store.get(session_id)
        async with self._locks.of(record.owner, self._requests.user_view) as user:
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
            self.busy.add(session_id)
        # Shielded: a client that disconnects must not leave an outcome that is known unwritten.
        return await asyncio.shield(asyncio.ensure_future(self._act(draft.record, resources, new_job=new_job)))

    async def _plan(self, record: SessionRecord, asked: ResourceRequest, owner: UserView) -> Plan:
        held = resources_of(record)
        wanted = held.model_dump()
        if asked.partition not in (None, held.partition) or asked.gpus == 0:
            wanted["gpu_type"] = None
        wanted |= asked.model_dump(exclude_unset=True)
        user = without(held, owner)
        resources, problems = await self._requests.consider(ResourceRequest(**wanted), user)
        if resources is None:
            return Plan(None, problems, "nothing", "", "unknown", "")
        snapshot = self._watcher.snapshot
        how = how_to(held, resources)
        others = replace(snapshot, jobs={job.id: job for job in snapshot.jobs.values() if job.id != record.job_id})
        when, text = starts(resources, others, user, self._now())
        return Plan(resources, problems, how, place_of(record, resources, how, snapshot), when, text)

    async def _act(self, record: SessionRecord, resources: Resources, *, new_job: bool) -> SessionRecord:
        try:
            act = self._replace if new_job else self._in_place
            return await act(record, resources)
        except SlurmUnavailable as error:
            if isinstance(error, DoorBusy):
                await self._drop(record.id)
                raise
            raise OutcomeUnknown(f"It may have been changed: {error.message}", hint=CHECK_FIRST) from error
        finally:
            self.busy.discard(record.id)
            self._watcher.kick()

    async def _in_place(self, record: SessionRecord, resources: Resources) -> SessionRecord:
        job_id = record.job_id or 0
        old, new = resources_of(record).model_dump(), resources.model_dump()
        changed = {name for name in IN_PLACE if old[name] != new[name]}
        try:
            await self._slurm.change(record.owner, job_id, _values(new, changed))
        except SlurmUnavailable:
            raise
        except PortalError:
            with suppress(PortalError):  # Slurm may have set some values before it refused another
                await self._slurm.change(record.owner, job_id, _values(old, changed))
            await self._drop(record.id)
            raise
        with failure.told_as("Slurm has changed it, but this could not be recorded.", hint=CHECK_FIRST):
            async with self._store.change(record.id) as draft:
                if draft.record.change is not None:
                    _done(draft, {name: new[name] for name in changed})
                    draft.say(f"You changed it to {formatting.summary(resources)}.")
        return draft.record

    async def _replace(self, record: SessionRecord, resources: Resources) -> SessionRecord:
        try:
            new = await self._submit(record, resources, after=record.job_id)
        except SlurmUnavailable:
            raise
        except PortalError:
            await self._drop(record.id)
            raise
        await asyncio.sleep(KEPT_S)
        return await self._take_over(record, new)

    async def _submit(self, record: SessionRecord, resources: Resources, *, after: int | None) -> int:
        spec = SessionSpec(session_id=record.id, immediate=False, after=after, **resources.model_dump())
        env = record.env(self._node_url, self._seals.secret_of(record.id))
        new = (await self._slurm.submit(record.owner, spec, env)).job_id
        async with self._store.change(record.id) as draft:
            if draft.record.change is not None:
                draft.set(change=draft.record.change | {"new": new})
        return new

    async def _take_over(self, record: SessionRecord, new: int) -> SessionRecord:
        """Withdraw the old job, now that the new one is in the queue. Raises Conflict if the old one has started."""
        gone, there = await self._slurm.withdraw(record.owner, record.id, record.job_id or 0, new)
        if not there:  # forgotten by a slurmctld that was killed
            if gone:
                return await self._once_more(record)
            await self._drop(record.id)
            raise SlurmRefused("Slurm has lost the new job. Nothing was changed.", hint="Try again.")
        async with self._store.change(record.id) as draft:
            _conclude(draft, new, gone=gone)
            record = draft.record
        if record.job_id != new:
            await self._slurm.cancel(record.owner, new)
            if record.state not in (SessionState.STOPPING, SessionState.ENDED):
                raise Conflict("It has just started with what it asked for before.", hint="Nothing was changed.")
        return record

    async def _once_more(self, record: SessionRecord) -> SessionRecord:
        """Submit the new job again: Slurm has neither, because it was killed at the wrong moment."""
        resources = Resources(**(record.change or {})["to"])
        new = await self._submit(record, resources, after=record.job_id)
        async with self._store.change(record.id) as draft:
            _conclude(draft, new, gone=True)
            record = draft.record
        if record.job_id != new:  # stopped meanwhile
            await self._slurm.cancel(record.owner, new)
        return record

    async def _drop(self, session_id: str, message: str = "") -> None:
        async with self._store.change(session_id) as draft:
            draft.set(change=None)
            if message:
                draft.say(message)

    # --- what an interruption leaves ---

    async def settle(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Settle a change whose outcome nobody has written; return whether the session's job may be judged now."""
        change = record.change or {}
        if "done" in change:
            return await self._confirm(record, snapshot)
        job = record.job_in(snapshot)
        alive = job is not None and not job.state.is_over
        if record.id in self.busy or not snapshot.is_after(datetime.fromisoformat(change["at"]) + IN_FLIGHT):
            return alive
        if change["how"] == "in_place":
            await self._as_slurm_has_it(record, job)
            return True
        new = _successor(record, snapshot)
        if new is None:
            if not alive and "new" in change and record.started_at is None and record.stopping_at is None:
                await self._once_more(record)
                self._watcher.kick()
                return False
            await self._drop(record.id, "It was not changed.")
            return True
        waits = job is not None and job.state.waits
        if record.started_at is not None or record.stopping_at is not None or (alive and not waits):
            await self._slurm.cancel(record.owner, new.id)
            await self._drop(record.id, "It was not changed: it had started or was stopped.")
            return True
        log.warning("session.change_resumed", session=record.id, job=record.job_id, new_job=new.id)
        with suppress(Conflict):
            await self._take_over(record, new.id)
        self._watcher.kick()
        return False

    async def _confirm(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Find out whether Slurm still knows of a change that was done; return as `settle`."""
        change = record.change or {}
        done = datetime.fromisoformat(change["done"])
        if not snapshot.is_after(done):
            return True
        new = _active(record, record.job_id, snapshot)
        if change["how"] == "new_job":
            old = _active(record, change["job"], snapshot)
            if old is not None:
                return await self._withdraw_again(record, old, new)
        elif new is not None and new.state.waits and _is_lost(change, new):
            await self._back(record)
            return False
        if snapshot.is_after(done + SAVED):
            await self._drop(record.id)
        return True

    async def _withdraw_again(self, record: SessionRecord, old: Job, new: Job | None) -> bool:
        """Settle an old job that is back: slurmctld has forgotten that it left, and maybe the new job, too."""
        log.warning("session.change_forgotten", session=record.id, job=old.id, new_job=new and new.id)
        self._watcher.kick()
        if record.started_at is not None or record.stopping_at is not None:
            await self._slurm.cancel(record.owner, old.id)
            return True
        if new is not None and old.state.waits:
            async with self._store.change(record.id) as draft:
                if draft.record.change is not None:
                    draft.set(change=draft.record.change | {"done": draft.now.isoformat()})
            await self._slurm.withdraw(record.owner, record.id, old.id, new.id)
            return True
        if new is not None:
            await self._slurm.cancel(record.owner, new.id)
        await self._back(record, job_id=old.id)
        return False

    async def _back(self, record: SessionRecord, **values: int) -> None:
        async with self._store.change(record.id) as draft:
            if (change := draft.record.change) is None or draft.state is not SessionState.QUEUED:
                return
            draft.set(change=None, **change["from"], **values)
            asks = formatting.summary(resources_of(draft.record))
            draft.say(f"Slurm was restarted and lost the change: it asks for {asks} again.")

    async def _as_slurm_has_it(self, record: SessionRecord, job: Job | None) -> None:
        async with self._store.change(record.id) as draft:
            if (change := draft.record.change) is None:
                return
            draft.set(change=None)
            if job is None or not job.state.waits:
                return
            has = _of_job(job, change["to"])
            old = resources_of(draft.record).model_dump()
            changed = {name for name in IN_PLACE if change["to"][name] != old[name] and has.get(name) is not None}
            draft.set(**{name: has[name] for name in changed})
            done = changed and all(has[name] == change["to"][name] for name in changed)
            now = formatting.summary(resources_of(draft.record))
            draft.say(f"You changed it to {now}." if done else f"It was not changed as you asked; it asks for {now}.")


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
    """Say what the change does to the place in line."""
    job = snapshot.jobs.get(record.job_id or 0)
    if how == "nothing":
        return ""
    if job is None or snapshot.state is not Reach.UP:  # such as a job that is younger than the snapshot
        if how == "new_job":
            return "A new job takes over, at the end of the line."
        same = resources.partition == resources_of(record).partition
        return "It keeps its place in line." if same else "It keeps its waiting time."
    line = line_of(job.partition, snapshot)
    there = [value for value in line_of(resources.partition, snapshot) if value.id != job.id]
    of = len(there) + 1
    now = f"{line.index(job) + 1} of {len(line)}" if job in line else "unknown"
    if how == "new_job":
        return (
            "Slurm cannot make this change to a job in the queue. A new job takes over, at the end of the line:"
            f" place {of} of {of} instead of {now}."
        )
    if resources.partition == job.partition:
        return f"It keeps its place in line: {now}."
    ahead = sum(rank(value) < rank(job) for value in there)
    return (
        f"It moves to the line of “{resources.partition}” and keeps its waiting time: about place {ahead + 1} of {of}."
    )


def without(held: Resources, user: UserView) -> UserView:
    """Return the user as policy sees them without this session."""
    gpus = held.gpus * held.nodes
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


def _values(resources: dict[str, Any], changed: set[str]) -> dict[str, str | int]:
    values = {name: resources[name] for name in changed if resources[name] is not None}
    if "gpus" in values and resources["gpu_type"]:
        values["gpu_type"] = resources["gpu_type"]
    return values


def _of_job(job: Job, to: dict[str, Any]) -> dict[str, str | int | None]:
    """Return what Slurm says that a pending job asks for, per node."""

    def share(total: int | None, name: str) -> int | None:
        # For a while Slurm 22.05 counts one node too many for a job that was just changed.
        exact = to[name] in (total, (total or 0) // job.node_count) and total
        return to[name] if exact else (total or 0) // to["nodes"] or None

    return {
        "partition": job.partition,
        "account": job.account or None,
        "qos": job.qos or None,
        "gpus": share(job.gpus, "gpus"),
        "cpus": share(job.cpus, "cpus"),
        "memory_mib": share(job.memory_mib, "memory_mib"),
        "walltime_s": job.time_limit_s,
    }


def _successor(record: SessionRecord, snapshot: Snapshot) -> Job | None:
    jobs = [
        job
        for job in snapshot.jobs.values()
        if job.name == job_name(record.id)
        and job.may_be_of(record.owner)
        and job.id != record.job_id
        and not job.state.is_over
    ]
    return max(jobs, key=lambda job: job.id, default=None)


def _active(record: SessionRecord, job_id: int | None, snapshot: Snapshot) -> Job | None:
    job = snapshot.jobs.get(job_id or 0)
    own = job is not None and job.name == job_name(record.id) and job.may_be_of(record.owner)
    return job if job is not None and own and not job.state.is_over else None


def _is_lost(change: dict[str, Any], job: Job) -> bool:
    """Whether the job asks for what it asked for before the change."""
    has = _of_job(job, change["from"])
    changed = [name for name in IN_PLACE if change["to"][name] != change["from"][name]]
    return all(has[name] == change["from"][name] for name in changed)


def _done(draft: Draft, values: dict[str, Any]) -> None:
    """Record a change that Slurm has made, and what it would go back to if Slurm lost it."""
    before = resources_of(draft.record).model_dump()
    done = {"done": draft.now.isoformat(), "from": before}
    draft.set(change=(draft.record.change or {}) | done, **values)


def _conclude(draft: Draft, new: int, *, gone: bool) -> None:
    """Record that the new job has taken over, unless the old one has started or the session is being stopped."""
    change = draft.record.change
    if change is None:
        return
    if draft.state is not SessionState.QUEUED or not gone:
        draft.set(change=None)
        return
    resources = Resources(**change["to"])
    _done(draft, change["to"])
    draft.set(job_id=new, submitted_at=draft.now, reason=None, reason_code=None)
    draft.say(f"You changed it to {formatting.summary(resources)}; a new job has taken over.")
