"""The wiring of batch jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from portal.base import Base
from portal.files.service import FileService
from portal.jobs.actions import JobActions
from portal.jobs.ledger import Ledger
from portal.jobs.output import OutputReader
from portal.jobs.reconciler import JobReconciler
from portal.jobs.service import JobService
from portal.jobs.store import JobStore, SubmissionStore
from portal.jobs.tasks import Tasks as ArrayTasks
from portal.jobs.use import LiveUse
from portal.owner_locks import OwnerLocks
from portal.placement.policy_views import PolicyViews
from portal.slurm.batch import BatchSlurm


@dataclass(frozen=True)
class JobServices:
    service: JobService
    acting: JobActions
    store: JobStore
    reconciler: JobReconciler
    tasks: ArrayTasks
    outputs: OutputReader
    use: LiveUse


def wire_jobs(
    base: Base,
    *,
    files: FileService,
    locks: OwnerLocks,
    views: PolicyViews,
    meter_key: Callable[[str, str], str],
) -> JobServices:
    settings, watcher, now = base.settings, base.watcher, base.now
    batch = BatchSlurm(base.slurm, deadline_s=settings.slurm.deadline_s)
    store = JobStore(base.work)
    ledger = Ledger(batch, per_minute=settings.jobs.accounting_per_minute, calls=watcher.calls)
    reconciler = JobReconciler(
        store=store, ledger=ledger, watcher=watcher, bus=base.bus, now=now, keep_days=settings.jobs.keep_days
    )
    of_arrays = ArrayTasks(reconciler, ledger)
    return JobServices(
        service=JobService(
            settings=settings,
            slurm=batch,
            watcher=watcher,
            store=store,
            submissions=SubmissionStore(base.work),
            reconciler=reconciler,
            locks=locks,
            views=views,
            now=now,
            meter_key=meter_key,
        ),
        acting=JobActions(slurm=batch, watcher=watcher, store=store, reconciler=reconciler),
        store=store,
        reconciler=reconciler,
        tasks=of_arrays,
        outputs=OutputReader(
            files=files,
            slurm=batch,
            reconciler=reconciler,
            tasks=of_arrays,
            settings=settings.jobs,
            snapshot=lambda: watcher.snapshot,
        ),
        use=LiveUse(slurm=batch, array_tasks=of_arrays, tasks=base.tasks, settings=settings.jobs, now=now),
    )
