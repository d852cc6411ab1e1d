"""The number of doors is bounded, in all and per user; a user with many requests delays only themselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from portal.errors import FilesUnavailable
from portal.files.service import FileService
from portal.settings import Slurm
from portal.slurm import process
from portal.slurm.door_client import Door
from portal.slurm.door_slots import MOST_WAITING, DoorBusy, Slots


def slots(most: int = 4, most_per_user: int = 2, wait_s: float = 5) -> Slots:
    return Slots(most, most_per_user, wait_s=wait_s)


async def idle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_no_more_run_than_may_and_each_gets_a_turn() -> None:
    places, running, most = slots(), 0, 0

    async def call(user: str) -> None:
        nonlocal running, most
        give_back = await places.take(user)
        running += 1
        most = max(most, running)
        await idle()
        running -= 1
        give_back()
        give_back()  # a second time means nothing

    await asyncio.gather(*(call(user) for user in ["alice"] * 100 + ["bob"] * 3 + ["carol"] * 50))
    assert (most, places.taken) == (4, 0)


async def test_user_with_hundreds_of_calls_does_not_keep_another_waiting() -> None:
    places = slots(most=2, most_per_user=2)
    held = [await places.take("alice") for _ in range(2)]
    order: list[str] = []

    async def call(user: str) -> None:
        give_back = await places.take(user)
        order.append(user)
        await asyncio.sleep(0)
        give_back()

    flood = [asyncio.create_task(call("alice")) for _ in range(300)]
    await asyncio.sleep(0)
    bob = asyncio.create_task(call("bob"))
    await asyncio.sleep(0)
    for give_back in held:
        give_back()
    await asyncio.gather(bob, *flood)
    assert order.index("bob") < 4


async def test_refusal_says_whose_calls_they_are_and_when_to_come_back() -> None:
    places = slots(most=3, wait_s=0.01)
    for _ in range(2):
        await places.take("alice")
    await places.take("bob")
    with pytest.raises(DoorBusy) as own:
        await places.take("alice")
    with pytest.raises(DoorBusy) as others:
        await places.take("carol")
    assert [(caught.value.status, caught.value.code) for caught in (own, others)] == [
        (429, "too_many_requests"),
        (503, "slurm_unavailable"),
    ]
    assert own.value.message == "You have 2 requests of this kind running, and more waiting."
    assert all(caught.value.retry_after_s for caught in (own, others))


async def test_queue_of_one_user_is_bounded() -> None:
    places = slots(most=1, most_per_user=1)
    give_back = await places.take("alice")
    waiting = [asyncio.create_task(places.take("alice")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(DoorBusy):
        await places.take("alice")
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    give_back()
    await asyncio.wait_for(places.take("alice"), 1)


@pytest.mark.parametrize("when", ["before", "with", "after"])
async def test_caller_who_gives_up_loses_no_slot(when: str) -> None:
    places = slots(most=1, most_per_user=1)
    give_back = await places.take("alice")
    waiting = asyncio.create_task(places.take("bob"))
    await asyncio.sleep(0)
    if when == "before":
        waiting.cancel()
        await idle()
        give_back()
    else:
        give_back()
        if when == "after":
            await idle()
        waiting.cancel()
    taken = (await asyncio.gather(waiting, return_exceptions=True))[0]
    if callable(taken):
        taken()
    assert places.taken == 0
    await asyncio.wait_for(places.take("carol"), 1)


def door(tmp_path: Path, script: str, **bounds: Any) -> Door:
    program = tmp_path / "door"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return Door(Slurm(door=[str(program)], timeout_s=5, doors={"wait_s": 0.1, **bounds}))  # type: ignore[arg-type]


async def until(condition: Any) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def test_follower_takes_no_place_of_an_act_nor_an_act_of_a_look(tmp_path: Path) -> None:
    answers = "read -r request; case $request in *follow*) echo '{\"bytes\":0}'; cat;; *) echo '{\"ok\":true}';; esac"
    result = door(tmp_path, answers, looks=1, acts=1, follows=1, looks_per_user=1, acts_per_user=1, follows_per_user=1)
    async with contextlib.aclosing(result.stream("follow", user="alice")) as following:
        await anext(following)
        assert await result.call("cancel", user="alice") == {"ok": True}
        assert await result.call("list", user="alice") == {"ok": True}
        with pytest.raises(DoorBusy):
            await anext(result.stream("use", user="alice"))
    await asyncio.wait_for(anext(result.stream("follow", user="bob")), 5)


async def test_door_that_cannot_be_killed_keeps_its_slot_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    script = f"while [ ! -e {tmp_path}/end ]; do sleep 0.02; done"
    result = door(tmp_path, script, looks_per_user=1)
    with monkeypatch.context() as patched:
        patched.setattr(os, "killpg", refuse)
        patched.setattr(subprocess.Popen, "kill", refuse)
        patched.setattr("portal.slurm.door_client.GRACE_S", 0.2)
        before = set(os.listdir("/proc/self/fd"))
        with pytest.raises(Exception, match="did not answer"):
            await result.call("look", user="alice", deadline_s=0)
    with pytest.raises(DoorBusy):
        await result.call("look", user="alice", deadline_s=0)
    (tmp_path / "end").touch()
    await until(lambda: result.looks.taken == 0)
    await until(lambda: len(os.listdir("/proc/self/fd")) <= len(before))
    assert not process.left


async def test_door_that_cannot_be_started_takes_no_slot(tmp_path: Path) -> None:
    door = Door(Slurm(door=[str(tmp_path / "none")]))
    for _ in range(50):
        with pytest.raises(Exception, match="cannot be started"):
            await door.call("look", user="alice")
    assert door.looks.taken == 0


async def test_files_keep_the_refusal_of_too_many_requests(tmp_path: Path) -> None:
    result = door(tmp_path, "sleep 60", looks_per_user=1)
    first = asyncio.create_task(FileService(result).look("alice", "~"))
    await until(lambda: result.looks.taken == 1)
    with pytest.raises(FilesUnavailable) as caught:
        await FileService(result).look("alice", "~")
    assert (caught.value.status, caught.value.code) == (429, "too_many_requests")
    assert caught.value.retry_after_s
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
