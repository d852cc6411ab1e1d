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

from .conftest import Harness
from .steps import KEY, NODE, OTHER_KEY, hello, ready, until

REPORT = AgentReport(cpu_percent=1.0, memory_mib=100, gpus=[], connections=0)


@pytest.fixture
async def session(harness: Harness) -> SessionRecord:
    """A session that is ready, in the Hub too."""
    record = await harness.start(gpus=1)
    await ready(harness, record)
    await harness.done()
    harness.hub.servers_["alice", record.server_name] = HubServer(
        ready=True,
        pending=None,
        session_id=record.id,
        base_url=f"/user/alice/{record.server_name}/",
        options=harness.hub.servers_["alice", record.server_name].options,
    )
    return await harness.store.get(record.id)


async def lose_the_hello(harness: Harness, record: SessionRecord) -> None:
    """Set the row back to what it was before the agent's first word."""
    async with harness.work() as db:
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


async def lose_the_row(harness: Harness, record: SessionRecord) -> None:
    async with harness.work() as db:
        await db.execute(delete(SessionEvent).where(SessionEvent.session_id == record.id))
        await db.execute(delete(SessionRecord).where(SessionRecord.id == record.id))


async def introduce(harness: Harness, record: SessionRecord, key: str = KEY) -> None:
    """Do what an agent does that is asked for it."""
    again = hello(harness, record.id, key).model_copy(update={"again": True})
    assert await harness.agents.hello(again) is None
    known = await harness.agents.authenticate(record.id, key)
    await harness.agents.ready(known, AgentReady(ip=NODE, port=20001), peer=NODE)


async def test_healthy_session_whose_hello_is_lost_goes_on(harness: Harness, session: SessionRecord) -> None:
    await lose_the_hello(harness, session)
    with pytest.raises(HelloWanted):
        await harness.agents.authenticate(session.id, KEY)
    await introduce(harness, session)
    await until(harness, session, "ready")
    await harness.compare(after_s=60)
    await harness.reconcile(after_s=600)
    await harness.agents.report(await harness.agents.authenticate(session.id, KEY), REPORT)
    back = await harness.store.get(session.id)
    assert (back.state, back.server_url, back.base_url) == ("ready", session.server_url, session.base_url)
    assert harness.slurm.cancelled == []


async def test_hello_said_again_binds_no_other_key(harness: Harness, session: SessionRecord) -> None:
    with pytest.raises(Forbidden):
        await introduce(harness, session, OTHER_KEY)
    await lose_the_hello(harness, session)
    wrong = hello(harness, session.id).model_copy(update={"again": True, "secret": "0" * 64})
    with pytest.raises(Forbidden):
        await harness.agents.hello(wrong)
    await introduce(harness, session)
    with pytest.raises(Forbidden):
        await introduce(harness, session, OTHER_KEY)


async def test_agent_whose_ready_is_lost_is_asked_for_it(harness: Harness, session: SessionRecord) -> None:
    async with harness.store.change(session.id) as draft:
        draft.set(state="starting", server_url=None, ready_at=None)
    with pytest.raises(HelloWanted):
        await harness.agents.report(await harness.agents.authenticate(session.id, KEY), REPORT)
    await introduce(harness, session)
    await until(harness, session, "ready")


async def test_portal_that_has_just_started_gives_agents_time_to_be_heard(
    harness: Harness, session: SessionRecord
) -> None:
    """The job has run for hours, the row says nobody spoke: not a reason to end it before its agent can speak."""
    await lose_the_hello(harness, session)
    harness.clock.pass_(7200)
    harness.live.forget_all_but(())
    for _ in range(2):
        await harness.reconcile(after_s=120)
        assert harness.slurm.cancelled == []
    await harness.reconcile(after_s=120)
    assert harness.slurm.cancelled == [("alice", 100)], "Nobody has spoken for long since."


async def test_session_whose_row_is_lost_is_made_anew_from_slurm_and_the_hub(
    harness: Harness, session: SessionRecord
) -> None:
    harness.slurm.becomes(100, JobState.RUNNING, cpus=8, memory_mib=49152, gpus=1, time_limit_s=28800)
    await lose_the_row(harness, session)
    for _ in range(5):
        await harness.reconcile(after_s=40)
        await harness.compare()
    assert (harness.slurm.cancelled, harness.hub.stopped) == ([], [])
    back = await harness.store.get(session.id)
    assert (back.state, back.owner, back.name, back.server_name) == (
        "ready",
        "alice",
        session.name,
        session.server_name,
    )
    assert (back.app, back.environment, back.base_url) == ("jupyterlab", "base", session.base_url)
    assert (back.gpus, back.cpus, back.memory_mib, back.walltime_s) == (1, 8, 49152, 28800)
    with pytest.raises(HelloWanted):
        await harness.agents.authenticate(session.id, KEY)
    await introduce(harness, session)
    await harness.agents.report(await harness.agents.authenticate(session.id, KEY), REPORT)
    await harness.service.stop(session.id)
    assert harness.slurm.cancelled == [("alice", 100)]


async def test_job_whose_row_is_lost_is_kept_while_the_hub_does_not_answer(
    harness: Harness, session: SessionRecord
) -> None:
    await lose_the_row(harness, session)
    harness.hub.away = True
    for _ in range(10):
        await harness.reconcile(after_s=40)
    assert harness.slurm.cancelled == []
    harness.hub.away = False
    harness.hub.servers_.clear()
    await harness.reconcile()
    assert harness.slurm.cancelled == [("alice", 100)], "The Hub knows nothing of it: nobody can reach it."


async def test_server_and_job_of_somebody_else_do_not_make_a_session(harness: Harness, session: SessionRecord) -> None:
    await lose_the_row(harness, session)
    server = harness.hub.servers_.pop(("alice", session.server_name))
    harness.hub.servers_["bob", "x"] = server
    for _ in range(5):
        await harness.reconcile(after_s=40)
    assert await harness.store.known(session.id) is None
    assert harness.slurm.cancelled == [("alice", 100)]


async def test_job_without_a_row_is_not_cancelled_because_the_clock_is_set_ahead(
    harness: Harness, session: SessionRecord
) -> None:
    await lose_the_row(harness, session)
    harness.hub.servers_.clear()
    for _ in range(4):
        await harness.reconcile()
        harness.clock.set(3600)
    assert harness.slurm.cancelled == []


async def test_second_job_of_a_session_is_cancelled_once_it_is_certainly_no_start_under_way(
    harness: Harness, session: SessionRecord
) -> None:
    harness.slurm.found[101] = replace(harness.slurm.found[100], id=101)
    await harness.reconcile()
    await harness.reconcile()
    assert harness.slurm.cancelled == []
    await harness.reconcile(after_s=20)
    assert harness.slurm.cancelled == [("alice", 101)]
    assert await harness.state(session) == "ready"
