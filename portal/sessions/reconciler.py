"""Reconciles rows with jobs at every new snapshot of Slurm.

Slurm is authoritative about jobs: a row without a job is closed with its reason. `strays` settles jobs without a row,
`hub_servers` the Hub's servers. While Slurm does not answer, nothing is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog

from portal.errors import PortalError
from portal.loops import turn
from portal.sessions import endings, time_limits
from portal.sessions.change_settlement import ChangeSettlement
from portal.sessions.late_endings import LateEndings
from portal.sessions.live import LiveSessions
from portal.sessions.lost import LostSteps
from portal.sessions.models import SessionRecord, SessionState
from portal.sessions.schemas import QueueOut
from portal.sessions.service import SessionService
from portal.sessions.store import Draft, SessionStore
from portal.sessions.strays import Strays
from portal.sessions.view import is_suspended, queue_of
from portal.slurm.client import SlurmClient
from portal.slurm.jobs import Job, JobState
from portal.slurm.reasons import explain
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

CANCEL_AGAIN = timedelta(seconds=20)
#: A stop takes about three seconds. After this, the usual readings of the queue are enough.
SOON = timedelta(seconds=15)
SILENCE = timedelta(seconds=180)  # from the job's start to the agent's hello


class Reconciler:
    def __init__(
        self,
        *,
        store: SessionStore,
        service: SessionService,
        slurm: SlurmClient,
        watcher: Watcher,
        live: LiveSessions,
        lost: LostSteps,
        forgotten: LateEndings,
        strays: Strays,
        changes: ChangeSettlement,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._service = service
        self._slurm = slurm
        self._watcher = watcher
        self._live = live
        self._lost = lost
        self._forgotten = forgotten
        self._strays = strays
        self._changes = changes
        self._now = now
        self._lines: dict[str, tuple[QueueOut | None, bool]] = {}

    async def run(self) -> None:
        """Follow the watcher forever."""
        await self._watcher.follow(self.reconcile, failure="reconciler.failed")

    async def reconcile(self, snapshot: Snapshot) -> None:
        active = await self._store.active()
        forgotten = []
        for record in active:
            with turn("reconciler.session_failed", session=record.id):  # the other sessions go on
                try:
                    if not await self._one(record, snapshot):
                        forgotten.append(record)
                except PortalError as error:
                    log.warning("reconciler.session_failed", session=record.id, error=error.message)
        known = {record.id for record in active}
        self._forget(known)
        await self._end_lost(active, snapshot)
        await self._strays.settle(snapshot, active)
        await self._end_forgotten(forgotten)
        if any(record.stopping_at is not None and self._now() - record.stopping_at < SOON for record in active):
            self._watcher.kick_again()  # a user is waiting for it to end

    async def _one(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Reconcile one session; False if Slurm has forgotten its job, so that accounting must say how it ended."""
        if record.change is not None and not await self._changes.settle(record, snapshot):
            return True
        job = record.job_in(snapshot)
        if job is None:
            return await self._without_job(record, snapshot)
        if job.state.is_over:
            await self._over(record, job.state.value, job.exit_code)
        else:
            await self._alive(record, job, snapshot)
        return True

    async def _without_job(self, record: SessionRecord, snapshot: Snapshot) -> bool:
        """Close a row that never had a job, once the snapshot is younger than any submission in flight."""
        if not record.was_submitted_before(snapshot):
            return True
        if record.job_id is not None:
            return False
        await self._close(record, "submit_lost")
        return True

    async def _end_forgotten(self, records: Sequence[SessionRecord]) -> None:
        """Close rows whose jobs Slurm has forgotten."""
        for record, end in await self._forgotten.ends(records):
            try:
                if end is None:
                    await self._close(record, record.end_code or "job_gone")
                else:
                    await self._over(record, end.state.value, end.exit_code)
            except PortalError as error:
                log.warning("reconciler.session_failed", session=record.id, error=error.message)

    async def _over(self, record: SessionRecord, state: str, exit_code: int | None) -> None:
        if record.job_id is None and record.hello_at is None and state == JobState.FAILED.value:
            # Placed after the caller had given up: Slurm reports failure, but no app ever ran.
            await self._close(record, "submit_lost")
            return
        code = endings.decide(
            state,
            reported_code=record.end_code,
            stopping=record.stopping_at is not None,
            ever_started=record.started_at is not None,
            ever_heard=record.hello_at is not None,
        )
        await self._close(record, code, exit_code=record.exit_code if record.exit_code is not None else exit_code)

    async def _close(self, record: SessionRecord, code: str, *, exit_code: int | None = None) -> None:
        async with self._store.change(record.id) as draft:
            text = draft.record.end_text if draft.record.end_code == code else None
            draft.end(code, text=text, exit_code=exit_code)
            closed = draft.record
        self._service.announce(closed)

    async def _alive(self, record: SessionRecord, job: Job, snapshot: Snapshot) -> None:
        async with self._store.change(record.id) as draft:
            if draft.is_over:
                return
            if draft.record.job_id is None:
                draft.set(job_id=job.id)
            if draft.record.submitted_at is None:
                draft.set(submitted_at=job.submitted_at or draft.now)
            if job.state.waits:
                self._queued(draft, job)
            else:
                self._running(draft, job)
            time_limits.follow(draft, job, snapshot)
            record = draft.record
        self._moved_in_line(record, snapshot)
        if self._cancel_again(record):
            await self._slurm.cancel(record.owner, job.id)
        elif not job.state.waits and self._silent(record):
            log.warning("session.agent_silent", session=record.id, job=job.id, node=record.node)
            await self._service.stop(record.id, code="agent_silent")

    @staticmethod
    def _queued(draft: Draft, job: Job) -> None:
        if draft.advance(SessionState.QUEUED, "Waiting in Slurm's queue."):
            draft.set(queued_at=draft.now)
        if draft.state is SessionState.QUEUED:
            reason = explain(job.reason, job)
            if draft.record.reason != reason:
                draft.set(reason=reason, reason_code=job.reason or None)
                draft.say(reason)

    @staticmethod
    def _running(draft: Draft, job: Job) -> None:
        draft.set(node=draft.record.node or job.nodes or None)
        if draft.record.started_at is None:
            draft.set(started_at=job.started_at or draft.now)
        draft.advance(SessionState.ALLOCATED, f"Allocated on {draft.record.node or 'a node'}.")

    def _moved_in_line(self, record: SessionRecord, snapshot: Snapshot) -> None:
        """Publish a change of position in the queue or a suspension, which no row holds."""
        line = queue_of(record, snapshot), is_suspended(record, snapshot)
        if self._lines.get(record.id) != line:
            self._lines[record.id] = line
            self._store.tell(record)

    def _cancel_again(self, record: SessionRecord) -> bool:
        return record.stopping_at is not None and self._now() - record.stopping_at > CANCEL_AGAIN

    def _silent(self, record: SessionRecord) -> bool:
        return (
            record.hello_at is None
            and record.stopping_at is None
            and record.started_at is not None
            and self._live.silence(record.id) > SILENCE
        )

    async def _end_lost(self, active: Sequence[SessionRecord], snapshot: Snapshot) -> None:
        for record in await self._lost.find(active, snapshot):
            log.warning("session.step_gone", session=record.id, job=record.job_id, node=record.node)
            await self._service.stop(record.id, code="step_gone")

    def _forget(self, known: set[str]) -> None:
        self._live.forget_all_but(known)
        for session_id in self._lines.keys() - known:
            del self._lines[session_id]
