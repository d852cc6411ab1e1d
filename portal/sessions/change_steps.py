"""The steps of a change at Slurm, each with its outcome in the row: in place, or by a new job that takes over.

The new job has the old one's name and is a singleton: Slurm starts it only once no older job of this name is left, and
the old one is cancelled only while the new one is in the queue. So there is never no job, and never two that could
start.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from portal.db import failure
from portal.errors import Conflict, OutcomeUnknown, PortalError, SlurmRefused, SlurmUnavailable
from portal.policy import formatting
from portal.policy.request import Resources
from portal.sealing import Seals
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import Draft, SessionStore
from portal.sessions.view import resources_of
from portal.slurm.client import SlurmClient
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import SessionSpec
from portal.slurm.watcher import Watcher

#: What Slurm can change about a job in the queue.
IN_PLACE = frozenset({"partition", "account", "qos", "gpus", "cpus", "memory_mib", "walltime_s"})
#: After how long a killed slurmctld still knows a job: it saves its state after 5 s at most (SAVE_MAX_WAIT).
KEPT_S = 7.0
CHECK_FIRST = "Do not send it again: the session's page shows the outcome as soon as it is known."


class ChangeSteps:
    def __init__(
        self, *, store: SessionStore, slurm: SlurmClient, watcher: Watcher, seals: Seals, node_url: str
    ) -> None:
        self._store = store
        self._slurm = slurm
        self._watcher = watcher
        self._seals = seals
        self._node_url = node_url
        self.busy: set[str] = set()
        """The sessions whose change this process is making."""

    async def make(self, record: SessionRecord, resources: Resources, *, new_job: bool) -> SessionRecord:
        """Make a change whose intent has been written and whose session is in `busy`. Raises as `Changes.make`."""
        try:
            act = self._replace if new_job else self._in_place
            return await act(record, resources)
        except SlurmUnavailable as error:
            if isinstance(error, DoorBusy):
                await self.drop(record.id)
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
            await self.drop(record.id)
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
            await self.drop(record.id)
            raise
        await asyncio.sleep(KEPT_S)
        return await self.take_over(record, new)

    async def _submit(self, record: SessionRecord, resources: Resources, *, after: int | None) -> int:
        spec = SessionSpec(session_id=record.id, immediate=False, after=after, **resources.model_dump())
        env = record.env(self._node_url, self._seals.secret_of(record.id))
        new = (await self._slurm.submit(record.owner, spec, env)).job_id
        async with self._store.change(record.id) as draft:
            if draft.record.change is not None:
                draft.set(change=draft.record.change | {"new": new})
        return new

    async def take_over(self, record: SessionRecord, new: int) -> SessionRecord:
        """Withdraw the old job, now that the new one is in the queue. Raises Conflict if the old one has started."""
        gone, there = await self._slurm.withdraw(record.owner, record.id, record.job_id or 0, new)
        if not there:  # forgotten by a slurmctld that was killed
            if gone:
                return await self.once_more(record)
            await self.drop(record.id)
            raise SlurmRefused("Slurm has lost the new job. Nothing was changed.", hint="Try again.")
        async with self._store.change(record.id) as draft:
            _conclude(draft, new, gone=gone)
            record = draft.record
        if record.job_id != new:
            await self._slurm.cancel(record.owner, new)
            if record.state not in (SessionState.STOPPING, SessionState.ENDED):
                raise Conflict("It has just started with what it asked for before.", hint="Nothing was changed.")
        return record

    async def once_more(self, record: SessionRecord) -> SessionRecord:
        """Submit the new job again: Slurm has neither, because it was killed at the wrong moment."""
        resources = Resources(**(record.change or {})["to"])
        new = await self._submit(record, resources, after=record.job_id)
        async with self._store.change(record.id) as draft:
            _conclude(draft, new, gone=True)
            record = draft.record
        if record.job_id != new:  # stopped meanwhile
            await self._slurm.cancel(record.owner, new)
        return record

    async def drop(self, session_id: str, message: str = "") -> None:
        async with self._store.change(session_id) as draft:
            draft.set(change=None)
            if message:
                draft.say(message)


def _values(resources: dict[str, Any], changed: set[str]) -> dict[str, str | int]:
    values = {name: resources[name] for name in changed if resources[name] is not None}
    if "gpus" in values and resources["gpu_type"]:
        values["gpu_type"] = resources["gpu_type"]
    return values


def _done(draft: Draft, values: dict[str, Any]) -> None:
    """Record a change that Slurm has made, and the values to go back to if Slurm loses it."""
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
