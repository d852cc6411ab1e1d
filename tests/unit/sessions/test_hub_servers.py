"""The Hub's servers and the sessions compared, with a Hub that is slow, away, or refuses for a while."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import HubUnavailable
from portal.hub.client import HubServer
from portal.slurm.jobs import JobState
from portal.slurm.snapshot import Reach

from .conftest import Harness
from .steps import ready


async def test_stop_that_overtakes_a_start_at_a_slow_hub_wins(harness: Harness) -> None:
    """The Hub is asked, the session is stopped and gone, and only then the Hub has done what it was asked for."""
    harness.hub.held = asyncio.Event()
    record = await harness.start()
    await harness.hub.asked.wait()
    await harness.service.stop(record.id)
    await harness.reconcile()
    assert await harness.state(record) == "ended"
    harness.hub.held.set()
    await harness.done()
    assert harness.hub.started == [("alice", record.server_name, record.id)]
    assert harness.hub.servers_ == {}, "What was started for a session that is over is undone."
    assert len(harness.slurm.found) == 1


async def test_session_stopped_while_the_hub_is_listed_is_not_handed_back(harness: Harness) -> None:
    records = [await harness.start() for _ in range(3)]
    await harness.done()
    harness.hub.started.clear()
    harness.hub.servers_.clear()
    harness.hub.asked.clear()
    harness.hub.held = asyncio.Event()
    comparing = asyncio.create_task(harness.compare(after_s=60))
    await harness.hub.asked.wait()
    for record in records[:2]:
        await harness.service.stop(record.id)
    await harness.reconcile()
    harness.hub.held.set()
    await comparing
    assert [session for _, _, session in harness.hub.started] == [records[2].id]


async def test_session_stopped_between_the_decision_and_the_call_is_not_started(harness: Harness) -> None:
    record = await harness.start()
    await harness.done()
    harness.hub.started.clear()
    await harness.service.stop(record.id)
    harness.hub_servers.link.start(record.id)
    await harness.done()
    assert harness.hub.started == []


async def test_server_of_a_session_that_is_over_is_dropped_until_it_is_gone(harness: Harness) -> None:
    record = await harness.start()
    await harness.done()
    key = ("alice", record.server_name)
    harness.hub.servers_[key] = HubServer(ready=True, pending=None, session_id=record.id)
    harness.hub.refusing = 3  # its database is locked
    await harness.service.stop(record.id)
    await harness.reconcile()
    await harness.done()
    for _ in range(3):
        assert key in harness.hub.servers_
        await harness.compare()
    assert harness.hub.servers_ == {}


async def test_server_that_the_hub_takes_for_ready_and_that_never_started_is_replaced(harness: Harness) -> None:
    record = await harness.start()
    await harness.done()
    key = ("alice", record.server_name)
    harness.hub.servers_[key] = HubServer(ready=True, pending=None)  # its database failed in the middle of the start
    await harness.compare(after_s=60)
    assert harness.hub.stopped == [key]
    assert harness.hub.started == [(*key, record.id)] * 2
    assert len(harness.slurm.found) == 1


@pytest.mark.parametrize("pending", ["stop", "check"])
async def test_server_that_hangs_in_something_is_dropped_too(harness: Harness, pending: str) -> None:
    record = await harness.start()
    await harness.done()
    await harness.service.stop(record.id)
    await harness.reconcile()
    await harness.done()
    harness.hub.servers_["alice", record.server_name] = HubServer(ready=False, pending=pending, session_id=record.id)
    await harness.compare()
    assert harness.hub.servers_ == {}


async def test_server_that_is_started_at_the_hub_just_now_is_left_alone(harness: Harness) -> None:
    harness.hub.servers_["alice", "new"] = HubServer(ready=False, pending="spawn")
    for _ in range(5):
        await harness.compare()
    assert list(harness.hub.servers_) == [("alice", "new")]


async def test_stopped_server_is_removed_after_a_while(harness: Harness) -> None:
    harness.hub.idle["alice", "old"] = HubServer(ready=False, pending=None)
    harness.hub.idle["alice", ""] = HubServer(ready=False, pending=None)
    await harness.compare()
    assert len(harness.hub.idle) == 2, "Its user reads why it did not start."
    await harness.compare()
    assert list(harness.hub.idle) == [("alice", "")], "One without a name cannot be removed."
    assert harness.hub.stopped == [("alice", "old")]


async def test_stopped_server_is_removed_though_the_clock_is_set_back(harness: Harness) -> None:
    harness.hub.idle["alice", "old"] = HubServer(ready=False, pending=None)
    await harness.compare()
    harness.clock.set(-3600)
    await harness.compare(after_s=45)
    assert harness.hub.stopped == [("alice", "old")]


async def test_nothing_is_concluded_while_the_hub_does_not_answer(harness: Harness) -> None:
    record = await harness.start()
    await harness.done()
    harness.hub.started.clear()
    harness.hub.servers_.clear()
    harness.hub.away = True
    with pytest.raises(HubUnavailable):
        await harness.compare(after_s=60)
    assert (harness.hub.started, harness.hub.stopped) == ([], [])
    harness.hub.away = False
    await harness.compare()
    assert harness.hub.started == [("alice", record.server_name, record.id)]


@pytest.mark.parametrize("state", [Reach.DOWN, Reach.UNKNOWN])
async def test_server_whose_session_is_not_known_stays_while_slurm_cannot_say(harness: Harness, state: Reach) -> None:
    harness.hub.servers_["alice", "x"] = HubServer(ready=True, pending=None, session_id="aaaaaaaaaaaa")
    snapshot = harness.watcher.look()
    harness.watcher.snapshot = snapshot.__class__(state=state)
    await harness.compare()
    assert harness.hub.stopped == []
    harness.watcher.snapshot = snapshot
    await harness.compare()
    assert harness.hub.stopped == [("alice", "x")]


async def test_number_of_calls_does_not_grow_with_the_sessions(harness: Harness) -> None:
    async def calls() -> int:
        harness.hub.calls = 0
        for _ in range(4):  # a minute
            await harness.compare()
        return harness.hub.calls

    async def run(user: str) -> None:
        record = await harness.start(user, gpus=0)
        await ready(harness, record)
        await harness.done()
        harness.hub.servers_[user, record.server_name] = HubServer(ready=True, pending=None, session_id=record.id)

    await run("alice")
    number = await calls()
    for user in ["alice", "bob"] * 8:
        await run(user)
    assert await calls() == number == 4


async def test_row_that_has_lost_its_address_gets_it_from_the_hub(harness: Harness) -> None:
    record = await harness.start()
    await harness.done()
    harness.hub.servers_["alice", record.server_name] = HubServer(
        ready=True, pending=None, session_id=record.id, base_url=f"/user/alice/{record.server_name}/"
    )
    await harness.compare(after_s=60)
    assert (await harness.store.get(record.id)).base_url == f"/user/alice/{record.server_name}/"
    assert harness.slurm.found[100].state is JobState.RUNNING
