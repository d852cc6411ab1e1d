"""Keeps a row for every batch job: follows Slurm's snapshots, asks accounting how jobs ended, updates open pages.

One reading of the queue serves all users. Accounting is asked about many jobs at once, and only about ended ones; the
snapshots do not wait for it. While Slurm does not answer, nothing is decided.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from datetime import UTC, datetime, timedelta

import structlog

from portal.errors import SlurmUnavailable
from portal.events.bus import Bus, Event
from portal.events.recent import Recent
from portal.garbage import HeapFreezer, settle_new
from portal.jobs import arrays, rows
from portal.jobs.closing import close
from portal.jobs.ledger import Ledger
from portal.jobs.models import JobRecord, SubmissionRecord
from portal.jobs.schemas import JobsChange
from portal.jobs.store import JobStore
from portal.loops import resting, turn
from portal.slices import in_slices
from portal.slurm.batch import AccountingRecord
from portal.slurm.client import session_of
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Reach, Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

#: Accounting learns of an end some seconds later. After too many attempts, it counts as not knowing the job.
ASK_AFTER = timedelta(seconds=3)
ASK_TIMES = 12
ASK_AT_ONCE = 200
SAVE_AT_ONCE = 100
TELL_AT_ONCE = 100
SAME_JOB = timedelta(minutes=2)
KIND = "jobs"
#: Longer than any site's MinJobAge.
SLURM_REMEMBERS = timedelta(days=2)


class JobReconciler:
    def __init__(
        self,
        *,
        store: JobStore,
        ledger: Ledger,
        watcher: Watcher,
        bus: Bus,
        now: Callable[[], datetime],
        keep_days: int,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._watcher = watcher
        self._bus = bus
        self.now = now
        self._keep = timedelta(days=keep_days)
        self._records: dict[int, JobRecord] = {}
        self._seen: dict[int, tuple[Job, ...]] = {}
        self._asked: dict[int, int] = {}
        self._recent: Recent[int, JobRecord] = Recent(now)
        self._loaded = False
        self._made = HeapFreezer()
        self._lock = asyncio.Lock()
        self._seen_anew = asyncio.Event()

    async def run(self) -> None:
        """Follow the watcher forever, and settle ended jobs."""
        with resting():
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow())
                tasks.create_task(self._settle_all())

    async def _follow(self) -> None:
        async for snapshot in self._watcher.subscribe():
            if snapshot.state is not Reach.UP:
                continue
            with turn("jobs.reconcile_failed", serial=snapshot.serial):
                await self.keep(snapshot)
                self._seen_anew.set()

    async def _settle_all(self) -> None:
        while True:
            with resting():
                await self._seen_anew.wait()
            self._seen_anew.clear()
            with turn("jobs.settling_failed"):
                await self.settle()

    async def load(self) -> None:
        """Load the rows that may still change: open ones, and those that Slurm may still show."""
        recent = await self._store.open_or_ended_since(self.now() - SLURM_REMEMBERS)
        self._records = {record.job_id: record for record in recent}
        self._seen = {}
        self._loaded = True

    async def _load_once(self) -> None:
        if not self._loaded:
            await self.load()

    async def _save(self, records: Sequence[JobRecord], submission: SubmissionRecord | None = None) -> None:
        """Write rows. A failure leaves those in memory out of step with the database, so all are reloaded."""
        for at in range(0, len(records), SAVE_AT_ONCE):
            try:
                await self._store.save(records[at : at + SAVE_AT_ONCE], submission)
            except Exception:
                self._loaded = False
                self._recent.clear()
                raise

    async def find(self, job_id: int, owner: str) -> JobRecord | None:
        """Return the owner's newest job of this number, as saved."""
        return await self._store.find(job_id, owner)

    async def adopt(self, record: JobRecord, submission: SubmissionRecord | None = None) -> JobRecord:
        """Add a submitted job, whose row a snapshot may have made already, and settle its submission."""
        async with self._lock:
            await self._load_once()
            known = self._records.get(record.job_id)
            if known is not None and known.owner == record.owner and known.ended_at is None:
                for name in ("from_portal", "notify", "script", "workdir", "stdout", "stderr"):
                    setattr(known, name, getattr(record, name))
                record = known
            await self._save([record], submission)
            self._records[record.job_id] = record
        await in_slices(self._tell([record]))
        self._watcher.kick()
        return record

    def live(self, job_id: int) -> tuple[Job, ...]:
        """Return the snapshot's jobs shown under this number: one, or the tasks of an array."""
        return self._seen.get(job_id, ())

    async def learn(self, record: JobRecord, **values: str) -> None:
        """Store values of a job that no longer change, and update open pages."""
        async with self._lock:
            await self._load_once()
            record = self._records.get(record.job_id, record)
            for name, value in values.items():
                setattr(record, name, value)
            await self._save([record])
        await in_slices(self._tell([record]))

    def ended_at(self, job_id: int, task: int | None) -> datetime | None:
        """Return when a job or array task ended; None while it is active. Unknown jobs count as ended long ago."""
        if not self._loaded:
            return None
        record = self._records.get(job_id)
        jobs = self._seen.get(job_id, ())
        if record is None and not jobs:
            return datetime.min.replace(tzinfo=UTC)
        if task is None:
            return record.ended_at if record else None
        mine = next((job for job in jobs if task in arrays.expand(job.array_tasks)), None)
        if mine is None:
            return datetime.min.replace(tzinfo=UTC)
        return (mine.ends_at or self.now()) if mine.state.is_over else None

    async def keep(self, snapshot: Snapshot) -> None:
        """Update the rows from one snapshot."""
        async with self._lock:
            await self._load_once()
            groups = await in_slices(_groups(snapshot))
            changed = await in_slices(self._updates(groups))
            changed += await in_slices(self._missing(snapshot, groups))
            await self._save(changed)
            self._seen = groups
            await in_slices(self._drop(groups))
        settle_new(len(changed))
        await in_slices(self._tell(changed))

    def _updates(self, groups: dict[int, tuple[Job, ...]]) -> Generator[None, None, list[JobRecord]]:
        """Update all rows, and return those that changed."""
        changed = []
        for key, jobs in groups.items():
            if (record := self._update(key, jobs)) is not None:
                changed.append(record)
                self._made.settle(len(changed))
            yield
        return changed

    def _update(self, key: int, jobs: tuple[Job, ...]) -> JobRecord | None:
        """Update one row; None if nothing changed."""
        last = self._seen.get(key, ())
        if len(last) == len(jobs) and all(job is other for job, other in zip(last, jobs, strict=True)):
            return None
        now = self.now()
        record = self._records.get(key)
        if record is None or not _same(record, jobs[0]):
            if not any(job.is_named for job in jobs):
                return None  # its owner is known once the system can resolve users again
            record = rows.new_record(jobs, now)
            self._records[key] = record
        elif record.accounted and all(job.state.is_over for job in jobs):
            return None  # accounting's record is better
        rows.update(record, jobs, now)
        return record

    def _missing(
        self, snapshot: Snapshot, groups: dict[int, tuple[Job, ...]]
    ) -> Generator[None, None, list[JobRecord]]:
        """Mark rows whose jobs Slurm no longer shows; accounting decides how they ended."""
        as_of = snapshot.jobs_as_of
        gone = []
        for key, record in self._records.items():
            yield
            if key in groups or record.ended_at is not None or not snapshot.is_after(record.submitted_at):
                continue
            record.ended_at, record.state = record.ends_at or as_of, "UNKNOWN"
            record.array_pending = record.array_running = 0
            gone.append(record)
        return gone

    async def settle(self) -> None:
        """Ask accounting how ended jobs ended, and close their rows."""
        due = await in_slices(self._due())
        if not due:
            return
        try:
            accounts = await self._ledger.accounts([record.job_id for record in due])
        except SlurmUnavailable as error:
            log.warning("jobs.accounting_unavailable", error=error.message)
            return
        async with self._lock:
            due = [record for record in due if self._records.get(record.job_id) is record and record.ended_at]
            done = [record for record in due if self._settled(record, accounts.get(record.job_id, []))]
            await self._save(done)
        await in_slices(self._tell(done))

    def _due(self) -> Generator[None, None, list[JobRecord]]:
        now, due = self.now(), []
        for record in tuple(self._records.values()):
            if record.ended_at is not None and not record.accounted and now - record.ended_at > ASK_AFTER:
                due.append(record)
            yield
        return due[:ASK_AT_ONCE]

    def _settled(self, record: JobRecord, accounts: list[AccountingRecord]) -> bool:
        """Close a row; also if accounting still knows nothing of it after many attempts."""
        self._asked[record.job_id] = self._asked.get(record.job_id, 0) + 1
        if not close(record, accounts) and self._asked[record.job_id] < ASK_TIMES:
            return False
        record.accounted = True
        del self._asked[record.job_id]
        return True

    def _drop(self, groups: dict[int, tuple[Job, ...]]) -> Generator[None, None, None]:
        """Drop the closed rows that no snapshot will mention again."""
        for key, record in tuple(self._records.items()):
            if record.accounted and key not in groups:
                del self._records[key]
            yield

    def latest(self, owner: str) -> Event | None:
        """Return the latest changes, for a page that starts to follow now."""
        records = [record for record in self._recent.all() if record.owner == owner]
        return _news(owner, records) if records else None

    def _tell(self, changed: Sequence[JobRecord]) -> Generator[None, None, None]:
        """Notify each owner with an open page; others load everything when they open one."""
        mine: dict[str, list[JobRecord]] = defaultdict(list)
        for record in changed:
            self._recent.put(record.job_id, record)
            mine[record.owner].append(record)
            yield
        for owner, records in mine.items():
            for at in range(0, len(records), TELL_AT_ONCE):
                if self._bus.is_heard(KIND, owner):
                    self._bus.publish(_news(owner, records[at : at + TELL_AT_ONCE]))
                else:
                    self._bus.unsaid(KIND, owner)
                    break
                yield

    async def forget(self, at_most: int) -> int:
        """Delete up to `at_most` jobs past their retention; return how many."""
        return await self._store.forget(self.now() - self._keep, at_most)


def _news(owner: str, records: Iterable[JobRecord]) -> Event:
    change = JobsChange(items=[rows.render(record) for record in records], gone=[])
    return Event(KIND, change.model_dump_json(), owner=owner)


def _groups(snapshot: Snapshot) -> Generator[None, None, dict[int, tuple[Job, ...]]]:
    groups: dict[int, list[Job]] = defaultdict(list)
    for job in snapshot.jobs.values():
        if session_of(job.name) is None:
            groups[rows.key_of(job)].append(job)
        yield
    results = {}
    for key, jobs in groups.items():
        results[key] = tuple(jobs)
        yield
    return results


def _same(record: JobRecord, job: Job) -> bool:
    """Whether a row belongs to this job: Slurm's job ids start over when its state is lost."""
    if not job.may_be_of(record.owner):
        return False
    if job.submitted_at is None or record.ended_at is None:
        return True
    if abs(job.submitted_at - record.submitted_at) < SAME_JOB:
        return True
    requeued = abs(job.submitted_at - record.ended_at) < SAME_JOB  # as if submitted when its previous run ended
    return requeued and record.name == job.name
