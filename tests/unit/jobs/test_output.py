"""Where jobs write that were submitted from a terminal, as Slurm says it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.errors import FilesUnavailable
from portal.files.types import FileChunk
from portal.jobs.endings import ending
from portal.jobs.output import OutputReader, OutputSelection
from portal.settings import Jobs
from portal.slurm.snapshot import Snapshot
from tests.unit.jobs.rows import row

ENDED = datetime(2026, 11, 3, 13, tzinfo=UTC)


class FakeSlurm:
    """Says of each job what squeue 22.05 does where neither --output nor --error is given."""

    async def outputs(self, job_id: int) -> tuple[str, str, str, str]:
        path = f"/home/alice/slurm-{job_id}.out"
        return path, path, "/home/alice", ""


class FakeReconciler:
    def ended_at(self, job_id: int, task: int | None) -> datetime:
        return ENDED

    def now(self) -> datetime:
        return ENDED + timedelta(minutes=1)

    async def learn(self, record: Any, **values: str) -> None:
        for name, value in values.items():
            setattr(record, name, value)


class FakeTasks:
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
    hands: Any = {"files": None, "slurm": FakeSlurm(), "reconciler": FakeReconciler(), "tasks": FakeTasks()}
    reader = OutputReader(**hands, settings=Jobs(), snapshot=Snapshot)
    record = row(15, array_total=total)
    assert [await reader.path(OutputSelection(record, task, file)) for file in ("stdout", "stderr")] == [path, path]
    known = "slurm-15.out" if total is None else "slurm-%A_%a.out"
    assert (record.stdout, record.stderr) == (f"/home/alice/{known}", f"/home/alice/{known}"), "Slurm forgets it"


class FakeFiles:
    """One file; notes what is read of it."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.read_: list[tuple[str, str, int, int]] = []
        self.away = False

    async def read(self, user: str, path: str, offset: int, limit: int) -> FileChunk:
        self.read_.append((user, path, offset, limit))
        if self.away:
            raise FilesUnavailable("The file system is slow or away.")
        return FileChunk(data=self.data[offset:][:limit], offset=0, size=len(self.data))


def reader_of(files: FakeFiles) -> OutputReader:
    hands: Any = {"files": files, "slurm": FakeSlurm(), "reconciler": FakeReconciler(), "tasks": FakeTasks()}
    return OutputReader(**hands, settings=Jobs(), snapshot=Snapshot)


FULL = "epoch 1\n" * 9000 + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB.\n"


async def test_failed_job_tells_that_a_gpus_memory_ran_out_and_its_output_is_read_once() -> None:
    files = FakeFiles(FULL)
    record = row(
        15, state="FAILED", exit_code=1, ended_at=ENDED, gpus=1, stdout="/home/alice/o", stderr="/home/alice/o"
    )
    for _ in range(2):
        await reader_of(files).explain(record)
    assert files.read_ == [("alice", "/home/alice/o", -16_384, 16_384)]
    end = ending(record)
    assert end is not None
    assert (end.code, end.text) == ("gpu_oom", "A GPU ran out of memory.")
    assert end.advice == "Submit it again with a smaller batch or model, or on a GPU with more memory."


async def test_failed_job_with_another_error_keeps_its_words() -> None:
    files = FakeFiles("KeyError: 'loss'\n")
    record = row(
        15, state="FAILED", exit_code=1, ended_at=ENDED, gpus=1, stdout="/home/alice/o", stderr="/home/alice/e"
    )
    for _ in range(2):
        await reader_of(files).explain(record)
    assert [path for _, path, _, _ in files.read_] == ["/home/alice/e", "/home/alice/o"]
    end = ending(record)
    assert end is not None
    assert end.code == "failed"


async def test_output_that_cannot_be_read_is_tried_again_later() -> None:
    files = FakeFiles(FULL)
    files.away = True
    record = row(
        15, state="FAILED", exit_code=1, ended_at=ENDED, gpus=1, stdout="/home/alice/o", stderr="/home/alice/o"
    )
    await reader_of(files).explain(record)
    assert record.gpu_memory is None


@pytest.mark.parametrize("more", [{"gpus": 0}, {"state": "TIMEOUT"}, {"array_range": "0-3", "array_total": 4}])
async def test_output_of_other_jobs_is_not_read(more: dict[str, Any]) -> None:
    files = FakeFiles(FULL)
    record = row(15, **({"state": "FAILED", "ended_at": ENDED, "gpus": 1, "stdout": "/o", "stderr": "/o"} | more))
    await reader_of(files).explain(record)
    assert files.read_ == []
