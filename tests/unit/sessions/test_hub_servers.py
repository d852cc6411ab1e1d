"""The Hub's servers and the sessions compared, with a Hub that is slow, away, or refuses for a while."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import HubUnavailable
from portal.hub.client import HubServer
from portal.slurm.jobs import JobState
from portal.slurm.snapshot import Reach

from .conftest import Desk
from .steps import ready


async def test_stop_that_overtakes_a_start_at_a_slow_hub_wins(desk: Desk) -> None:
    """The Hub is asked, the session is stopped and gone, and only then the Hub has done what it was asked for."""
    desk.hub.held = asyncio.Event()
    record = await desk.start()
    await desk.hub.asked.wait()
    await desk.service.stop(record.id)
    await desk.reconcile()
    assert await desk.state(record) == "ended"
    desk.hub.held.set()
    await desk.done()
    assert desk.hub.started == [("alice", record.server_name, record.id)]
    assert desk.hub.servers_ == {}, "What was started for a session that is over is undone."
    assert len(desk.slurm.found) == 1


async def test_session_stopped_while_the_hub_is_listed_is_not_handed_back(desk: Desk) -> None:
    records = [await desk.start() for _ in range(3)]
    await desk.done()
    desk.hub.started.clear()
    desk.hub.servers_.clear()
    desk.hub.asked.clear()
    desk.hub.held = asyncio.Event()
    comparing = asyncio.create_task(desk.compare(after_s=60))
    await desk.hub.asked.wait()
    for record in records[:2]:
        await desk.service.stop(record.id)
    await desk.reconcile()
    desk.hub.held.set()
    await comparing
    assert [session for _, _, session in desk.hub.started] == [records[2].id]


async def test_session_stopped_between_the_decision_and_the_call_is_not_started(desk: Desk) -> None:
    record = await desk.start()
    await desk.done()
    desk.hub.started.clear()
    await desk.service.stop(record.id)
    desk.hub_servers._link.start(record.id)
    await desk.done()
    assert desk.hub.started == []


async def test_server_of_a_session_that_is_over_is_dropped_until_it_is_gone(desk: Desk) -> None:
    record = await desk.start()
    await desk.done()
    key = ("alice", record.server_name)
    desk.hub.servers_[key] = HubServer(ready=True, pending=None, session_id=record.id)
    desk.hub.refusing = 3  # its database is locked
    await desk.service.stop(record.id)
    await desk.reconcile()
    await desk.done()
    for _ in range(3):
        assert key in desk.hub.servers_
        await desk.compare()
    assert desk.hub.servers_ == {}


async def test_server_that_the_hub_takes_for_ready_and_that_never_started_is_replaced(desk: Desk) -> None:
    record = await desk.start()
    await desk.done()
    key = ("alice", record.server_name)
    desk.hub.servers_[key] = HubServer(ready=True, pending=None)  # its database failed in the middle of the start
    await desk.compare(after_s=60)
    assert desk.hub.stopped == [key]
    assert desk.hub.started == [(*key, record.id)] * 2
    assert len(desk.slurm.found) == 1


@pytest.mark.parametrize("pending", ["stop", "check"])
async def test_server_that_hangs_in_something_is_dropped_too(desk: Desk, pending: str) -> None:
    record = await desk.start()
    await desk.done()
    await desk.service.stop(record.id)
    await desk.reconcile()
    await desk.done()
    desk.hub.servers_["alice", record.server_name] = HubServer(ready=False, pending=pending, session_id=record.id)
    await desk.compare()
    assert desk.hub.servers_ == {}


async def test_server_that_is_started_at_the_hub_just_now_is_left_alone(desk: Desk) -> None:
    desk.hub.servers_["alice", "new"] = HubServer(ready=False, pending="spawn")
    for _ in range(5):
        await desk.compare()
    assert list(desk.hub.servers_) == [("alice", "new")]


async def test_stopped_server_is_removed_after_a_while(desk: Desk) -> None:
    desk.hub.idle["alice", "old"] = HubServer(ready=False, pending=None)
    desk.hub.idle["alice", ""] = HubServer(ready=False, pending=None)
    await desk.compare()
    assert len(desk.hub.idle) == 2, "Its user reads why it did not start."
    await desk.compare()
    assert list(desk.hub.idle) == [("alice", "")], "One without a name cannot be removed."
    assert desk.hub.stopped == [("alice", "old")]


async def test_stopped_server_is_removed_though_the_clock_is_set_back(desk: Desk) -> None:
    desk.hub.idle["alice", "old"] = HubServer(ready=False, pending=None)
    await desk.compare()
    desk.clock.set(-3600)
    await desk.compare(after_s=45)
    assert desk.hub.stopped == [("alice", "old")]


async def test_nothing_is_concluded_while_the_hub_does_not_answer(desk: Desk) -> None:
    record = await desk.start()
    await desk.done()
    desk.hub.started.clear()
    desk.hub.servers_.clear()
    desk.hub.away = True
    with pytest.raises(HubUnavailable):
        await desk.compare(after_s=60)
    assert (desk.hub.started, desk.hub.stopped) == ([], [])
    desk.hub.away = False
    await desk.compare()
    assert desk.hub.started == [("alice", record.server_name, record.id)]


@pytest.mark.parametrize("state", [Reach.DOWN, Reach.UNKNOWN])
async def test_server_whose_session_is_not_known_stays_while_slurm_cannot_say(desk: Desk, state: Reach) -> None:
    desk.hub.servers_["alice", "x"] = HubServer(ready=True, pending=None, session_id="aaaaaaaaaaaa")
    snapshot = desk.watcher.look()
    desk.watcher.snapshot = snapshot.__class__(state=state)
    await desk.compare()
    assert desk.hub.stopped == []
    desk.watcher.snapshot = snapshot
    await desk.compare()
    assert desk.hub.stopped == [("alice", "x")]


async def test_number_of_calls_does_not_grow_with_the_sessions(desk: Desk) -> None:
    async def calls() -> int:
        desk.hub.calls = 0
        for _ in range(4):  # a minute
            await desk.compare()
        return desk.hub.calls

    async def run(user: str) -> None:
        record = await desk.start(user, gpus=0)
        await ready(desk, record)
        await desk.done()
        desk.hub.servers_[user, record.server_name] = HubServer(ready=True, pending=None, session_id=record.id)

    await run("alice")
    number = await calls()
    for user in ["alice", "bob"] * 8:
        await run(user)
    assert await calls() == number == 4


async def test_row_that_has_lost_its_address_gets_it_from_the_hub(desk: Desk) -> None:
    record = await desk.start()
    await desk.done()
    desk.hub.servers_["alice", record.server_name] = HubServer(
        ready=True, pending=None, session_id=record.id, base_url=f"/user/alice/{record.server_name}/"
    )
    await desk.compare(after_s=60)
    assert (await desk.store.get(record.id)).base_url == f"/user/alice/{record.server_name}/"
    assert desk.slurm.found[100].state is JobState.RUNNING
