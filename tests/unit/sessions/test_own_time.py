"""More and less time for one's own session: every policy in every situation, and a portal that dies on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from portal.errors import (
    Conflict,
    Forbidden,
    OutcomeUnknown,
    PolicyRefused,
    PortalError,
    SlurmRefused,
    SlurmUnavailable,
)
from portal.policy.closures import Closure
from portal.policy.view import LimitRule
from portal.sessions.models import SessionRecord
from portal.settings import Database, Environment, Settings
from portal.slurm.door_slots import DoorBusy
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import Partition, Reservation
from portal.slurm.snapshot import Reach

from .conftest import Harness

HOUR = 3600
POLICIES: dict[str, dict[str, object]] = {
    "off": {},
    "two hours": {"most_s": 2 * HOUR, "times": 2},
    "always": {"most_s": 100 * HOUR, "times": 2, "while_others_wait": True},
    "other groups": {"most_s": 2 * HOUR, "groups": ["professors"]},
    "my group": {"most_s": 100 * HOUR, "groups": ["portal-users", "professors"]},
}


@pytest.fixture
def policy() -> str:
    return "always"


@pytest.fixture
def settings(tmp_path: Path, database: str, policy: str) -> Settings:
    return Settings(
        data_dir=tmp_path,
        database=Database(url=database),
        environments={"base": Environment(title="Base", path=Path("/opt/environments/base"))},
        policy={"max_walltime_s": 30 * HOUR, "extension": POLICIES[policy]},  # type: ignore[arg-type]
    )


async def running(harness: Harness, **resources: object) -> SessionRecord:
    """Start a session of 4 hours with one GPU on node001."""
    record = await harness.start(**({"gpus": 1, "walltime_s": 4 * HOUR} | resources))
    harness.slurm.found[record.job_id or 0] = replace(
        harness.slurm.found[record.job_id or 0],
        started_at=harness.clock(),
        ends_at=harness.clock() + timedelta(hours=4),
    )
    await harness.reconcile()
    return await harness.store.get(record.id)


def waits(harness: Harness, **changes: object) -> None:
    job = Job(900, "other", "bob", "", "sxm2", "", JobState.PENDING, reason="Resources", gpus=1)
    harness.slurm.found[900] = replace(job, **changes)  # type: ignore[arg-type]


def reserves(harness: Harness, hours: float, nodes: str = "node[001-002]", name: str = "maint") -> None:
    begins = harness.clock() + timedelta(hours=hours)
    reservation = Reservation(
        name, starts_at=begins, ends_at=begins + timedelta(hours=9), nodes=nodes, flags=("MAINT",)
    )
    harness.watcher.snapshot = replace(harness.watcher.snapshot, reservations=(reservation,))


def closes(harness: Harness, hours: float) -> None:
    begins = harness.clock() + timedelta(hours=hours)
    harness.closures.append(Closure(begins, begins + timedelta(hours=2), None, "New disks."))


def hours_a_month(harness: Harness, most: int) -> None:
    async def rules(username: str, groups: object) -> tuple[LimitRule, ...]:
        return (LimitRule("user", username, max_gpu_hours=most),)

    harness.limits.rules = rules  # type: ignore[method-assign]


def most_of_partition(harness: Harness, hours: int) -> None:
    harness.watcher.snapshot = replace(
        harness.watcher.snapshot, partitions=(Partition("sxm2", default=True, max_walltime_s=hours * HOUR),)
    )


def nothing(harness: Harness) -> None:
    pass


Situation = tuple[Callable[[Harness], None], int, str | None]
#: What the session meets, how many hours more are wanted, and what refuses it if the site's policy does not.
SITUATIONS: dict[str, Situation] = {
    "free": (nothing, 1, None),
    "another's job waits for GPUs": (waits, 1, "1 job of other users waits"),
    "my own job waits": (lambda harness: waits(harness, user="alice"), 1, None),
    "a held job waits": (lambda harness: waits(harness, reason="JobHeldUser"), 1, None),
    "a job waits for another type": (lambda harness: waits(harness, gpu_type="a100"), 1, "type"),
    "a job waits elsewhere": (lambda harness: waits(harness, partition="debug"), 1, None),
    "a job waits without GPUs": (lambda harness: waits(harness, gpus=0), 1, None),
    "more than the site's limit": (nothing, 27, "may last 1 day 6 h at most"),
    "more than the partition's": (lambda harness: most_of_partition(harness, 4), 1, "allows 4 h at most"),
    "into a reservation": (lambda harness: reserves(harness, 4.5), 1, "Its node is reserved from"),
    "until a reservation": (lambda harness: reserves(harness, 6), 1, None),
    "a reservation of other nodes": (lambda harness: reserves(harness, 4.5, "node002"), 1, None),
    "into announced maintenance": (lambda harness: closes(harness, 4.5), 1, "It would run into maintenance"),
    "over the GPU-hours": (lambda harness: hours_a_month(harness, 4), 1, "may use 4 GPU-hours per month"),
    "within the GPU-hours": (lambda harness: hours_a_month(harness, 6), 1, None),
    "Slurm is away": (
        lambda harness: setattr(harness.watcher, "snapshot", replace(harness.watcher.snapshot, state=Reach.DOWN)),
        1,
        "cannot tell at the moment",
    ),
}


def expected(policy: str, situation: str) -> str | None:
    """What the table should say: the policy's own refusals first, then the cluster's."""
    _, hours, refused = SITUATIONS[situation]
    if policy == "off":
        return "Users cannot extend their sessions here"
    if policy == "other groups":
        return "Only members of professors"
    if policy == "two hours" and hours > 2:
        return "You may add 2 h to one session in total"
    if situation == "a job waits for another type":
        return None
    return None if policy == "always" and refused and "other users" in refused else refused


@pytest.mark.parametrize("policy", POLICIES)
async def test_more_time_is_given_or_refused_in_words(harness: Harness, policy: str) -> None:
    clean = harness.watcher.snapshot
    for situation in SITUATIONS:
        await one_situation(harness, policy, situation)
        harness.slurm.found.clear()
        harness.operator.asked.clear()
        harness.closures.clear()
        harness.limits.__dict__.pop("rules", None)
        harness.watcher.snapshot = clean
        await harness.reconcile(after_s=60)  # the session's job is gone


async def one_situation(harness: Harness, policy: str, situation: str) -> None:
    record = await running(harness, gpu_type="v100")
    prepare, hours, _ = SITUATIONS[situation]
    prepare(harness)
    if situation != "Slurm is away":
        harness.watcher.look()
    wanted = expected(policy, situation)
    if wanted is None:
        record = await harness.own_time.set(record.id, "alice", (4 + hours) * HOUR)
        assert (record.walltime_s, record.extended_s, record.extended_times) == ((4 + hours) * HOUR, hours * HOUR, 1)
        assert harness.operator.asked == [("alice", record.job_id, (4 + hours) * HOUR)]
        assert record.limit_change is None
    else:
        with pytest.raises(PolicyRefused, match=wanted):
            await harness.own_time.set(record.id, "alice", (4 + hours) * HOUR)
        assert harness.operator.asked == [], "Slurm is not asked"
        assert (await harness.store.get(record.id)).walltime_s == 4 * HOUR
    offered = dict(await harness.own_time.choices(record.id, "alice"))
    if hours == 1 and wanted is not None:
        assert wanted in (offered[HOUR] or ""), "the offer says the same"


@pytest.mark.parametrize("policy", ["two hours"])
async def test_times_and_total_are_counted(harness: Harness, policy: str) -> None:
    record = await running(harness)
    await harness.own_time.set(record.id, "alice", 5 * HOUR)
    with pytest.raises(PolicyRefused, match="in total; 1 h of that is left"):
        await harness.own_time.set(record.id, "alice", 8 * HOUR)
    await harness.own_time.set(record.id, "alice", 5 * HOUR + 1800)
    with pytest.raises(PolicyRefused, match="extended it 2 times already"):
        await harness.own_time.set(record.id, "alice", 6 * HOUR)


async def test_repeating_it_adds_nothing(harness: Harness) -> None:
    record = await running(harness)
    for _ in range(2):
        record = await harness.own_time.set(record.id, "alice", 5 * HOUR)
    assert (record.extended_times, len(harness.operator.asked)) == (1, 1)


async def test_less_time_is_anybodys_right_but_not_less_than_has_passed(harness: Harness) -> None:
    record = await running(harness)
    harness.clock.pass_(HOUR)
    with pytest.raises(Conflict, match="It has already run that long"):
        await harness.own_time.set(record.id, "alice", HOUR)
    ends_at = record.ends_at
    record = await harness.own_time.set(record.id, "alice", 2 * HOUR)
    assert ends_at is not None
    assert record.ends_at == ends_at - timedelta(hours=2)
    assert record.extended_times == 0


async def test_anothers_session_and_one_that_ends_are_refused(harness: Harness) -> None:
    record = await running(harness)
    with pytest.raises(Forbidden, match="belongs to someone else"):
        await harness.own_time.set(record.id, "bob", 5 * HOUR)
    await harness.service.stop(record.id)
    with pytest.raises(Conflict, match="already ending"):
        await harness.own_time.set(record.id, "alice", 5 * HOUR)
    harness.slurm.full = True
    queued = await harness.start(gpus=1)
    with pytest.raises(Conflict, match="It has not started yet"):
        await harness.own_time.set(queued.id, "alice", 9 * HOUR)
    assert harness.operator.asked == []


@pytest.mark.parametrize("error", [SlurmRefused("No."), Forbidden("The door says no."), DoorBusy(1)])
async def test_what_is_refused_changes_nothing_and_may_be_tried_again(harness: Harness, error: PortalError) -> None:
    record = await running(harness)
    harness.operator.error = error
    with pytest.raises(type(error)):
        await harness.own_time.set(record.id, "alice", 5 * HOUR)
    harness.operator.error = None
    after = await harness.store.get(record.id)
    assert (after.walltime_s, after.ends_at, after.limit_change, after.extended_s) == (
        4 * HOUR,
        record.ends_at,
        None,
        0,
    )
    await harness.own_time.set(record.id, "alice", 5 * HOUR)


async def test_a_snapshot_from_before_a_change_does_not_put_the_end_back(harness: Harness) -> None:
    record = await running(harness)
    job = harness.slurm.found[record.job_id or 0]
    end = record.ends_at + timedelta(hours=1)  # type: ignore[operator]
    await harness.own_time.set(record.id, "alice", 5 * HOUR)
    harness.slurm.found[job.id] = job
    harness.watcher.snapshot = replace(harness.watcher.snapshot, jobs={job.id: job})
    await harness.reconciler.reconcile(harness.watcher.snapshot)
    after = await harness.store.get(record.id)
    assert (after.walltime_s, after.ends_at) == (5 * HOUR, end)
    harness.slurm.found[job.id] = replace(job, time_limit_s=5 * HOUR, ends_at=end + timedelta(seconds=1))
    await harness.reconcile()
    assert (await harness.store.get(record.id)).ends_at == end + timedelta(seconds=1), "Slurm knows it best"


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("death", [RuntimeError("killed"), SlurmUnavailable("no answer")])
async def test_an_unknown_outcome_is_settled_by_what_slurm_says(harness: Harness, death: Exception, done: bool) -> None:
    """The portal dies between the intent and the outcome, or Slurm gives no answer; it may have been done."""
    record = await running(harness)
    if done:
        harness.operator.slurm.found[record.job_id or 0] = replace(
            harness.slurm.found[record.job_id or 0], time_limit_s=5 * HOUR, ends_at=harness.clock() + timedelta(hours=5)
        )
    harness.operator.error = death
    with pytest.raises(RuntimeError if isinstance(death, RuntimeError) else OutcomeUnknown):
        await harness.own_time.set(record.id, "alice", 5 * HOUR)
    harness.operator.error = None
    with pytest.raises(Conflict, match="is being changed"):
        await harness.own_time.set(record.id, "alice", 6 * HOUR)
    await harness.reconcile(after_s=5)
    assert (await harness.store.get(record.id)).limit_change is not None, "the door may still be at work"
    await harness.reconcile(after_s=60)
    after = await harness.store.get(record.id)
    assert (after.limit_change, after.walltime_s) == (None, (5 if done else 4) * HOUR)
    assert (after.extended_s, after.extended_times) == ((HOUR, 1) if done else (0, 0))
    messages = [event.message for event in await harness.store.events(record.id)]
    assert messages[-1] == ("You extended it by 1 h." if done else "Its time limit was not changed.")


async def test_two_extensions_at_once_do_not_both_slip_under_the_gpu_hours(harness: Harness) -> None:
    hours_a_month(harness, 9)  # four each are promised
    mine = [await running(harness), await running(harness)]
    wanted = (harness.own_time.set(record.id, "alice", 5 * HOUR) for record in mine)
    done = await asyncio.gather(*wanted, return_exceptions=True)
    assert sorted(type(value).__name__ for value in done) == ["PolicyRefused", "SessionRecord"]


async def test_a_limit_that_somebody_else_set_in_slurm_is_taken_over(harness: Harness) -> None:
    record = await running(harness)
    harness.slurm.found[record.job_id or 0] = replace(harness.slurm.found[record.job_id or 0], time_limit_s=8 * HOUR)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).walltime_s == 8 * HOUR


async def test_a_reading_from_before_the_change_does_not_undo_it(harness: Harness) -> None:
    record = await running(harness)
    stale = harness.watcher.look()
    harness.clock.pass_(1)
    await harness.own_time.set(record.id, "alice", 5 * HOUR)
    await harness.reconciler.reconcile(stale)
    assert (await harness.store.get(record.id)).walltime_s == 5 * HOUR
