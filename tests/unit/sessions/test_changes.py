"""Changing what a waiting session asks for: how, within which policy, and who dies on the way."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from portal.errors import Conflict, OutcomeUnknown, PolicyRefused, SlurmRefused
from portal.policy.request import ResourceRequest, Resources
from portal.sessions.changes import how_to
from portal.sessions.models import SessionRecord
from portal.slurm.jobs import Job, JobState
from portal.slurm.snapshot import Association

from .conftest import Harness

HOUR = 3600


async def queued(harness: Harness, **resources: object) -> SessionRecord:
    harness.slurm.full = True
    record = await harness.start(**({"gpus": 2, "walltime_s": 4 * HOUR} | resources))
    await harness.reconcile()
    return await harness.store.get(record.id)


async def change(harness: Harness, record: SessionRecord, *, new_job: bool = False, **asked: Any) -> SessionRecord:
    return await harness.changes.make(record.id, ResourceRequest.model_validate(asked), new_job=new_job)


def living(harness: Harness) -> list[Job]:
    return [job for job in harness.slurm.found.values() if not job.state.is_over]


BASE = Resources(
    partition="sxm2",
    account="physics",
    qos=None,
    reservation=None,
    nodes=1,
    gpus=2,
    gpu_type="v100",
    cpus=8,
    memory_mib=48_000,
    walltime_s=HOUR,
)


@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        ({}, {}, "nothing"),
        ({}, {"walltime_s": 2 * HOUR}, "in_place"),
        ({}, {"gpus": 1, "cpus": 4, "memory_mib": 24_000}, "in_place"),
        ({}, {"partition": "debug", "account": "vision"}, "in_place"),
        ({}, {"gpus": 0, "gpu_type": None}, "new_job"),
        ({"gpus": 0, "gpu_type": None}, {"gpus": 1, "gpu_type": "v100"}, "new_job"),
        ({}, {"gpu_type": "a100"}, "new_job"),
        ({}, {"account": None}, "new_job"),
        ({"nodes": 2}, {"gpus": 1}, "new_job"),
        ({"nodes": 2}, {"walltime_s": 2 * HOUR}, "in_place"),
        ({}, {"nodes": 2}, "new_job"),
        ({}, {"reservation": "course"}, "new_job"),
    ],
)
def test_slurm_changes_in_place_what_it_can(before: dict[str, Any], after: dict[str, Any], how: str) -> None:
    old = BASE.model_copy(update=before)
    assert how_to(old, old.model_copy(update=after)) == how


async def test_a_change_in_place_keeps_the_job_and_its_place(harness: Harness) -> None:
    record = await queued(harness)
    plan = await harness.changes.plan(record.id, ResourceRequest(gpus=1, walltime_s=HOUR))
    assert (plan.how, plan.place) == ("in_place", "It keeps its position in the queue: 1 of 1.")

    after = await change(harness, record, gpus=1, walltime_s=HOUR)
    assert (after.job_id, after.gpus, after.walltime_s) == (record.job_id, 1, HOUR)
    assert not after.is_being_changed
    await harness.reconcile()
    assert (await harness.store.get(record.id)).walltime_s == HOUR
    assert await change(harness, record, gpus=1, walltime_s=HOUR) is not None
    assert harness.slurm.steps == ["change", "changed"], "repeating it asks Slurm for nothing"


async def test_a_default_account_that_is_known_only_since_the_start_is_no_change(harness: Harness) -> None:
    record = await queued(harness)
    mine = Association("alice", "physics", default_qos="normal", is_default=True)
    harness.watcher.snapshot = replace(harness.watcher.snapshot, associations=(mine,))
    assert (await harness.changes.plan(record.id, ResourceRequest())).how == "nothing"
    after = await change(harness, record, walltime_s=HOUR)
    assert (after.account, after.walltime_s) == (None, HOUR)


async def test_a_new_job_takes_over_only_if_that_is_allowed(harness: Harness) -> None:
    record = await queued(harness)
    with pytest.raises(Conflict, match="position 1 of 1 instead of 1 of 1"):
        await change(harness, record, gpus=0)
    after = await change(harness, record, gpus=0, new_job=True)
    assert after.job_id != record.job_id
    assert [job.id for job in living(harness)] == [after.job_id]
    await harness.reconcile()
    assert await harness.state(record) == "queued"


async def test_policy_refuses_as_at_a_start_and_does_not_count_the_session_twice(harness: Harness) -> None:
    record = await queued(harness)
    with pytest.raises(PolicyRefused, match="Ask for 4 or fewer"):
        await change(harness, record, gpus=5)
    most = harness.settings.policy.max_sessions
    for _ in range(most - 1):
        await queued(harness, gpus=0)
    assert (await change(harness, record, gpus=1)).gpus == 1
    assert not (await harness.store.get(record.id)).is_being_changed


async def test_what_slurm_set_before_it_refused_is_set_back(harness: Harness) -> None:
    record = await queued(harness)
    harness.slurm.error = SlurmRefused("Invalid account")
    with pytest.raises(SlurmRefused):
        await change(harness, record, account="vision", gpus=1)
    after = await harness.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)
    assert harness.slurm.steps == ["change", "change"]


async def test_only_what_waits_is_changed(harness: Harness) -> None:
    record = await queued(harness)
    harness.slurm.becomes(record.job_id or 0, JobState.RUNNING, nodes="node001")
    await harness.reconcile()
    with pytest.raises(Conflict, match="started already"):
        await change(harness, record, gpus=1)


async def test_a_job_that_starts_meanwhile_stays_and_the_new_one_goes(harness: Harness) -> None:
    record = await queued(harness)
    taken = harness.slurm.withdraw

    async def starts_first(user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        harness.slurm.becomes(job_id, JobState.RUNNING, nodes="node001")
        return await taken(user, session_id, job_id, successor)

    harness.slurm.withdraw = starts_first  # type: ignore[method-assign]
    with pytest.raises(Conflict, match="just started"):
        await change(harness, record, gpus=0, new_job=True)
    assert [job.id for job in living(harness)] == [record.job_id]
    after = await harness.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)


async def test_a_session_stopped_meanwhile_leaves_no_job(harness: Harness) -> None:
    record = await queued(harness)
    submit = harness.slurm.submit

    async def stopped_first(*asked: Any) -> Any:
        made = await submit(*asked)
        await harness.service.stop(record.id)
        return made

    harness.slurm.submit = stopped_first  # type: ignore[method-assign]
    await change(harness, record, gpus=0, new_job=True)
    assert living(harness) == []
    await harness.reconcile()
    assert await harness.state(record) == "ended"


@pytest.mark.parametrize("fault", ["dies_at", "silent_at"])
@pytest.mark.parametrize("point", ["change", "changed", "submit", "submitted", "withdraw", "withdrawn"])
async def test_whoever_dies_at_whatever_point_there_is_one_job_and_the_row_says_what_it_asks_for(
    harness: Harness, fault: str, point: str
) -> None:
    record = await queued(harness)
    setattr(harness.slurm, fault, point)
    in_place = point.startswith("change")
    asked: dict[str, Any] = {"walltime_s": HOUR} if in_place else {"gpus": 0}
    with suppress(asyncio.CancelledError, OutcomeUnknown):
        await change(harness, record, new_job=not in_place, **asked)
    harness.slurm.dies_at = harness.slurm.silent_at = ""
    harness.change_steps.busy.clear()  # the portal that comes back knows nothing
    assert (await harness.store.get(record.id)).change is not None

    for _ in range(24):
        assert len(living(harness)) in (1, 2)
        able = [job for job in living(harness) if job.reason != "Dependency"]
        assert len(able) <= 1
        await harness.reconcile()
    after = await harness.store.get(record.id)
    job = next(iter(living(harness)))
    assert len(living(harness)) == 1
    assert (after.state, after.change, after.job_id) == ("queued", None, job.id)
    assert (after.gpus, after.walltime_s) == (job.gpus, job.time_limit_s)
    done = after.walltime_s == HOUR if in_place else after.gpus == 0
    assert done == (point not in ("change", "submit"))


@pytest.mark.parametrize("killed", ["before", "after"])
async def test_a_new_job_that_slurm_forgets_leaves_the_old_one_or_is_submitted_again(
    harness: Harness, killed: str
) -> None:
    record = await queued(harness)
    taken = harness.slurm.withdraw

    async def forgets(user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        if killed == "before":
            del harness.slurm.found[successor]
            return await taken(user, session_id, job_id, successor)
        gone, _ = await taken(user, session_id, job_id, successor)
        del harness.slurm.found[successor]
        return gone, False

    harness.slurm.withdraw = forgets  # type: ignore[method-assign]
    if killed == "before":
        with pytest.raises(SlurmRefused, match="lost the new job"):
            await change(harness, record, gpus=0, new_job=True)
    else:
        await change(harness, record, gpus=0, new_job=True)
    after = await harness.store.get(record.id)
    assert [(job.id, job.gpus) for job in living(harness)] == [(after.job_id, after.gpus)]
    assert after.gpus == (2 if killed == "before" else 0)


def forget(harness: Harness, before: dict[int, Job], *, keep: int | None = None) -> None:
    """Let slurmctld come back with the state it had before, and with the job `keep`, too."""
    kept = {keep: replace(harness.slurm.found[keep], reason="Dependency")} if keep is not None else {}
    harness.slurm.found = before | kept


@pytest.mark.parametrize("keeps_new", [True, False])
async def test_a_new_job_or_the_old_one_stays_when_a_killed_slurmctld_forgets(
    harness: Harness, keeps_new: bool
) -> None:
    record = await queued(harness)
    before = dict(harness.slurm.found)
    changed = await change(harness, record, gpus=0, new_job=True)
    await harness.reconcile()
    forget(harness, before, keep=changed.job_id if keeps_new else None)
    for _ in range(12):
        await harness.reconcile()
    after = await harness.store.get(record.id)
    assert [(job.id, job.gpus) for job in living(harness)] == [(after.job_id, after.gpus)]
    assert (after.state, after.gpus, after.change) == ("queued", 0 if keeps_new else 2, None)


async def test_an_old_job_that_is_back_and_starts_keeps_the_session(harness: Harness) -> None:
    record = await queued(harness)
    before = dict(harness.slurm.found)
    changed = await change(harness, record, gpus=0, new_job=True)
    forget(harness, before, keep=changed.job_id)
    harness.slurm.becomes(record.job_id or 0, JobState.RUNNING, nodes="node001")
    for _ in range(12):
        await harness.reconcile()
    after = await harness.store.get(record.id)
    assert [job.id for job in living(harness)] == [record.job_id] == [after.job_id]
    assert (after.state, after.gpus) == ("allocated", 2)


async def test_a_change_in_place_that_a_killed_slurmctld_forgets_is_taken_back(harness: Harness) -> None:
    record = await queued(harness)
    before = dict(harness.slurm.found)
    await change(harness, record, gpus=1, walltime_s=HOUR)
    await harness.reconcile()
    assert (await harness.store.get(record.id)).gpus == 1
    forget(harness, before)
    await harness.reconcile()
    after = await harness.store.get(record.id)
    assert (after.gpus, after.walltime_s, after.change) == (2, 4 * HOUR, None)
    _, events = await harness.store.progress(record.id, 0)
    assert events[-1].message.startswith("Slurm was restarted and lost the change; the session requests 2 ")
    assert (await change(harness, record, gpus=1)).gpus == 1, "it can be changed again"


async def test_what_was_changed_can_be_changed_again_at_once(harness: Harness) -> None:
    record = await queued(harness)
    await change(harness, record, gpus=1)
    assert (await change(harness, record, gpus=2)).gpus == 2
    for _ in range(12):
        await harness.reconcile()
    after = await harness.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)


async def test_an_agent_that_comes_before_the_outcome_is_written_asks_again(harness: Harness) -> None:
    from portal.sessions.schemas import AgentHello

    record = await queued(harness)
    harness.slurm.dies_at = "withdrawn"
    with suppress(asyncio.CancelledError):
        await change(harness, record, gpus=0, new_job=True)
    harness.slurm.dies_at = ""
    harness.change_steps.busy.clear()
    new = next(iter(living(harness)))
    hello = AgentHello(
        session=record.id, secret=harness.slurm.secrets[record.id], key="0" * 64, job_id=new.id, node="node001"
    )
    assert await harness.agents.hello(hello) is None
    harness.slurm.found[new.id] = replace(new, state=JobState.RUNNING, nodes="node001", reason="")
    for _ in range(12):
        await harness.reconcile()
    assert (await harness.store.get(record.id)).job_id == new.id
