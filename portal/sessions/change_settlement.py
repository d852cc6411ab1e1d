"""Settles changes that were interrupted or that Slurm has forgotten, going by what Slurm says.

slurmctld saves its state within 5 s, so one that is killed forgets what it has just done. A finished change stays in
the row for SAVED: until then it is compared with what Slurm says.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import structlog

from portal.errors import Conflict
from portal.policy import formatting
from portal.sessions.change_steps import IN_PLACE, ChangeSteps
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.store import SessionStore
from portal.sessions.time_limits import IN_FLIGHT
from portal.sessions.view import resources_of
from portal.slurm.client import SlurmClient, job_name
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

#: How long slurmctld may need to save what it did, with a large margin.
SAVED = timedelta(seconds=30)


class ChangeSettlement:
    def __init__(self, *, store: SessionStore, slurm: SlurmClient, watcher: Watcher, steps: ChangeSteps) -> None:
        self._store = store
        self._slurm = slurm
        self._watcher = watcher
        self._steps = steps

    async def settle(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Settle a change whose outcome nobody has written; return whether the session's job may be judged now."""
        change = record.change or {}
        if "done" in change:
            return await self._confirm(record, snapshot)
        job = record.job_in(snapshot)
        alive = job is not None and not job.state.is_over
        if record.id in self._steps.busy or not snapshot.is_after(datetime.fromisoformat(change["at"]) + IN_FLIGHT):
            return alive
        if change["how"] == "in_place":
            await self._as_slurm_has_it(record, job)
            return True
        new = _successor(record, snapshot)
        if new is None:
            if not alive and "new" in change and record.started_at is None and record.stopping_at is None:
                await self._steps.once_more(record)
                self._watcher.kick()
                return False
            await self._steps.drop(record.id, "It was not changed.")
            return True
        waits = job is not None and job.state.waits
        if record.started_at is not None or record.stopping_at is not None or (alive and not waits):
            await self._slurm.cancel(record.owner, new.id)
            await self._steps.drop(record.id, "It was not changed: it had started or was stopped.")
            return True
        log.warning("session.change_resumed", session=record.id, job=record.job_id, new_job=new.id)
        with suppress(Conflict):
            await self._steps.take_over(record, new.id)
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
            await self._steps.drop(record.id)
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
            draft.say(f"Slurm was restarted and lost the change; the session requests {asks} again.")

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
            draft.say(
                f"You changed it to {now}."
                if done
                else f"Your change was not made as requested; the session requests {now}."
            )


def _of_job(job: Job, to: dict[str, Any]) -> dict[str, str | int | None]:
    """Return what a pending job requests per node, according to Slurm."""

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
    """Return whether the job requests what it requested before the change."""
    has = _of_job(job, change["from"])
    changed = [name for name in IN_PLACE if change["to"][name] != change["from"][name]]
    return all(has[name] == change["from"][name] for name in changed)
