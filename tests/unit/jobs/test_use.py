"""Use of running jobs: measured once for all viewers, bounded, and "unknown" where it cannot be measured."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.errors import SlurmRefused
from portal.jobs import use as module
from portal.jobs.schemas import LiveUseOut
from portal.jobs.use import LiveUse
from portal.settings import Jobs
from portal.slurm import error_messages
from portal.tasks import Tasks
from tests.unit.jobs.rows import row

START = datetime(2026, 11, 3, 12, tzinfo=UTC)


def line(node: str, **more: Any) -> str:
    return json.dumps({"node": node, "cpu_percent": 150.0, "memory_mib": 900, "gpus": [], **more})


class FakeSlurm:
    """Fake steps: the running one reports what the test puts in."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int, int]] = []
        self.ended = 0
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self.refuses = False
        self.fails = ""

    async def use(self, user: str, job_id: int, nodes: int, life_s: int) -> AsyncGenerator[str]:
        self.begun.append((user, job_id, nodes))
        return self._use()

    async def _use(self) -> AsyncGenerator[str]:
        if self.refuses:
            raise SlurmRefused("srun: error: no.")
        try:
            while True:
                text = await self.lines.get()
                if self.fails:
                    raise error_messages.error_for(self.fails)
                yield text
        finally:
            self.ended += 1


class FakeTasks:
    """The tasks of an array: task 3 runs as job 107, nothing else does."""

    async def raw(self, record: Any, task: int | None) -> tuple[int | None, None]:
        return (record.job_id if task is None else 107), None

    async def one(self, record: Any, task: int) -> Any:
        return type("Row", (), {"state": "RUNNING" if task == 3 else "PENDING", "ended_at": None})


class Harness:
    def __init__(self) -> None:
        self.slurm, self.tasks, self.now = FakeSlurm(), Tasks(), START
        slurm: Any = self.slurm
        array_tasks: Any = FakeTasks()
        self.use = LiveUse(
            slurm=slurm, array_tasks=array_tasks, tasks=self.tasks,
            settings=Jobs(max_watched=2), now=lambda: self.now, steady=lambda: self.now,
        )  # fmt: skip

    async def look(self, job_id: int = 7, task: int | None = None, **more: Any) -> LiveUseOut:
        use = await self.use.look(row(job_id, **({"state": "RUNNING", "cpus": 8, "nodes": 2} | more)), task)
        await asyncio.sleep(0)
        return use

    async def tell(self, *lines: str) -> None:
        for line in lines:
            self.slurm.lines.put_nowait(line)
        while not self.slurm.lines.empty():
            await asyncio.sleep(0)
        await asyncio.sleep(0)


@pytest.fixture
async def harness() -> AsyncIterator[Harness]:
    made = Harness()
    yield made
    await made.tasks.close()


async def test_job_is_watched_once_for_all_who_look_and_no_longer_than_they_do(harness: Harness) -> None:
    assert (await harness.look()).state == "starting"
    await harness.look()
    await harness.tell(line("node001"), line("node002", cpu_percent=3.0))
    use = await harness.look(memory_mib=4096)
    assert (use.state, [node.node for node in use.nodes], use.as_of) == ("live", ["node001", "node002"], START)
    assert (use.nodes[0].cpu_percent, use.nodes[0].cores) == (150.0, 4.0)
    assert harness.slurm.begun == [("alice", 7, 2)]
    harness.now += timedelta(seconds=19)
    await harness.tell(line("node001"))
    assert harness.slurm.ended == 0
    harness.now += timedelta(seconds=2)
    await harness.tell(line("node001"))
    assert harness.slurm.ended == 1
    assert (await harness.look()).state == "starting"
    assert len(harness.slurm.begun) == 2


async def test_gpus_have_their_processes_and_their_problems_in_words(harness: Harness) -> None:
    process = {"pid": 17, "name": "python train.py", "memory_mib": 9000}
    gpu = {"index": 0, "uuid": "GPU-1", "name": "H100", "utilization": 71.0, "processes": [process], "xids": [31]}
    await harness.look()
    await harness.tell(line("node001", gpus=[gpu], gpu_problems=["All is lost."]))
    (node,) = (await harness.look()).nodes
    assert [told.model_dump() for told in node.gpus[0].processes] == [process]
    (problem,) = node.gpu_problems
    assert problem.startswith("GPU 0: Xid 31, a program accessed memory that is not its own.")


async def test_what_cannot_be_told_is_unknown_and_not_tried_again_at_once(harness: Harness) -> None:
    harness.slurm.refuses = True
    await harness.look()
    use = await harness.look()
    assert (use.state, use.message, use.nodes) == ("unknown", "srun: error: no.", [])
    await harness.look()
    assert len(harness.slurm.begun) == 1
    harness.now += timedelta(seconds=61)
    await harness.look()
    assert len(harness.slurm.begun) == 2


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize(
    "complaint",
    ["srun: error: node001: task 0: Terminated", "srun: error: node[001-002]: tasks 0-1: Killed",
     "srun: error: Unable to create step for job 7: Job/step already completing or completed",
     "srun: error: Unable to confirm allocation for job 7: Invalid job id specified"],
)  # fmt: skip
async def test_end_of_a_watched_job_is_no_failure(harness: Harness, complaint: str, live: bool) -> None:
    assert (await harness.look()).state == "starting"
    if live:
        await harness.tell(line("node001"))
        assert (await harness.look()).state == "live"
    harness.slurm.fails = complaint
    await harness.tell(line("node001"))
    use = await harness.look()
    assert (use.state, use.message) == ("idle", None)
    assert len(harness.slurm.begun) == 1
    harness.now += timedelta(seconds=11)
    assert (await harness.look()).state == "idle"
    assert len(harness.slurm.begun) == 2, "if it still runs, it is watched again"


async def test_silent_nodes_are_unknown(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENT_S", 0.01)
    await harness.look()
    await asyncio.sleep(0.05)
    assert (await harness.look()).message == "Its nodes did not report in time."


async def test_lines_that_a_user_made_up_change_nothing(harness: Harness) -> None:
    await harness.look()
    odd = [
        "",
        "no json",
        "[]",
        "null",
        line("../x"),
        line("n", cpu_percent=-1),
        line("n", gpus="x"),
    ]
    await harness.tell(*odd)
    assert (await harness.look()).state == "starting"
    await harness.tell(*(line(f"node{number:03}") for number in range(500)))
    assert len((await harness.look()).nodes) == 2


async def test_watches_are_bounded_and_jobs_that_do_not_run_are_left_alone(harness: Harness) -> None:
    assert (await harness.look(1)).state == "starting"
    assert (await harness.look(2)).state == "starting"
    assert "The use of too many jobs is being measured" in str((await harness.look(3)).message)
    assert "more than 256 nodes" in str((await harness.look(4, nodes=300)).message)
    assert (await harness.look(5, state="PENDING")).state == "idle"
    assert (await harness.look(6, state="RUNNING", ended_at=START)).state == "idle"
    assert len(harness.slurm.begun) == 2


async def test_of_an_array_one_task_is_watched(harness: Harness) -> None:
    assert (await harness.look(100, array_total=10)).state == "idle"
    assert (await harness.look(100, 4, array_total=10)).state == "idle"
    assert (await harness.look(100, 3, array_total=10)).state == "starting"
    assert harness.slurm.begun == [("alice", 107, 2)]
