"""The rows of jobs follow Slurm's snapshot: counts, ends, restarts, and what Slurm has forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from portal.db import migrate
from portal.db.engine import make_engine, unit_of_work
from portal.errors import SlurmUnavailable
from portal.events.bus import Bus, Reader
from portal.jobs import rows
from portal.jobs.detail import detail
from portal.jobs.models import JobRecord
from portal.jobs.reconciler import JobReconciler
from portal.jobs.store import JobStore
from portal.slurm.batch import AccountingRecord
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Reach, Snapshot

START = datetime(2026, 11, 3, 12, tzinfo=UTC)


class FakeAccounting:
    """A fake accounting that reports what the test puts in."""

    def __init__(self) -> None:
        self.known: dict[int, list[AccountingRecord]] = {}
        self.asked: list[set[int]] = []
        self.silent = False

    async def accounts(self, job_ids: Collection[int]) -> dict[int, list[AccountingRecord]]:
        self.asked.append(set(job_ids))
        if self.silent:
            raise SlurmUnavailable("slurmdbd is away.")
        return {key: self.known[key] for key in job_ids if key in self.known}


def job(job_id: int, state: JobState = JobState.PENDING, **more: Any) -> Job:
    values: dict[str, Any] = {
        "name": "train", "user": "alice", "account": "physics", "partition": "sxm2", "qos": "normal",
        "submitted_at": START, "memory_mib": 1000, "cpus": 2, "time_limit_s": 600,
    }  # fmt: skip
    return Job(id=job_id, state=state, **(values | more))


def account(job_id: int, state: JobState, tasks: str = "", **more: Any) -> AccountingRecord:
    values: dict[str, Any] = {
        "raw_id": job_id, "exit_code": 0, "signal": None, "cancelled_by_uid": None, "nodes": "node001",
        "started_at": START, "ended_at": START + timedelta(minutes=5), "held_cpu_s": 600.0, "used_cpu_s": 300.0,
        "max_memory_mib": 250, "gpu_percent": None,
    }  # fmt: skip
    return AccountingRecord(job_id=job_id, tasks=tasks, state=state, **(values | more))


class Harness:
    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self.work = unit_of_work(self.engine)
        self.store = JobStore(self.work)
        self.slurm = FakeAccounting()
        self.bus = Bus()
        self.now = START
        self.reconciler = self.begin()

    def begin(self) -> JobReconciler:
        """a reconciler that has just been started."""
        watcher: Any = SimpleNamespace(kick=lambda: None)
        accounting: Any = self.slurm
        return JobReconciler(
            store=self.store, ledger=accounting, watcher=watcher, bus=self.bus, now=lambda: self.now, keep_days=365
        )

    async def see(self, *jobs: Job, after_s: float = 5) -> None:
        self.now += timedelta(seconds=after_s)
        snapshot = Snapshot(jobs={job.id: job for job in jobs}, jobs_as_of=self.now, state=Reach.UP)
        await self.reconciler.keep(snapshot)
        await self.reconciler.settle()

    async def row(self, job_id: int) -> JobRecord:
        record = await self.store.find(job_id, "alice")
        assert record is not None
        return record


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'portal.sqlite'}"
    migrate.upgrade(url)
    made = Harness(url)
    yield made
    await made.engine.dispose()


async def test_job_is_followed_from_the_queue_to_what_it_used(harness: Harness) -> None:
    await harness.see(job(7, reason="Priority"))
    assert (await harness.row(7)).reason == "Jobs with a higher priority are ahead of it."
    await harness.see(job(7, JobState.RUNNING, nodes="node001", started_at=START))
    assert (await harness.row(7)).reason is None
    ended = job(7, JobState.COMPLETED, nodes="node001", started_at=START, ends_at=harness.now, exit_code=0)
    await harness.see(ended)
    assert rows.render(await harness.row(7)).efficiency is None
    harness.slurm.known[7] = [account(7, JobState.COMPLETED)]
    await harness.see(ended)
    shown = rows.render(await harness.row(7))
    assert shown.end
    assert shown.end.code == "finished"
    assert shown.efficiency
    assert (shown.efficiency.cpu_percent, shown.efficiency.memory_percent) == (50.0, 25.0)
    asked = len(harness.slurm.asked)
    await harness.see(ended)
    await harness.see()
    assert len(harness.slurm.asked) == asked


async def test_unchanged_snapshot_is_told_as_nothing_and_changes_only_to_their_owner(harness: Harness) -> None:
    def reads(owner: str) -> Any:
        return harness.bus.reader(lambda event: event.owner == owner)

    async def told(reader: Reader) -> list[str]:
        reader.put(None)
        return [item["id"] for event in [event async for event in reader] for item in json.loads(event.data)["items"]]

    mine, theirs = job(7), job(8, user="bob")
    with reads("alice") as alice, reads("bob") as bob:
        await harness.see(mine, theirs)
        await harness.see(mine, theirs)
        await harness.see(replace(mine, reason="Resources"), theirs)
        assert await told(alice) == ["7", "7"]
        assert await told(bob) == ["8"]


async def test_page_that_begins_to_follow_hears_what_has_just_changed(harness: Harness) -> None:
    def told(owner: str) -> list[tuple[str, str]]:
        event = harness.reconciler.latest(owner)
        return [(item["id"], item["state"]) for item in json.loads(event.data)["items"]] if event else []

    waiting, running, theirs = job(7), job(8, JobState.RUNNING, started_at=START), job(9, user="bob")
    await harness.see(waiting, job(8), theirs)
    await harness.see(waiting, running, theirs, after_s=50)
    assert told("alice") == [("7", "PENDING"), ("8", "RUNNING")]
    assert told("bob") == [("9", "PENDING")]
    await harness.see(waiting, running, theirs, after_s=50)
    assert (told("alice"), told("bob")) == ([("8", "RUNNING")], [])


async def test_sessions_are_no_batch_jobs(harness: Harness) -> None:
    await harness.see(job(7, name="dsp-abcdefghijkl"))
    assert await harness.store.find(7, None) is None


def task(number: int, state: JobState, job_id: int) -> Job:
    return job(job_id, state, array_job_id=100, array_tasks=str(number), nodes="node001", started_at=START)


async def test_array_is_one_row_whose_counts_survive_what_slurm_forgets(harness: Harness) -> None:
    waiting = job(100, array_job_id=100, array_tasks="3-9%3")
    await harness.see(waiting, *(task(number, JobState.RUNNING, 101 + number) for number in range(3)))
    record = await harness.row(100)
    assert (record.array_total, record.array_pending, record.array_running) == (10, 7, 3)
    await harness.see(
        waiting,
        task(0, JobState.COMPLETED, 101),
        task(1, JobState.FAILED, 102),
        task(2, JobState.RUNNING, 103),
    )
    await harness.see(replace(waiting, array_tasks="3-4%3"), task(2, JobState.RUNNING, 103))  # 0 and 1 are forgotten
    record = await harness.row(100)
    counts = (record.array_pending, record.array_running, record.array_done, record.array_failed)
    assert counts == (2, 1, 1, 1)
    assert record.array_cancelled == 5  # 5 to 9 were cancelled before they began, of which Slurm says nothing
    assert len(await harness.store.page("alice", state="all", query="", limit=50, before=None)) == 1


async def test_end_of_an_array_is_what_accounting_says(harness: Harness) -> None:
    await harness.see(task(0, JobState.RUNNING, 100), job(101, array_job_id=100, array_tasks="1-3"))
    harness.slurm.known[100] = [
        account(100, JobState.COMPLETED, "0"),
        account(100, JobState.TIMEOUT, "1"),
        account(100, JobState.CANCELLED, "2-3"),
    ]
    await harness.see()
    await harness.see()
    record = await harness.row(100)
    assert (record.state, record.array_done, record.array_failed, record.array_cancelled) == ("TIMEOUT", 1, 1, 2)


async def test_job_that_ended_while_the_portal_was_away_is_closed_from_accounting(harness: Harness) -> None:
    await harness.see(job(7, JobState.RUNNING, started_at=START))
    harness.reconciler = harness.begin()
    await harness.reconciler.load()
    harness.slurm.known[7] = [account(7, JobState.OUT_OF_MEMORY)]
    await harness.see(after_s=3600)
    await harness.see()
    assert (await harness.row(7)).state == "OUT_OF_MEMORY"


async def test_job_that_nobody_knows_of_is_closed_as_such_in_the_end(harness: Harness) -> None:
    await harness.see(job(7, JobState.RUNNING, started_at=START))
    for _ in range(20):
        await harness.see()
    shown = rows.render(await harness.row(7))
    assert shown.end
    assert shown.end.code == "gone"
    asked = len(harness.slurm.asked)
    await harness.see()
    assert len(harness.slurm.asked) == asked


async def test_silent_accounting_decides_nothing(harness: Harness) -> None:
    await harness.see(job(7, JobState.RUNNING, started_at=START))
    harness.slurm.silent = True
    for _ in range(20):
        await harness.see()
    harness.slurm.silent = False
    harness.slurm.known[7] = [account(7, JobState.COMPLETED)]
    await harness.see()
    assert (await harness.row(7)).state == "COMPLETED"


async def test_restart_makes_no_second_row_of_a_job_that_slurm_still_shows(harness: Harness) -> None:
    ended = job(7, JobState.COMPLETED, started_at=START, ends_at=START, exit_code=0)
    harness.slurm.known[7] = [account(7, JobState.COMPLETED)]
    await harness.see(ended)
    await harness.see(ended)
    harness.reconciler = harness.begin()
    await harness.reconciler.load()
    await harness.see(ended)
    records = await harness.store.page("alice", state="all", query="", limit=50, before=None)
    assert [(record.job_id, record.state) for record in records] == [(7, "COMPLETED")]


async def test_number_that_slurm_gives_anew_is_another_job(harness: Harness) -> None:
    harness.slurm.known[7] = [account(7, JobState.FAILED)]
    await harness.see(job(7, JobState.FAILED, ends_at=START))
    await harness.see(job(7, JobState.FAILED, ends_at=START))
    await harness.see(job(7, submitted_at=START + timedelta(days=1), name="other"), after_s=86_400)
    records = await harness.store.page("alice", state="all", query="", limit=50, before=None)
    assert [(record.name, record.state) for record in records] == [("other", "PENDING"), ("train", "FAILED")]


@pytest.mark.parametrize("unnamed", ["nobody", "52001"])
async def test_job_first_seen_without_a_name_is_its_owners_when_the_name_is_known(
    harness: Harness, unnamed: str
) -> None:
    await harness.see(job(7, user=unnamed), job(8, user="bob"))
    for owner in (unnamed, "alice"):
        assert await harness.store.page(owner, state="all", query="", limit=50, before=None) == []
    await harness.see(job(7), job(8, user="bob"))
    records = await harness.store.page("alice", state="all", query="", limit=50, before=None)
    assert [(record.job_id, record.submitted_at) for record in records] == [(7, START)]
    await harness.see(job(7, JobState.RUNNING, user=unnamed, started_at=START), job(8, user="bob"))
    [mine] = await harness.store.page("alice", state="all", query="", limit=50, before=None)
    assert mine.state == "RUNNING", "a row that has its owner keeps it"


async def test_array_is_its_owners_as_soon_as_one_task_has_a_name(harness: Harness) -> None:
    tasks = {"array_job_id": 7, "array_tasks": "1"}
    await harness.see(job(8, user="nobody", **tasks), job(7, **(tasks | {"array_tasks": "2"})))
    [mine] = await harness.store.page("alice", state="all", query="", limit=50, before=None)
    assert (mine.job_id, mine.owner) == (7, "alice")


async def test_submitted_job_keeps_its_script_whoever_sees_it_first(harness: Harness) -> None:
    await harness.see(job(7))
    record = rows.new_record([job(7)], harness.now)
    rows.update(record, [job(7)], harness.now)
    record.script, record.from_portal = "#!/bin/bash\n", True
    await harness.reconciler.adopt(record)
    await harness.see(job(7, JobState.RUNNING, started_at=START))
    records = await harness.store.page("alice", state="active", query="bin/bash", limit=50, before=None)
    assert [(record.script, record.state) for record in records] == [("#!/bin/bash\n", "RUNNING")]


async def test_history_is_searched_by_words_numbers_and_never_by_patterns(harness: Harness) -> None:
    await harness.see(job(7, name="bert_fine"), job(8, name="bertxfine"), job(9, user="bob", name="bert_fine"))

    async def found(query: str) -> list[int]:
        return [
            record.job_id
            for record in await harness.store.page("alice", state="all", query=query, limit=9, before=None)
        ]

    assert await found("bert_fine") == [7]
    assert await found("8") == [8]
    assert sorted(await found("BERT sxm2")) == [7, 8]
    assert await found("%") == []


async def test_requeued_job_is_the_same_job_and_goes_on(harness: Harness) -> None:
    await harness.see(job(7, JobState.RUNNING, nodes="node001", started_at=START))
    end = START + timedelta(hours=1)
    failed = job(7, JobState.NODE_FAIL, nodes="node001", started_at=START, ends_at=end)
    await harness.see(failed, after_s=3600)
    harness.slurm.known[7] = [account(7, JobState.NODE_FAIL, ended_at=end)]
    await harness.see(failed)
    assert (await harness.row(7)).accounted
    await harness.see(job(7, submitted_at=end, reason="BeginTime"))
    records = await harness.store.page("alice", state="active", query="", limit=9, before=None)
    assert [(record.job_id, record.state, record.ended_at, record.used_memory_mib) for record in records] == [
        (7, "PENDING", None, None)
    ]
    assert not await harness.store.page("alice", state="ended", query="", limit=9, before=None)
    assert records[0].reason == rows.REQUEUED


async def test_history_of_a_requeued_job_keeps_its_earlier_runs(harness: Harness) -> None:
    await harness.see(job(7, reason="BeginTime"))
    assert (await harness.row(7)).reason == "It has not reached its begin time."
    await harness.see(job(7, JobState.RUNNING, nodes="node001", started_at=START))
    for reason in ("BeginTime", "Priority"):
        await harness.see(job(7, reason=reason), after_s=60)
    assert (await harness.row(7)).reason == "Jobs with a higher priority are ahead of it."
    again = harness.now
    await harness.see(job(7, JobState.RUNNING, nodes="node002", started_at=again))
    shown = detail(await harness.row(7), None, None)
    assert [event.text for event in shown.events] == [
        "Submitted.",
        "Started on node001.",
        "Put back in the queue.",
        "Started on node002.",
    ]
    assert shown.started_at == again


async def test_job_that_slurm_did_not_show_for_a_moment_goes_on(harness: Harness) -> None:
    running = job(7, JobState.RUNNING, nodes="node001", started_at=START)
    await harness.see(running)
    await harness.see()
    await harness.see(running)
    assert ((await harness.row(7)).state, (await harness.row(7)).ended_at) == ("RUNNING", None)


class Refusing(JobStore):
    """A database that refuses what it is given to write, while `refuses`."""

    refuses = False

    async def save(self, records: Sequence[JobRecord], submission: object = None) -> None:
        held = list(records)
        async with self._work() as db:
            db.add_all(held)
            await db.flush()
            if self.refuses:
                raise OperationalError("UPDATE", {}, Exception("database is locked"))


async def test_change_that_could_not_be_written_is_written_and_told_with_the_next_snapshot(harness: Harness) -> None:
    harness.store = store = Refusing(harness.work)
    harness.reconciler = harness.begin()
    await harness.reconciler.load()
    waiting = job(100, array_job_id=100, array_tasks="0-999%4")
    await harness.see(waiting)
    half = replace(waiting, array_tasks="0-499%4")
    store.refuses = True
    with pytest.raises(OperationalError):
        await harness.see(half)
    store.refuses = False
    with harness.bus.reader(lambda event: event.owner == "alice") as alice:
        await harness.see(half)
        event = await alice.next(1)
    assert event
    assert json.loads(event.data)["items"][0]["array"]["cancelled"] == 500
    assert (await harness.row(100)).array_cancelled == 500


async def test_many_changes_are_told_in_pieces_and_written_only_for_those_who_read(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    render = rows.render
    monkeypatch.setattr(rows, "render", lambda record: written.append(record.owner) or render(record))
    jobs = [job(number) for number in range(1, 251)] + [job(number, user="bob") for number in range(251, 501)]
    with harness.bus.reader(lambda event: event.kind == "jobs" and event.owner == "alice") as alice:
        await harness.see(*jobs)
        alice.put(None)
        items = [json.loads(event.data)["items"] async for event in alice]
    assert [len(items) for items in items] == [100, 100, 50]
    assert {item["id"] for items in items for item in items} == {str(number) for number in range(1, 251)}
    assert set(written) == {"alice"}
