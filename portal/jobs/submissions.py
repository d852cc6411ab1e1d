"""Submits batch jobs so that none is lost and none is submitted twice: write first, then ask Slurm, then settle.

If Slurm's answer is lost, the portal looks for the job by the submission's id in its comment: in the snapshot, and once
the job has left that, in accounting.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from portal.db import failure
from portal.errors import NotFound, OutcomeUnknown, SlurmRefused, SlurmUnavailable
from portal.idempotency.service import Key
from portal.jobs import rows
from portal.jobs.models import JobRecord, SubmissionRecord, SubmissionState
from portal.jobs.reconciler import JobReconciler
from portal.jobs.script.parse import Script, parse
from portal.jobs.store import SubmissionStore
from portal.loops import turn
from portal.policy.demand import Demand
from portal.slurm.batch import BatchSlurm
from portal.slurm.door_slots import DoorBusy
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

#: How long a door and its sbatch may keep working after the portal has gone, with a margin.
GRACE = timedelta(seconds=150)
#: Slurm shows a job at least this long after its end (MinJobAge, 300 s by default).
SHOWN = timedelta(seconds=240)
KEPT = timedelta(days=30)
FORGET_EVERY = timedelta(days=1)
RETRY_AFTER_S = 10.0

Made = Callable[[SubmissionRecord, Script, int], JobRecord]


class Submissions:
    def __init__(
        self,
        *,
        store: SubmissionStore,
        slurm: BatchSlurm,
        watcher: Watcher,
        reconciler: JobReconciler,
        made: Made,
        meter: Callable[[SubmissionRecord], str | None],
        now: Callable[[], datetime],
    ) -> None:
        """`made` builds the row of a job from its submission, the script of that, and its number; `meter` says with
        what its job meters its GPUs.
        """
        self._store = store
        self._slurm = slurm
        self._watcher = watcher
        self._reconciler = reconciler
        self._made = made
        self._meter = meter
        self._now = now
        self._under_way: dict[str, asyncio.Task[JobRecord]] = {}
        self._look = True
        self._forgot_at: datetime | None = None

    async def add(
        self, owner: str, script: Script, workdir: str | None, demand: Demand, key: Key | None
    ) -> SubmissionRecord:
        """Write a submission. From now on it counts towards its owner's limits."""
        submission = SubmissionRecord(
            id=secrets.token_hex(6),
            owner=owner,
            script=script.text,
            workdir=workdir,
            at=self._now(),
            traceable="comment" not in script.options,
            gpus=demand.gpus,
            gpu_hours=demand.gpu_hours or 0.0,
            state=SubmissionState.OPEN.value,
        )
        await self._store.add(submission, key)
        return submission

    async def submit(self, submission: SubmissionRecord, script: Script, partition: str | None) -> JobRecord:
        """Submit a script and return the job's row; it has no `id` if the database failed after Slurm took the job.

        Raises SlurmRefused (nothing was submitted), OutcomeUnknown.
        """
        task = asyncio.ensure_future(self._ask_slurm(submission, script, partition))
        self._under_way[submission.id] = task
        task.add_done_callback(lambda _: self._under_way.pop(submission.id, None))
        # Shielded: a client that disconnects must not leave a job whose outcome is never recorded.
        return await asyncio.shield(task)

    async def _ask_slurm(self, submission: SubmissionRecord, script: Script, partition: str | None) -> JobRecord:
        token = submission.id if submission.traceable else None
        try:
            job_id = await self._slurm.submit(
                submission.owner, script.text, submission.workdir, partition, token, self._meter(submission)
            )
        except (SlurmRefused, DoorBusy):
            await self._drop(submission)
            raise
        except SlurmUnavailable as error:
            self._look = True
            log.warning("job.submission_unknown", submission=submission.id, error=error.message)
            raise _unknown(submission, error.message) from error
        except BaseException:
            self._look = True
            raise
        log.info("job.submitted", job=job_id, owner=submission.owner, submission=submission.id)
        record = self._made(submission, script, job_id)
        try:
            return await self._reconciler.adopt(record, submission)
        except failure.FAILURES as error:
            self._look = True
            log.error("job.record_late", job=job_id, submission=submission.id, error=str(error)[:200])
            return self._made(submission, script, job_id)

    async def _drop(self, submission: SubmissionRecord) -> None:
        """Delete a submission that Slurm refused; if that fails, it is later settled as not submitted."""
        try:
            await self._store.remove(submission.id)
        except failure.FAILURES as error:
            self._look = True
            log.error("job.refusal_late", submission=submission.id, error=str(error)[:200])

    # --- asked again ---

    async def of_key(self, submission_id: str) -> JobRecord | None:
        """Return the job that a request has made; None if none. Raises OutcomeUnknown while that is open."""
        if (task := self._under_way.get(submission_id)) is not None:
            return await asyncio.shield(task)
        submission = await self._store.get(submission_id)
        if submission is None or submission.state == SubmissionState.NOT_SUBMITTED:
            return None
        if submission.job_id is None:
            raise _unknown(submission, "")
        return await self._reconciler.find(submission.job_id, submission.owner) or self._again(
            submission, submission.job_id
        )

    def _again(self, submission: SubmissionRecord, job_id: int) -> JobRecord:
        return self._made(submission, parse(submission.script), job_id)

    async def find(self, submission_id: str, owner: str) -> SubmissionRecord:
        """Return one submission. Raises NotFound."""
        record = await self._store.get(submission_id)
        if record is None or record.owner != owner:
            raise NotFound(f"There is no submission {submission_id}.")
        return record

    async def unsettled(self, owner: str) -> list[SubmissionRecord]:
        """Return the submissions without a known job, newest first."""
        records = await self._store.without_job(owner)
        return [record for record in records if record.id not in self._under_way]

    async def remove(self, submission_id: str, owner: str) -> None:
        """Delete a settled submission. Raises NotFound, or OutcomeUnknown while its job is being looked for."""
        submission = await self.find(submission_id, owner)
        if submission.state == SubmissionState.OPEN:
            raise _unknown(submission, "")
        await self._store.remove(submission_id)

    # --- settling ---

    async def run(self) -> None:
        """Follow the watcher forever, and settle open submissions."""
        async for snapshot in self._watcher.subscribe():
            if snapshot.state is Reach.UP:
                with turn("job.settling_failed", serial=snapshot.serial):
                    await self.settle(snapshot)
                    await self._forget()

    async def settle(self, snapshot: Snapshot) -> None:
        """Look for the jobs of open submissions; close those that cannot have reached Slurm as not submitted."""
        if not self._look or snapshot.jobs_as_of is None or snapshot.clock_set:
            return
        self._look = False
        try:
            open_ones = [record for record in await self._store.open() if record.id not in self._under_way]
            comments = {f"portal:{record.id}": record for record in open_ones}
            placed = {
                comments[job.comment].id: rows.key_of(job)
                for job in snapshot.jobs.values()
                if job.comment in comments and job.may_be_of(comments[job.comment].owner)
            }
            for record in open_ones:
                await self._settle(record, placed.get(record.id), snapshot.jobs_as_of)
        except SlurmUnavailable as error:
            self._look = True
            log.warning("job.accounting_unavailable", error=error.message)
        except BaseException:
            self._look = True
            raise

    async def _settle(self, record: SubmissionRecord, job_id: int | None, as_of: datetime) -> None:
        if job_id is None and as_of - record.at > GRACE:
            job_id = await self._slurm.submitted(record.owner, record.id, record.at) if record.traceable else None
            if job_id is None:
                certain = record.traceable and (as_of - record.at < SHOWN or await self._slurm.keeps_accounts())
                state = SubmissionState.NOT_SUBMITTED if certain else SubmissionState.UNKNOWN
                log.warning("job.submission_closed", submission=record.id, state=state.value)
                await self._store.close(record.id, state)
                return
        if job_id is None:
            self._look = True
            return
        log.info("job.submission_found", submission=record.id, job=job_id)
        await self._reconciler.adopt(self._again(record, job_id), record)

    async def _forget(self) -> None:
        now = self._now()
        if self._forgot_at is None or now - self._forgot_at > FORGET_EVERY:
            await self._store.forget(now - KEPT)
            self._forgot_at = now


def _unknown(submission: SubmissionRecord, why: str) -> OutcomeUnknown:
    where = "" if submission.traceable else " Your script sets its own comment, so the portal cannot find its job."
    return OutcomeUnknown(
        f"{why} The job may have been submitted; the portal looks for it as submission {submission.id}.{where}".strip(),
        hint="Check Jobs in a minute. The same Idempotency-Key does not submit it twice.",
        retry_after_s=RETRY_AFTER_S,
    )
