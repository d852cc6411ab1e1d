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

from .conftest import Desk

HOUR = 3600


async def queued(desk: Desk, **resources: object) -> SessionRecord:
    desk.slurm.full = True
    record = await desk.start(**({"gpus": 2, "walltime_s": 4 * HOUR} | resources))
    await desk.reconcile()
    return await desk.store.get(record.id)


async def change(desk: Desk, record: SessionRecord, *, new_job: bool = False, **asked: Any) -> SessionRecord:
    return await desk.changes.make(record.id, ResourceRequest.model_validate(asked), new_job=new_job)


def living(desk: Desk) -> list[Job]:
    return [job for job in desk.slurm.found.values() if not job.state.is_over]


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


async def test_a_change_in_place_keeps_the_job_and_its_place(desk: Desk) -> None:
    record = await queued(desk)
    plan = await desk.changes.plan(record.id, ResourceRequest(gpus=1, walltime_s=HOUR))
    assert (plan.how, plan.place) == ("in_place", "It keeps its place in line: 1 of 1.")

    after = await change(desk, record, gpus=1, walltime_s=HOUR)
    assert (after.job_id, after.gpus, after.walltime_s) == (record.job_id, 1, HOUR)
    assert not after.is_being_changed
    await desk.reconcile()
    assert (await desk.store.get(record.id)).walltime_s == HOUR
    assert await change(desk, record, gpus=1, walltime_s=HOUR) is not None
    assert desk.slurm.steps == ["change", "changed"], "repeating it asks Slurm for nothing"


async def test_a_new_job_takes_over_only_if_that_is_allowed(desk: Desk) -> None:
    record = await queued(desk)
    with pytest.raises(Conflict, match="place 1 of 1 instead of 1 of 1"):
        await change(desk, record, gpus=0)
    after = await change(desk, record, gpus=0, new_job=True)
    assert after.job_id != record.job_id
    assert [job.id for job in living(desk)] == [after.job_id]
    await desk.reconcile()
    assert await desk.state(record) == "queued"


async def test_policy_refuses_as_at_a_start_and_does_not_count_the_session_twice(desk: Desk) -> None:
    record = await queued(desk)
    with pytest.raises(PolicyRefused, match="Ask for 4 or fewer"):
        await change(desk, record, gpus=5)
    most = desk.requests._settings.policy.max_sessions
    for _ in range(most - 1):
        await queued(desk, gpus=0)
    assert (await change(desk, record, gpus=1)).gpus == 1
    assert not (await desk.store.get(record.id)).is_being_changed


async def test_what_slurm_set_before_it_refused_is_set_back(desk: Desk) -> None:
    record = await queued(desk)
    desk.slurm.error = SlurmRefused("Invalid account")
    with pytest.raises(SlurmRefused):
        await change(desk, record, account="vision", gpus=1)
    after = await desk.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)
    assert desk.slurm.steps == ["change", "change"]


async def test_only_what_waits_is_changed(desk: Desk) -> None:
    record = await queued(desk)
    desk.slurm.becomes(record.job_id or 0, JobState.RUNNING, nodes="node001")
    await desk.reconcile()
    with pytest.raises(Conflict, match="started already"):
        await change(desk, record, gpus=1)


async def test_a_job_that_starts_meanwhile_stays_and_the_new_one_goes(desk: Desk) -> None:
    record = await queued(desk)
    taken = desk.slurm.withdraw

    async def starts_first(user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        desk.slurm.becomes(job_id, JobState.RUNNING, nodes="node001")
        return await taken(user, session_id, job_id, successor)

    desk.slurm.withdraw = starts_first  # type: ignore[method-assign]
    with pytest.raises(Conflict, match="just started"):
        await change(desk, record, gpus=0, new_job=True)
    assert [job.id for job in living(desk)] == [record.job_id]
    after = await desk.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)


async def test_a_session_stopped_meanwhile_leaves_no_job(desk: Desk) -> None:
    record = await queued(desk)
    submit = desk.slurm.submit

    async def stopped_first(*asked: Any) -> Any:
        made = await submit(*asked)
        await desk.service.stop(record.id)
        return made

    desk.slurm.submit = stopped_first  # type: ignore[method-assign]
    await change(desk, record, gpus=0, new_job=True)
    assert living(desk) == []
    await desk.reconcile()
    assert await desk.state(record) == "ended"


@pytest.mark.parametrize("fault", ["dies_at", "silent_at"])
@pytest.mark.parametrize("point", ["change", "changed", "submit", "submitted", "withdraw", "withdrawn"])
async def test_whoever_dies_at_whatever_point_there_is_one_job_and_the_row_says_what_it_asks_for(
    desk: Desk, fault: str, point: str
) -> None:
    record = await queued(desk)
    setattr(desk.slurm, fault, point)
    in_place = point.startswith("change")
    asked: dict[str, Any] = {"walltime_s": HOUR} if in_place else {"gpus": 0}
    with suppress(asyncio.CancelledError, OutcomeUnknown):
        await change(desk, record, new_job=not in_place, **asked)
    desk.slurm.dies_at = desk.slurm.silent_at = ""
    desk.changes._busy.clear()  # the portal that comes back knows nothing
    assert (await desk.store.get(record.id)).change is not None

    for _ in range(24):
        assert len(living(desk)) in (1, 2)
        able = [job for job in living(desk) if job.reason != "Dependency"]
        assert len(able) <= 1
        await desk.reconcile()
    after = await desk.store.get(record.id)
    job = next(iter(living(desk)))
    assert len(living(desk)) == 1
    assert (after.state, after.change, after.job_id) == ("queued", None, job.id)
    assert (after.gpus, after.walltime_s) == (job.gpus, job.time_limit_s)
    done = after.walltime_s == HOUR if in_place else after.gpus == 0
    assert done == (point not in ("change", "submit"))


@pytest.mark.parametrize("killed", ["before", "after"])
async def test_a_new_job_that_slurm_forgets_leaves_the_old_one_or_is_submitted_again(desk: Desk, killed: str) -> None:
    record = await queued(desk)
    taken = desk.slurm.withdraw

    async def forgets(user: str, session_id: str, job_id: int, successor: int) -> tuple[bool, bool]:
        if killed == "before":
            del desk.slurm.found[successor]
            return await taken(user, session_id, job_id, successor)
        gone, _ = await taken(user, session_id, job_id, successor)
        del desk.slurm.found[successor]
        return gone, False

    desk.slurm.withdraw = forgets  # type: ignore[method-assign]
    if killed == "before":
        with pytest.raises(SlurmRefused, match="lost the new job"):
            await change(desk, record, gpus=0, new_job=True)
    else:
        await change(desk, record, gpus=0, new_job=True)
    after = await desk.store.get(record.id)
    assert [(job.id, job.gpus) for job in living(desk)] == [(after.job_id, after.gpus)]
    assert after.gpus == (2 if killed == "before" else 0)


def forget(desk: Desk, before: dict[int, Job], *, keep: int | None = None) -> None:
    """Let slurmctld come back with the state it had before, and with the job `keep`, too."""
    kept = {keep: replace(desk.slurm.found[keep], reason="Dependency")} if keep is not None else {}
    desk.slurm.found = before | kept


@pytest.mark.parametrize("keeps_new", [True, False])
async def test_a_new_job_or_the_old_one_stays_when_a_killed_slurmctld_forgets(desk: Desk, keeps_new: bool) -> None:
    record = await queued(desk)
    before = dict(desk.slurm.found)
    changed = await change(desk, record, gpus=0, new_job=True)
    await desk.reconcile()
    forget(desk, before, keep=changed.job_id if keeps_new else None)
    for _ in range(12):
        await desk.reconcile()
    after = await desk.store.get(record.id)
    assert [(job.id, job.gpus) for job in living(desk)] == [(after.job_id, after.gpus)]
    assert (after.state, after.gpus, after.change) == ("queued", 0 if keeps_new else 2, None)


async def test_an_old_job_that_is_back_and_starts_keeps_the_session(desk: Desk) -> None:
    record = await queued(desk)
    before = dict(desk.slurm.found)
    changed = await change(desk, record, gpus=0, new_job=True)
    forget(desk, before, keep=changed.job_id)
    desk.slurm.becomes(record.job_id or 0, JobState.RUNNING, nodes="node001")
    for _ in range(12):
        await desk.reconcile()
    after = await desk.store.get(record.id)
    assert [job.id for job in living(desk)] == [record.job_id] == [after.job_id]
    assert (after.state, after.gpus) == ("allocated", 2)


async def test_a_change_in_place_that_a_killed_slurmctld_forgets_is_taken_back(desk: Desk) -> None:
    record = await queued(desk)
    before = dict(desk.slurm.found)
    await change(desk, record, gpus=1, walltime_s=HOUR)
    await desk.reconcile()
    assert (await desk.store.get(record.id)).gpus == 1
    forget(desk, before)
    await desk.reconcile()
    after = await desk.store.get(record.id)
    assert (after.gpus, after.walltime_s, after.change) == (2, 4 * HOUR, None)
    _, events = await desk.store.progress(record.id, 0)
    assert events[-1].message.startswith("Slurm was restarted and lost the change: it asks for 2 ")
    assert (await change(desk, record, gpus=1)).gpus == 1, "it can be changed again"


async def test_what_was_changed_can_be_changed_again_at_once(desk: Desk) -> None:
    record = await queued(desk)
    await change(desk, record, gpus=1)
    assert (await change(desk, record, gpus=2)).gpus == 2
    for _ in range(12):
        await desk.reconcile()
    after = await desk.store.get(record.id)
    assert (after.gpus, after.change) == (2, None)


async def test_an_agent_that_comes_before_the_outcome_is_written_asks_again(desk: Desk) -> None:
    from portal.sessions.schemas import AgentHello

    record = await queued(desk)
    desk.slurm.dies_at = "withdrawn"
    with suppress(asyncio.CancelledError):
        await change(desk, record, gpus=0, new_job=True)
    desk.slurm.dies_at = ""
    desk.changes._busy.clear()
    new = next(iter(living(desk)))
    hello = AgentHello(
        session=record.id, secret=desk.slurm.secrets[record.id], key="0" * 64, job_id=new.id, node="node001"
    )
    assert await desk.agents.hello(hello) is None
    desk.slurm.found[new.id] = replace(new, state=JobState.RUNNING, nodes="node001", reason="")
    for _ in range(12):
        await desk.reconcile()
    assert (await desk.store.get(record.id)).job_id == new.id
