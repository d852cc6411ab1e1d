"""The wiring of batch jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from portal.base import Base
from portal.files.service import FileService
from portal.jobs.acting import Acting
from portal.jobs.keeper import Keeper
from portal.jobs.ledger import Ledger
from portal.jobs.output import OutputReader
from portal.jobs.service import JobService
from portal.jobs.store import JobStore, SubmissionStore
from portal.jobs.tasks import Tasks as ArrayTasks
from portal.jobs.use import LiveUse
from portal.policy.view import ClusterView, UserView
from portal.slurm.batch import BatchSlurm


@dataclass(frozen=True)
class JobRoom:
    service: JobService
    acting: Acting
    store: JobStore
    keeper: Keeper
    tasks: ArrayTasks
    outputs: OutputReader
    use: LiveUse


def job_room(
    base: Base,
    *,
    files: FileService,
    view: Callable[[str], Awaitable[UserView]],
    cluster: Callable[[], Awaitable[ClusterView]],
) -> JobRoom:
    settings, watcher, now = base.settings, base.watcher, base.now
    batch = BatchSlurm(base.slurm, deadline_s=settings.slurm.deadline_s)
    store = JobStore(base.work)
    ledger = Ledger(batch, per_minute=settings.jobs.accounting_per_minute, calls=watcher.calls)
    keeper = Keeper(
        store=store, ledger=ledger, watcher=watcher, bus=base.bus, now=now, keep_days=settings.jobs.keep_days
    )
    of_arrays = ArrayTasks(keeper, ledger)
    return JobRoom(
        service=JobService(
            settings=settings,
            slurm=batch,
            watcher=watcher,
            store=store,
            submissions=SubmissionStore(base.work),
            keeper=keeper,
            view=view,
            cluster=cluster,
            now=now,
        ),
        acting=Acting(slurm=batch, watcher=watcher, store=store, keeper=keeper),
        store=store,
        keeper=keeper,
        tasks=of_arrays,
        outputs=OutputReader(files=files, slurm=batch, keeper=keeper, tasks=of_arrays, settings=settings.jobs),
        use=LiveUse(slurm=batch, array_tasks=of_arrays, tasks=base.tasks, settings=settings.jobs, now=now),
    )
