"""The tasks of a job array, one row each: from Slurm's snapshot, or from accounting once Slurm has forgotten them."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from portal.errors import SlurmUnavailable
from portal.jobs import arrays, closing, rows
from portal.jobs.ledger import Ledger
from portal.jobs.models import JobRecord
from portal.jobs.reconciler import JobReconciler
from portal.jobs.schemas import JobRow
from portal.slurm.batch import AccountingRecord
from portal.slurm.jobs import Job

FRESH_S = 30.0
KEPT = 64
_OF_THE_ARRAY = frozenset({"id", "started_at", "ended_at", "exit_code", "signal", "cancelled_by"})
_STATES: dict[str, Callable[[JobRow], bool]] = {
    "all": lambda _: True,
    "pending": lambda row: row.started_at is None and row.ended_at is None,
    "running": lambda row: row.started_at is not None and row.ended_at is None,
    "active": lambda row: row.ended_at is None,
    "ended": lambda row: row.ended_at is not None,
    "failed": lambda row: row.ended_at is not None and row.state != "COMPLETED",
}


class Tasks:
    """Caches `accounts` for a short while: many pages of one array share one call."""

    def __init__(self, reconciler: JobReconciler, ledger: Ledger) -> None:
        self._reconciler = reconciler
        self.ledger = ledger
        self._known: OrderedDict[int, tuple[float, list[AccountingRecord]]] = OrderedDict()

    async def page(self, record: JobRecord, *, state: str, limit: int, after: int) -> tuple[list[JobRow], int | None]:
        """Return up to `limit` tasks with numbers above `after`, and the `after` of the next page."""
        rows: list[JobRow] = []
        for task, make in sorted((await self._tasks(record)).items()):
            if task <= after:
                continue
            row = make()
            if _STATES[state](row):
                if len(rows) == limit:
                    return rows, int(rows[-1].id.partition("_")[2])
                rows.append(row)
        return rows, None

    async def one(self, record: JobRecord, task: int) -> JobRow | None:
        make = (await self._tasks(record)).get(task)
        return make() if make else None

    async def raw(self, record: JobRecord, task: int | None) -> tuple[int | None, str | None]:
        """Return Slurm's own id of a task (or of the job), and its first node, as far as known."""
        if task is None:
            return record.job_id, first_node(record.node_list)
        for job in self._reconciler.live(record.job_id):
            if job.array_tasks == str(task):
                return job.id, first_node(job.nodes)
        for account in await self._accounts(record):
            if account.tasks == str(task):
                return account.raw_id, first_node(account.nodes)
        return None, None

    async def _tasks(self, record: JobRecord) -> dict[int, Callable[[], JobRow]]:
        """Return a function for each task that builds its row; most are never called."""
        rows_by_task: dict[int, Callable[[], JobRow]] = {}
        for job in self._reconciler.live(record.job_id):
            for task in arrays.expand(job.array_tasks):
                rows_by_task[task] = partial(_live, record, task, job)
        if len(rows_by_task) < (record.array_total or 0):
            for account in await self._accounts(record):
                for task in arrays.expand(account.tasks):
                    rows_by_task.setdefault(task, partial(_past, record, task, account))
        return rows_by_task

    async def _accounts(self, record: JobRecord) -> list[AccountingRecord]:
        key, now = record.job_id, time.monotonic()
        known = self._known.get(key)
        if known is None or now - known[0] > FRESH_S:
            try:
                known = (now, (await self.ledger.accounts([key])).get(key, []))
            except SlurmUnavailable:
                known = (now, known[1] if known else [])
            self._known[key] = known
            self._known.move_to_end(key)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return known[1]


def _live(record: JobRecord, task: int, job: Job) -> JobRow:
    row = _alone(record)
    rows.update(row, [_single(job)], record.submitted_at)
    return _named(row, record, task)


def _past(record: JobRecord, task: int, account: AccountingRecord) -> JobRow:
    row = _alone(record)
    row.accounted = True
    closing.close(row, [account])
    return _named(row, record, task)


def _alone(record: JobRecord) -> JobRecord:
    """Return a row for one task, as requested; it is not part of the database."""
    copied = {
        column.key: getattr(record, column.key)
        for column in JobRecord.__table__.columns
        if not column.key.startswith(("array_", "used_", "held_")) and column.key not in _OF_THE_ARRAY
    }
    return JobRecord(**copied, array_pending=0, array_running=0, array_done=0, array_failed=0, array_cancelled=0)


def _single(job: Job) -> Job:
    return replace(job, array_job_id=None, array_tasks="")


def _named(one: JobRecord, record: JobRecord, task: int) -> JobRow:
    return rows.render(one).model_copy(update={"id": f"{record.job_id}_{task}"})


def first_node(nodes: str) -> str | None:
    """`node[003-005,7],x1` → `node003`."""
    head, bracket, rest = nodes.partition("[")
    if not bracket or "," in head:
        return head.split(",")[0] or None
    number = rest.split("]")[0].split(",")[0].split("-")[0]
    return f"{head}{number}"
