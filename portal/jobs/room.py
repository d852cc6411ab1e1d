"""The wiring of batch jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from portal.db.engine import UnitOfWork
from portal.events.bus import Bus
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
from portal.settings import Settings
from portal.slurm.batch import BatchSlurm
from portal.slurm.commands import SlurmCommands
from portal.slurm.watcher import Watcher
from portal.tasks import Tasks


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
    *,
    settings: Settings,
    work: UnitOfWork,
    bus: Bus,
    slurm: SlurmCommands,
    watcher: Watcher,
    files: FileService,
    view: Callable[[str], Awaitable[UserView]],
    cluster: Callable[[], Awaitable[ClusterView]],
    tasks: Tasks,
    now: Callable[[], datetime],
) -> JobRoom:
    batch = BatchSlurm(slurm, deadline_s=settings.slurm.deadline_s)
    store = JobStore(work)
    ledger = Ledger(batch, per_minute=settings.jobs.accounting_per_minute, calls=watcher.calls)
    keeper = Keeper(store=store, ledger=ledger, watcher=watcher, bus=bus, now=now, keep_days=settings.jobs.keep_days)
    of_arrays = ArrayTasks(keeper, ledger)
    return JobRoom(
        service=JobService(
            settings=settings,
            slurm=batch,
            watcher=watcher,
            store=store,
            submissions=SubmissionStore(work),
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
        use=LiveUse(slurm=batch, array_tasks=of_arrays, tasks=tasks, settings=settings.jobs, now=now),
    )
