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

from .conftest import Desk

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


async def running(desk: Desk, **resources: object) -> SessionRecord:
    """Start a session of 4 hours with one GPU on node001."""
    record = await desk.start(**({"gpus": 1, "walltime_s": 4 * HOUR} | resources))
    desk.slurm.found[record.job_id or 0] = replace(
        desk.slurm.found[record.job_id or 0], started_at=desk.clock(), ends_at=desk.clock() + timedelta(hours=4)
    )
    await desk.reconcile()
    return await desk.store.get(record.id)


def waits(desk: Desk, **changes: object) -> None:
    job = Job(900, "other", "bob", "", "sxm2", "", JobState.PENDING, reason="Resources", gpus=1)
    desk.slurm.found[900] = replace(job, **changes)  # type: ignore[arg-type]


def reserves(desk: Desk, hours: float, nodes: str = "node[001-002]", name: str = "maint") -> None:
    begins = desk.clock() + timedelta(hours=hours)
    reservation = Reservation(
        name, starts_at=begins, ends_at=begins + timedelta(hours=9), nodes=nodes, flags=("MAINT",)
    )
    desk.watcher.snapshot = replace(desk.watcher.snapshot, reservations=(reservation,))


def closes(desk: Desk, hours: float) -> None:
    begins = desk.clock() + timedelta(hours=hours)
    desk.closures.append(Closure(begins, begins + timedelta(hours=2), None, "New disks."))


def hours_a_month(desk: Desk, most: int) -> None:
    async def rules(username: str, groups: object) -> tuple[LimitRule, ...]:
        return (LimitRule("user", username, max_gpu_hours=most),)

    desk.requests._limits.rules = rules  # type: ignore[method-assign]


def most_of_partition(desk: Desk, hours: int) -> None:
    desk.watcher.snapshot = replace(
        desk.watcher.snapshot, partitions=(Partition("sxm2", default=True, max_walltime_s=hours * HOUR),)
    )


def nothing(desk: Desk) -> None:
    pass


Situation = tuple[Callable[[Desk], None], int, str | None]
#: What the session meets, how many hours more are wanted, and what refuses it if the site's policy does not.
SITUATIONS: dict[str, Situation] = {
    "free": (nothing, 1, None),
    "another's job waits for GPUs": (waits, 1, "1 job of other users waits"),
    "my own job waits": (lambda desk: waits(desk, user="alice"), 1, None),
    "a held job waits": (lambda desk: waits(desk, reason="JobHeldUser"), 1, None),
    "a job waits for another type": (lambda desk: waits(desk, gpu_type="a100"), 1, "type"),
    "a job waits elsewhere": (lambda desk: waits(desk, partition="debug"), 1, None),
    "a job waits without GPUs": (lambda desk: waits(desk, gpus=0), 1, None),
    "more than the site's limit": (nothing, 27, "may last 1 day 6 h at most"),
    "more than the partition's": (lambda desk: most_of_partition(desk, 4), 1, "allows 4 h at most"),
    "into a reservation": (lambda desk: reserves(desk, 4.5), 1, "Its node is reserved from"),
    "until a reservation": (lambda desk: reserves(desk, 6), 1, None),
    "a reservation of other nodes": (lambda desk: reserves(desk, 4.5, "node002"), 1, None),
    "into announced maintenance": (lambda desk: closes(desk, 4.5), 1, "It would run into maintenance"),
    "over the GPU-hours": (lambda desk: hours_a_month(desk, 4), 1, "may use 4 GPU-hours per month"),
    "within the GPU-hours": (lambda desk: hours_a_month(desk, 6), 1, None),
    "Slurm is away": (
        lambda desk: setattr(desk.watcher, "snapshot", replace(desk.watcher.snapshot, state=Reach.DOWN)),
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
async def test_more_time_is_given_or_refused_in_words(desk: Desk, policy: str) -> None:
    clean = desk.watcher.snapshot
    for situation in SITUATIONS:
        await one_situation(desk, policy, situation)
        desk.slurm.found.clear()
        desk.operator.asked.clear()
        desk.closures.clear()
        desk.requests._limits.__dict__.pop("rules", None)
        desk.watcher.snapshot = clean
        await desk.reconcile(after_s=60)  # the session's job is gone


async def one_situation(desk: Desk, policy: str, situation: str) -> None:
    record = await running(desk, gpu_type="v100")
    prepare, hours, _ = SITUATIONS[situation]
    prepare(desk)
    if situation != "Slurm is away":
        desk.watcher.look()
    wanted = expected(policy, situation)
    if wanted is None:
        record = await desk.own_time.set(record.id, "alice", (4 + hours) * HOUR)
        assert (record.walltime_s, record.extended_s, record.extended_times) == ((4 + hours) * HOUR, hours * HOUR, 1)
        assert desk.operator.asked == [("alice", record.job_id, (4 + hours) * HOUR)]
        assert record.limit_change is None
    else:
        with pytest.raises(PolicyRefused, match=wanted):
            await desk.own_time.set(record.id, "alice", (4 + hours) * HOUR)
        assert desk.operator.asked == [], "Slurm is not asked"
        assert (await desk.store.get(record.id)).walltime_s == 4 * HOUR
    offered = dict(await desk.own_time.choices(record.id, "alice"))
    if hours == 1 and wanted is not None:
        assert wanted in (offered[HOUR] or ""), "the offer says the same"


@pytest.mark.parametrize("policy", ["two hours"])
async def test_times_and_total_are_counted(desk: Desk, policy: str) -> None:
    record = await running(desk)
    await desk.own_time.set(record.id, "alice", 5 * HOUR)
    with pytest.raises(PolicyRefused, match="in total; 1 h of that is left"):
        await desk.own_time.set(record.id, "alice", 8 * HOUR)
    await desk.own_time.set(record.id, "alice", 5 * HOUR + 1800)
    with pytest.raises(PolicyRefused, match="extended it 2 times already"):
        await desk.own_time.set(record.id, "alice", 6 * HOUR)


async def test_repeating_it_adds_nothing(desk: Desk) -> None:
    record = await running(desk)
    for _ in range(2):
        record = await desk.own_time.set(record.id, "alice", 5 * HOUR)
    assert (record.extended_times, len(desk.operator.asked)) == (1, 1)


async def test_less_time_is_anybodys_right_but_not_less_than_has_passed(desk: Desk) -> None:
    record = await running(desk)
    desk.clock.pass_(HOUR)
    with pytest.raises(Conflict, match="It has already run that long"):
        await desk.own_time.set(record.id, "alice", HOUR)
    ends_at = record.ends_at
    record = await desk.own_time.set(record.id, "alice", 2 * HOUR)
    assert ends_at is not None
    assert record.ends_at == ends_at - timedelta(hours=2)
    assert record.extended_times == 0


async def test_anothers_session_and_one_that_ends_are_refused(desk: Desk) -> None:
    record = await running(desk)
    with pytest.raises(Forbidden, match="belongs to someone else"):
        await desk.own_time.set(record.id, "bob", 5 * HOUR)
    await desk.service.stop(record.id)
    with pytest.raises(Conflict, match="already ending"):
        await desk.own_time.set(record.id, "alice", 5 * HOUR)
    desk.slurm.full = True
    queued = await desk.start(gpus=1)
    with pytest.raises(Conflict, match="It has not started yet"):
        await desk.own_time.set(queued.id, "alice", 9 * HOUR)
    assert desk.operator.asked == []


@pytest.mark.parametrize("error", [SlurmRefused("No."), Forbidden("The door says no."), DoorBusy(1)])
async def test_what_is_refused_changes_nothing_and_may_be_tried_again(desk: Desk, error: PortalError) -> None:
    record = await running(desk)
    desk.operator.error = error
    with pytest.raises(type(error)):
        await desk.own_time.set(record.id, "alice", 5 * HOUR)
    desk.operator.error = None
    after = await desk.store.get(record.id)
    assert (after.walltime_s, after.ends_at, after.limit_change, after.extended_s) == (
        4 * HOUR,
        record.ends_at,
        None,
        0,
    )
    await desk.own_time.set(record.id, "alice", 5 * HOUR)


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("death", [RuntimeError("killed"), SlurmUnavailable("no answer")])
async def test_an_unknown_outcome_is_settled_by_what_slurm_says(desk: Desk, death: Exception, done: bool) -> None:
    """The portal dies between the intent and the outcome, or Slurm gives no answer; it may have been done."""
    record = await running(desk)
    if done:
        desk.operator.slurm.found[record.job_id or 0] = replace(
            desk.slurm.found[record.job_id or 0], time_limit_s=5 * HOUR, ends_at=desk.clock() + timedelta(hours=5)
        )
    desk.operator.error = death
    with pytest.raises(RuntimeError if isinstance(death, RuntimeError) else OutcomeUnknown):
        await desk.own_time.set(record.id, "alice", 5 * HOUR)
    desk.operator.error = None
    with pytest.raises(Conflict, match="is being changed"):
        await desk.own_time.set(record.id, "alice", 6 * HOUR)
    await desk.reconcile(after_s=5)
    assert (await desk.store.get(record.id)).limit_change is not None, "the door may still be at work"
    await desk.reconcile(after_s=60)
    after = await desk.store.get(record.id)
    assert (after.limit_change, after.walltime_s) == (None, (5 if done else 4) * HOUR)
    assert (after.extended_s, after.extended_times) == ((HOUR, 1) if done else (0, 0))
    messages = [event.message for event in await desk.store.events(record.id)]
    assert messages[-1] == ("You extended it by 1 h." if done else "Its time limit was not changed.")


async def test_two_extensions_at_once_do_not_both_slip_under_the_gpu_hours(desk: Desk) -> None:
    hours_a_month(desk, 9)  # four each are promised
    mine = [await running(desk), await running(desk)]
    wanted = (desk.own_time.set(record.id, "alice", 5 * HOUR) for record in mine)
    done = await asyncio.gather(*wanted, return_exceptions=True)
    assert sorted(type(value).__name__ for value in done) == ["PolicyRefused", "SessionRecord"]


async def test_a_limit_that_somebody_else_set_in_slurm_is_taken_over(desk: Desk) -> None:
    record = await running(desk)
    desk.slurm.found[record.job_id or 0] = replace(desk.slurm.found[record.job_id or 0], time_limit_s=8 * HOUR)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).walltime_s == 8 * HOUR


async def test_a_reading_from_before_the_change_does_not_undo_it(desk: Desk) -> None:
    record = await running(desk)
    stale = desk.watcher.look()
    desk.clock.pass_(1)
    await desk.own_time.set(record.id, "alice", 5 * HOUR)
    await desk.reconciler.reconcile(stale)
    assert (await desk.store.get(record.id)).walltime_s == 5 * HOUR
