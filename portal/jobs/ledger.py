"""Asks accounting (sacct), within its own budget and that of all Slurm readings. Callers who arrive while a call waits
for the budget share that call.

So slurmdbd gets a few calls a minute, however many jobs end and however many arrays are viewed.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection

from portal.slurm.batch import AccountingRecord, BatchSlurm
from portal.slurm.budget import Budget

#: Calls that a quiet period saves up.
SAVED = 2.0
#: Maximum jobs per call.
MOST = 500

Accounts = dict[int, list[AccountingRecord]]


class _Question:
    def __init__(self) -> None:
        self.jobs: set[int] = set()
        self.answer: asyncio.Future[Accounts] = asyncio.get_running_loop().create_future()


class Ledger:
    """`calls` counts the calls, under `accounting`."""

    def __init__(self, slurm: BatchSlurm, *, per_minute: float, calls: Counter[str]) -> None:
        self._slurm = slurm
        self._budget = Budget(per_minute, time.monotonic, saved=SAVED)
        self._calls = calls
        self._next: _Question | None = None
        self._asking: set[asyncio.Task[None]] = set()

    async def accounts(self, job_ids: Collection[int]) -> Accounts:
        """Return what accounting knows of these jobs, once the budget allows. Raises SlurmUnavailable."""
        if not job_ids:
            return {}
        question = self._next
        if question is None or len(question.jobs) + len(job_ids) > MOST:
            question = self._next = _Question()
            task = asyncio.create_task(self._ask(question), name="accounting")
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        question.jobs.update(job_ids)
        answer = await asyncio.shield(question.answer)
        return {job_id: answer[job_id] for job_id in job_ids if job_id in answer}

    async def _ask(self, question: _Question) -> None:
        await self._budget.take()
        async with self._slurm.budget.reading():
            if self._next is question:
                self._next = None
            self._calls["accounting"] += 1
            try:
                question.answer.set_result(await self._slurm.accounts(question.jobs))
            except Exception as error:
                question.answer.set_exception(error)
                question.answer.exception()  # the caller may be gone
