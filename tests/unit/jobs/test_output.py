"""Where jobs write that were submitted from a terminal, as Slurm says it."""

from __future__ import annotations

from typing import Any

import pytest

from portal.jobs.output import OutputReader, Wanted
from portal.settings import Jobs
from tests.unit.jobs.rows import row


class HandSlurm:
    """Says of each job what squeue 22.05 does where neither --output nor --error is given."""

    async def outputs(self, job_id: int) -> tuple[str, str, str, str]:
        path = f"/home/alice/slurm-{job_id}.out"
        return path, path, "/home/alice", ""


class HandReconciler:
    async def learn(self, record: Any, **values: str) -> None:
        for name, value in values.items():
            setattr(record, name, value)


class HandTasks:
    async def raw(self, record: Any, task: int | None) -> tuple[int, str]:
        return record.job_id + (task or 0) + 1 if task is not None else record.job_id, "node001"


@pytest.mark.parametrize(
    ("total", "task", "path"),
    [
        (None, None, "/home/alice/slurm-15.out"),
        (2, 0, "/home/alice/slurm-15_0.out"),
        (2, 1, "/home/alice/slurm-15_1.out"),
    ],
)
async def test_output_of_the_terminals_jobs_is_found(total: int | None, task: int | None, path: str) -> None:
    hands: Any = {"files": None, "slurm": HandSlurm(), "reconciler": HandReconciler(), "tasks": HandTasks()}
    reader = OutputReader(**hands, settings=Jobs())
    record = row(15, array_total=total)
    assert [await reader.path(Wanted(record, task, file)) for file in ("stdout", "stderr")] == [path, path]
    known = "slurm-15.out" if total is None else "slurm-%A_%a.out"
    assert (record.stdout, record.stderr) == (f"/home/alice/{known}", f"/home/alice/{known}"), "Slurm forgets it"
