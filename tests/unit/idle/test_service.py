"""The idle policy on running sessions: warnings, snoozes, withdrawals and ends, through restarts and failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from portal.audit.models import AuditRecord
from portal.errors import Conflict, DirectoryUnavailable, Forbidden, PolicyRefused, SlurmUnavailable
from portal.notifications.models import Delivery
from portal.sessions.schemas import IdleOut
from portal.settings.idle import Idle
from portal.slurm.jobs import Job, JobState
from tests.unit.idle.conftest import Office
from tests.unit.sessions.conftest import Harness


def shown(office: Office, session_id: str) -> IdleOut | None:
    return office.harness.live.idle(session_id)


async def entries(harness: Harness, action: str) -> list[AuditRecord]:
    async with harness.work() as db:
        return list(await db.scalars(select(AuditRecord).where(AuditRecord.action == action)))


async def mails(harness: Harness) -> list[Delivery]:
    async with harness.work() as db:
        return list(await db.scalars(select(Delivery).order_by(Delivery.id)))


async def test_an_idle_session_is_told_and_ended_after_the_grace(office: Office) -> None:
    record = await office.session()
    record = await office.reports(record, 59)
    assert shown(office, record.id) is None
    record = await office.reports(record, 1)
    idle = shown(office, record.id)
    assert idle is not None
    assert idle.ends_at is not None
    assert (idle.ends_at - office.harness.clock()).total_seconds() == 30 * 60
    (mail,) = await mails(office.harness)
    assert (mail.event, mail.title) == ("idle", f"{record.name} is idle and will be ended at 13:30 UTC")
    assert "None of its GPUs, kernels, terminals or files has been in use for 1 h." in mail.text
    record = await office.reports(record, 29.5)
    assert record.state == "ready"
    record = await office.reports(record, 0.5)
    assert (record.state, record.end_code) == ("stopping", "idle")
    assert "Idle for 1 h 30 min, so the session is being ended." in await office.said(record)
    assert [entry.actor for entry in await entries(office.harness, "session.idle_warn")] == ["portal"]
    assert {entry.result for entry in await entries(office.harness, "session.idle_end")} == {"unknown", "ok"}
    assert office.policy.counts == {"warned": 1, "ended": 1}


@pytest.mark.parametrize(
    "signs",
    [
        {"gpu": 40.0},
        {"gpu": None},
        {"kernel_busy_percent": 3.0},
        {"kernel_busy_percent": None},
        {"programs": 1},
        {"quiet_s": 10.0},
        {"disk_kib_s": 900.0},
        {"network_kib_s": 900.0},
    ],
)
async def test_a_session_that_may_be_working_is_left_alone(office: Office, signs: dict[str, Any]) -> None:
    record = await office.reports(await office.session(), 120, **signs)
    assert record.state == "ready"
    assert shown(office, record.id) is None
    assert await mails(office.harness) == []


async def test_a_session_without_gpus_is_left_alone(office: Office) -> None:
    record = await office.reports(await office.session(gpus=0), 120)
    assert record.state == "ready"


async def test_the_agent_learns_of_the_end_at_once(office: Office) -> None:
    record = await office.session()
    waiting = asyncio.create_task(office.harness.agents.orders(record.id))
    await office.reports(record, 60)
    idle = shown(office, record.id)
    assert idle is not None
    assert (await asyncio.wait_for(waiting, 10)).idle_ends_at == idle.ends_at


async def test_work_withdraws_the_warning(office: Office) -> None:
    record = await office.reports(await office.session(), 70)
    assert shown(office, record.id) is not None
    record = await office.reports(record, 0.5, kernel_busy_percent=10.0)
    assert shown(office, record.id) is None
    assert (await office.said(record))[-1] == "The session is active again; the idle warning is withdrawn."
    record = await office.reports(record, 59)
    assert record.state == "ready"
    assert office.policy.counts == {"warned": 1, "cleared": 1}


async def test_a_snooze_is_counted_and_limited(office: Office) -> None:
    record = await office.reports(await office.session(), 70)
    await office.policy.snooze(record.id, "alice")
    assert shown(office, record.id) is None
    assert (await office.said(record))[-1] == "Snoozed for 2 h; 0 snoozes left."
    record = await office.reports(record, 119)
    assert shown(office, record.id) is None
    record = await office.reports(record, 1)
    idle = shown(office, record.id)
    assert idle is not None
    assert idle.snoozes_left == 0
    with pytest.raises(PolicyRefused, match="This session has been snoozed once"):
        await office.policy.snooze(record.id, "alice")
    record = await office.reports(record, 30)
    assert record.end_code == "idle"


async def test_a_snooze_needs_a_warning_and_its_owner(office: Office) -> None:
    record = await office.session()
    with pytest.raises(Conflict):
        await office.policy.snooze(record.id, "alice")
    with pytest.raises(Forbidden):
        await office.policy.snooze(record.id, "bob")


async def test_a_restart_keeps_warnings_and_snoozes_and_gives_the_whole_grace(office: Office) -> None:
    record = await office.reports(await office.session(), 60)
    await office.policy.snooze(record.id, "alice")
    record = await office.reports(record, 120 + 25)
    await office.restart()
    idle = shown(office, record.id)
    assert idle is not None
    assert idle.snoozes_left == 0
    record = await office.reports(record, 29.5)
    assert record.state == "ready"
    record = await office.reports(record, 0.5)
    assert record.end_code == "idle"


async def test_members_of_an_exempt_group_are_not_told(office: Office) -> None:
    office.groups["alice"] = ("professors",)
    record = await office.reports(await office.session(), 200)
    assert record.state == "ready"
    assert await mails(office.harness) == []
    assert shown(office, record.id) is None


async def test_nobody_is_warned_while_the_directory_is_away_and_then_the_grace_is_whole(office: Office) -> None:
    office.directory_error = DirectoryUnavailable("The directory does not answer.")
    record = await office.reports(await office.session(), 120)
    assert (record.state, shown(office, record.id)) == ("ready", None)
    office.directory_error = None
    record = await office.reports(record, 0.5)
    assert shown(office, record.id) is not None
    record = await office.reports(record, 29.5)
    assert record.state == "ready"


async def test_an_end_that_slurm_did_not_hear_is_tried_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    record, stops = await office.reports(await office.session(), 89.5), []
    stop = office.harness.service.stop

    async def away(session_id: str, **how: Any) -> Any:
        stops.append(session_id)
        if len(stops) == 1:
            raise SlurmUnavailable("Slurm does not answer.")
        return await stop(session_id, **how)

    monkeypatch.setattr(office.harness.service, "stop", away)
    record = await office.reports(record, 1)
    assert (len(stops), record.end_code) == (2, "idle")


async def test_telling_alone_ends_nothing(made: Callable[..., Any]) -> None:
    office = await made(action="tell")
    record = await office.reports(await office.session(), 300)
    assert record.state == "ready"
    (mail,) = await mails(office.harness)
    assert mail.title == f"{record.name} is idle"


async def test_without_the_policy_nothing_is_followed(harness: Harness) -> None:
    office = Office(harness, Idle())
    await office.policy.run()
    record = await office.reports(await office.session(), 300)
    assert record.state == "ready"
    assert not office.policy.is_on


async def test_only_while_others_wait_for_these_gpus(made: Callable[..., Any]) -> None:
    office = await made(while_others_wait=True)
    record = await office.reports(await office.session(), 200)
    assert shown(office, record.id) is None
    harness = office.harness
    waiting = Job(
        id=900, name="train", user="bob", account="", partition="sxm2", qos="", state=JobState.PENDING,
        reason="Resources", gpus=1, gpu_type=None, cpus=1, memory_mib=1, nodes="", submitted_at=harness.clock(),
        time_limit_s=60, comment="",
    )  # fmt: skip
    harness.slurm.found[900] = waiting
    harness.watcher.look()
    record = await office.reports(record, 0.5)
    assert shown(office, record.id) is not None
    harness.slurm.found[900] = replace(waiting, state=JobState.RUNNING, reason="")
    harness.watcher.look()
    record = await office.reports(record, 0.5)
    assert shown(office, record.id) is None
    assert (await office.said(record))[-1] == "The idle warning is withdrawn."
