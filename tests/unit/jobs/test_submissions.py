"""A batch job is written before Slurm is asked: none is lost, none is submitted twice, nothing untrue is said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import DBAPIError

from portal.db.engine import make_engine, unit_of_work
from portal.errors import OutcomeUnknown, SlurmRefused, SlurmUnavailable
from portal.events.bus import Bus
from portal.idempotency.service import IdempotencyKeys, Key
from portal.jobs import rows
from portal.jobs.models import JobRecord, SubmissionRecord, SubmissionState
from portal.jobs.reconciler import JobReconciler
from portal.jobs.script.parse import Script, parse
from portal.jobs.store import JobStore, SubmissionStore
from portal.jobs.submissions import Submissions
from portal.policy.demand import Demand
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Reach, Snapshot

START = datetime(2026, 11, 3, 12, tzinfo=UTC)
SCRIPT = "#!/bin/bash\n#SBATCH --job-name=train\nhostname\n"
KEY = Key("one-form-sent-once", "digest")


class Died(BaseException):
    """The portal is killed here."""


def job_of(job_id: int, user: str, comment: str, at: datetime) -> Job:
    return Job(
        id=job_id, state=JobState.PENDING, name="train", user=user, submitted_at=at, comment=comment,
        account="physics", partition="sxm2", qos="normal",
    )  # fmt: skip


class FakeSlurm:
    """Slurm by hand: what it took, how it answers, and what accounting remembers of it."""

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}
        self.accounts: dict[str, int] = {}
        self.keeps = True
        self.answer: BaseException | None = None
        self.takes = True
        self.now = START

    async def submit(self, user: str, script: str, workdir: Any, partition: Any, token: str | None, _: Any) -> int:
        if self.takes:
            job_id = 7 + len(self.jobs)
            self.jobs[job_id] = job_of(job_id, user, f"portal:{token}" if token else "mine", self.now)
            if token:
                self.accounts[token] = job_id
        if self.answer is not None:
            raise self.answer
        return job_id

    async def submitted(self, _user: str, token: str, _since: datetime) -> int | None:
        return self.accounts.get(token)

    async def keeps_accounts(self) -> bool:
        return self.keeps


class FakeWatcher:
    def kick(self) -> None:
        return None


class Harness:
    """A portal's jobs, that can be killed and started again."""

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self.work = unit_of_work(self.engine)
        self.slurm = FakeSlurm()
        self.start()

    def start(self) -> None:
        watcher: Any = FakeWatcher()
        slurm: Any = self.slurm
        ledger: Any = None
        self.store = SubmissionStore(self.work)
        self.reconciler = JobReconciler(
            store=JobStore(self.work), ledger=ledger, watcher=watcher, bus=Bus(), now=self.now, keep_days=365
        )
        self.submissions = Submissions(
            store=self.store,
            slurm=slurm,
            watcher=watcher,
            reconciler=self.reconciler,
            made=made,
            meter=lambda _: None,
            now=self.now,
        )

    def now(self) -> datetime:
        return self.slurm.now

    async def submit(self, script: str = SCRIPT, key: Key | None = None) -> JobRecord:
        read = parse(script)
        submission = await self.submissions.add("alice", read, None, Demand(gpus=0, gpu_hours=0, walltime_s=None), key)
        return await self.submissions.submit(submission, read, None)

    async def see(self, *, after_s: float = 5, forgotten: bool = False) -> None:
        """Take in a snapshot; `forgotten`: Slurm no longer shows the jobs."""
        self.slurm.now += timedelta(seconds=after_s)
        jobs = {} if forgotten else self.slurm.jobs
        snapshot = Snapshot(jobs=jobs, jobs_as_of=self.slurm.now, state=Reach.UP)
        await self.reconciler.keep(snapshot)
        await self.submissions.settle(snapshot)

    async def rows(self) -> tuple[list[JobRecord], list[SubmissionRecord]]:
        async with self.work() as db:
            return list(await db.scalars(select(JobRecord))), list(await db.scalars(select(SubmissionRecord)))

    async def state(self) -> tuple[list[int], list[str]]:
        """The numbers of the jobs that have a row with their script, and the states of the submissions."""
        jobs, submissions = await self.rows()
        return [job.job_id for job in jobs if job.script == SCRIPT], [submission.state for submission in submissions]

    def breaks(self, at: int) -> None:
        """Let the writing transaction of this number, from now on, find a full disk."""
        commits = 0

        @event.listens_for(self.engine.sync_engine, "before_cursor_execute")
        def full(_connection, _cursor, statement, *_more) -> None:  # type: ignore[no-untyped-def]  # SQLAlchemy's own
            nonlocal commits
            if statement.startswith("INSERT"):
                commits += 1
                if commits >= at and self.broken:
                    raise DBAPIError("INSERT", {}, OSError("database or disk is full"))

        self.broken = True


def made(submission: SubmissionRecord, script: Script, job_id: int) -> JobRecord:
    record = rows.new_record([job_of(job_id, submission.owner, "", submission.at)], submission.at)
    rows.update(record, [job_of(job_id, submission.owner, "", submission.at)], submission.at)
    record.from_portal, record.script = True, submission.script
    return record


@pytest.fixture
async def harness(database: str) -> AsyncIterator[Harness]:
    harness = Harness(database)
    yield harness
    await harness.engine.dispose()


async def test_a_job_that_cannot_be_written_is_not_submitted(harness: Harness) -> None:
    harness.breaks(at=1)
    with pytest.raises(DBAPIError):
        await harness.submit()
    assert harness.slurm.jobs == {}


async def test_a_job_whose_record_cannot_be_written_is_told_by_its_number_and_recorded_later(harness: Harness) -> None:
    harness.breaks(at=2)
    record = await harness.submit()
    assert (record.job_id, record.id) == (7, None), "The number is known; the row is still to come."
    harness.broken = False
    await harness.see()
    assert await harness.state() == ([7], ["submitted"])
    assert list(harness.slurm.jobs) == [7]


@pytest.mark.parametrize("forgotten", [False, True], ids=["in the queue", "gone from the queue"])
async def test_a_job_whose_answer_was_lost_is_found(harness: Harness, forgotten: bool) -> None:
    harness.slurm.answer = SlurmUnavailable("The door did not answer.")
    with pytest.raises(OutcomeUnknown, match="may have been submitted"):
        await harness.submit()
    harness.start()
    await harness.see(after_s=600 if forgotten else 5, forgotten=forgotten)
    assert await harness.state() == ([7], ["submitted"])
    assert list(harness.slurm.jobs) == [7], "Looked for, not submitted again."


async def test_a_job_that_never_reached_slurm_is_closed_after_the_grace_with_its_script(harness: Harness) -> None:
    harness.slurm.takes, harness.slurm.answer = False, SlurmUnavailable("The door did not answer.")
    with pytest.raises(OutcomeUnknown):
        await harness.submit(key=KEY)
    await harness.see(after_s=60)
    (open_one,) = await harness.submissions.unsettled("alice")
    assert open_one.state == "open"
    with pytest.raises(OutcomeUnknown):
        await harness.submissions.of_key(open_one.id)
    await harness.see(after_s=120)
    (closed,) = await harness.submissions.unsettled("alice")
    assert (closed.state, closed.script) == ("not_submitted", SCRIPT)
    assert await harness.submissions.of_key(closed.id) is None, "The same request may be tried again now."


async def test_what_neither_the_queue_nor_accounting_can_tell_stays_unknown(harness: Harness) -> None:
    harness.slurm.answer, harness.slurm.keeps = SlurmUnavailable("The door did not answer."), False
    harness.slurm.accounts = {}
    with pytest.raises(OutcomeUnknown):
        await harness.submit()
    harness.slurm.accounts.clear()
    await harness.see(after_s=3600, forgotten=True)
    assert [record.state for record in await harness.submissions.unsettled("alice")] == [SubmissionState.UNKNOWN]


async def test_a_script_with_its_own_comment_is_not_called_lost(harness: Harness) -> None:
    harness.slurm.answer = SlurmUnavailable("The door did not answer.")
    with pytest.raises(OutcomeUnknown, match="its own comment"):
        await harness.submit(
            SCRIPT.replace("hostname", "#SBATCH --comment=mine\nhostname").replace("\nhostname", "\n:")
        )
    await harness.see(after_s=600)
    assert [record.state for record in await harness.submissions.unsettled("alice")] == [SubmissionState.UNKNOWN]


async def test_a_refused_job_leaves_nothing(harness: Harness) -> None:
    harness.slurm.takes, harness.slurm.answer = False, SlurmRefused("No such partition.")
    with pytest.raises(SlurmRefused):
        await harness.submit()
    assert await harness.state() == ([], [])


@pytest.mark.parametrize("step", ["before Slurm", "at Slurm", "before the record", "after the record"])
async def test_a_portal_that_is_killed_at_any_step_settles_when_it_is_back(
    harness: Harness, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: object, **__: object) -> Any:
        raise Died

    adopt = harness.reconciler.adopt

    async def dies_after(*arguments: Any) -> Any:
        await adopt(*arguments)
        raise Died

    match step:
        case "before Slurm":
            monkeypatch.setattr(harness.slurm, "submit", dies)
        case "at Slurm":
            harness.slurm.answer = Died()
        case "before the record":
            monkeypatch.setattr(harness.reconciler, "adopt", dies)
        case _:
            monkeypatch.setattr(harness.reconciler, "adopt", dies_after)
    with pytest.raises(Died):
        await harness.submit()
    monkeypatch.undo()
    harness.slurm.answer = None
    harness.start()
    await harness.see(after_s=200)
    submitted = step != "before Slurm"
    assert await harness.state() == (([7], ["submitted"]) if submitted else ([], ["not_submitted"]))
    assert len(harness.slurm.jobs) == int(submitted)


async def test_a_request_sent_twice_at_once_is_one_job(harness: Harness) -> None:
    keys = IdempotencyKeys(harness.work, harness.now)

    async def request() -> int:
        async with keys.once("alice", KEY) as before:
            record = await harness.submissions.of_key(before) if before else None
            return (record or await harness.submit(key=KEY)).job_id

    assert await asyncio.gather(request(), request(), request()) == [7, 7, 7]
    assert list(harness.slurm.jobs) == [7]


async def test_a_request_sent_again_while_the_first_is_under_way_waits_for_it(harness: Harness) -> None:
    keys = IdempotencyKeys(harness.work, harness.now)
    asked, go_on, submit = asyncio.Event(), asyncio.Event(), harness.slurm.submit

    async def slow(*arguments: Any) -> int:
        asked.set()
        await go_on.wait()
        return await submit(*arguments)

    harness.slurm.submit = slow  # type: ignore[method-assign]
    first = asyncio.create_task(harness.submit(key=KEY))
    await asked.wait()
    first.cancel()  # its client has gone
    async with keys.once("alice", KEY) as before:
        assert before is not None
        again = asyncio.create_task(harness.submissions.of_key(before))
        await asyncio.sleep(0)
        go_on.set()
        record = await again
    assert record is not None
    assert record.job_id == 7
    assert list(harness.slurm.jobs) == [7]
