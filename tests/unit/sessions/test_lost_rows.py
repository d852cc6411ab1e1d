"""A database that has lost its last changes, or whole rows: healthy sessions go on, and nobody else gets to be them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete, update

from portal.errors import Forbidden, HelloWanted
from portal.hub.client import HubServer
from portal.sessions.models import SessionEvent, SessionRecord
from portal.sessions.schemas import AgentReady, AgentReport
from portal.slurm.jobs import JobState

from .conftest import Desk
from .steps import KEY, NODE, OTHER_KEY, hello, ready, until

REPORT = AgentReport(cpu_percent=1.0, memory_mib=100, gpus=[], connections=0)


@pytest.fixture
async def session(desk: Desk) -> SessionRecord:
    """A session that is ready, in the Hub too."""
    record = await desk.start(gpus=1)
    await ready(desk, record)
    await desk.done()
    desk.hub.servers_["alice", record.server_name] = HubServer(
        ready=True,
        pending=None,
        session_id=record.id,
        base_url=f"/user/alice/{record.server_name}/",
        options=desk.hub.servers_["alice", record.server_name].options,
    )
    return await desk.store.get(record.id)


async def lose_the_hello(desk: Desk, record: SessionRecord) -> None:
    """Set the row back to what it was before the agent's first word."""
    async with desk.store._work() as db:
        await db.execute(
            update(SessionRecord)
            .where(SessionRecord.id == record.id)
            .values(
                state="allocated",
                agent_key_hash=None,
                hello_at=None,
                server_url=None,
                ready_at=None,
                base_url=None,
                launch_sealed=None,
            )
        )


async def lose_the_row(desk: Desk, record: SessionRecord) -> None:
    async with desk.store._work() as db:
        await db.execute(delete(SessionEvent).where(SessionEvent.session_id == record.id))
        await db.execute(delete(SessionRecord).where(SessionRecord.id == record.id))


async def introduce(desk: Desk, record: SessionRecord, key: str = KEY) -> None:
    """Do what an agent does that is asked for it."""
    again = hello(desk, record.id, key).model_copy(update={"again": True})
    assert await desk.agents.hello(again) is None
    known = await desk.agents.authenticate(record.id, key)
    await desk.agents.ready(known, AgentReady(ip=NODE, port=20001), peer=NODE)


async def test_healthy_session_whose_hello_is_lost_goes_on(desk: Desk, session: SessionRecord) -> None:
    await lose_the_hello(desk, session)
    with pytest.raises(HelloWanted):
        await desk.agents.authenticate(session.id, KEY)
    await introduce(desk, session)
    await until(desk, session, "ready")
    await desk.compare(after_s=60)
    await desk.reconcile(after_s=600)
    await desk.agents.report(await desk.agents.authenticate(session.id, KEY), REPORT)
    back = await desk.store.get(session.id)
    assert (back.state, back.server_url, back.base_url) == ("ready", session.server_url, session.base_url)
    assert desk.slurm.cancelled == []


async def test_hello_said_again_binds_no_other_key(desk: Desk, session: SessionRecord) -> None:
    with pytest.raises(Forbidden):
        await introduce(desk, session, OTHER_KEY)
    await lose_the_hello(desk, session)
    wrong = hello(desk, session.id).model_copy(update={"again": True, "secret": "0" * 64})
    with pytest.raises(Forbidden):
        await desk.agents.hello(wrong)
    await introduce(desk, session)
    with pytest.raises(Forbidden):
        await introduce(desk, session, OTHER_KEY)


async def test_agent_whose_ready_is_lost_is_asked_for_it(desk: Desk, session: SessionRecord) -> None:
    async with desk.store.change(session.id) as draft:
        draft.set(state="starting", server_url=None, ready_at=None)
    with pytest.raises(HelloWanted):
        await desk.agents.report(await desk.agents.authenticate(session.id, KEY), REPORT)
    await introduce(desk, session)
    await until(desk, session, "ready")


async def test_portal_that_has_just_started_gives_agents_time_to_be_heard(desk: Desk, session: SessionRecord) -> None:
    """The job has run for hours, the row says nobody spoke: not a reason to end it before its agent can speak."""
    await lose_the_hello(desk, session)
    desk.clock.pass_(7200)
    desk.reconciler._live.forget_all_but(())
    for _ in range(2):
        await desk.reconcile(after_s=120)
        assert desk.slurm.cancelled == []
    await desk.reconcile(after_s=120)
    assert desk.slurm.cancelled == [("alice", 100)], "Nobody has spoken for long since."


async def test_session_whose_row_is_lost_is_made_anew_from_slurm_and_the_hub(
    desk: Desk, session: SessionRecord
) -> None:
    desk.slurm.becomes(100, JobState.RUNNING, cpus=8, memory_mib=49152, gpus=1, time_limit_s=28800)
    await lose_the_row(desk, session)
    for _ in range(5):
        await desk.reconcile(after_s=40)
        await desk.compare()
    assert (desk.slurm.cancelled, desk.hub.stopped) == ([], [])
    back = await desk.store.get(session.id)
    assert (back.state, back.owner, back.name, back.server_name) == (
        "ready",
        "alice",
        session.name,
        session.server_name,
    )
    assert (back.app, back.environment, back.base_url) == ("jupyterlab", "base", session.base_url)
    assert (back.gpus, back.cpus, back.memory_mib, back.walltime_s) == (1, 8, 49152, 28800)
    with pytest.raises(HelloWanted):
        await desk.agents.authenticate(session.id, KEY)
    await introduce(desk, session)
    await desk.agents.report(await desk.agents.authenticate(session.id, KEY), REPORT)
    await desk.service.stop(session.id)
    assert desk.slurm.cancelled == [("alice", 100)]


async def test_job_whose_row_is_lost_is_kept_while_the_hub_does_not_answer(desk: Desk, session: SessionRecord) -> None:
    await lose_the_row(desk, session)
    desk.hub.away = True
    for _ in range(10):
        await desk.reconcile(after_s=40)
    assert desk.slurm.cancelled == []
    desk.hub.away = False
    desk.hub.servers_.clear()
    await desk.reconcile()
    assert desk.slurm.cancelled == [("alice", 100)], "The Hub knows nothing of it: nobody can reach it."


async def test_server_and_job_of_somebody_else_do_not_make_a_session(desk: Desk, session: SessionRecord) -> None:
    await lose_the_row(desk, session)
    server = desk.hub.servers_.pop(("alice", session.server_name))
    desk.hub.servers_["bob", "x"] = server
    for _ in range(5):
        await desk.reconcile(after_s=40)
    assert await desk.store.known(session.id) is None
    assert desk.slurm.cancelled == [("alice", 100)]


async def test_job_without_a_row_is_not_cancelled_because_the_clock_is_set_ahead(
    desk: Desk, session: SessionRecord
) -> None:
    await lose_the_row(desk, session)
    desk.hub.servers_.clear()
    for _ in range(4):
        await desk.reconcile()
        desk.clock.set(3600)
    assert desk.slurm.cancelled == []


async def test_second_job_of_a_session_is_cancelled_once_it_is_certainly_no_start_under_way(
    desk: Desk, session: SessionRecord
) -> None:
    desk.slurm.found[101] = replace(desk.slurm.found[100], id=101)
    await desk.reconcile()
    await desk.reconcile()
    assert desk.slurm.cancelled == []
    await desk.reconcile(after_s=20)
    assert desk.slurm.cancelled == [("alice", 101)]
    assert await desk.state(session) == "ready"
