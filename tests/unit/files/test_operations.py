"""What the portal says of operations: as the door tells it, and no more than it knows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from portal.errors import NotFound, TooManyRequests
from portal.events.bus import Bus
from portal.files.operations import KEPT, MOST_UNFINISHED, Operations
from portal.files.schemas import OperationOut
from portal.files.types import OperationKind, OperationState
from portal.settings import Slurm
from portal.slurm.door_client import Door
from portal.tasks import Tasks

ALICE: Any = SimpleNamespace(username="alice", address="127.0.0.1")
PROGRESS = '{"entries": 1, "size": 5, "entries_total": 2, "bytes_total": 9, "current": "~/a", "bytes": 0}'
DONE = PROGRESS.replace('"current"', '"done": 1, "failed": 0, "left": 0, "stopped": false, "current"')


class NoAudit:
    @asynccontextmanager
    async def noted(self, *_: Any, **detail: Any) -> AsyncIterator[Any]:
        yield SimpleNamespace(detail=detail)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


Make = Callable[[str], Operations]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Make:
    def make(script: str) -> Operations:
        program = tmp_path / "door"
        program.write_text(f"#!/bin/sh\nread -r request\n{script}\n")
        program.chmod(0o755)
        audit: Any = NoAudit()
        return Operations(Door(Slurm(door=[str(program)])), Bus(), Tasks(), audit, clock)

    return make


def copy(operations: Operations) -> str:
    return operations.start(ALICE, OperationKind.COPY, ["~/a"], target="~/b", conflict="refuse").id


async def until(operations: Operations, operation: str, condition: Callable[[OperationOut], bool]) -> OperationOut:
    async with asyncio.timeout(20):
        while not condition(found := operations.get("alice", operation)):
            await asyncio.sleep(0.01)
    return found


async def ended(operations: Operations, operation: str) -> OperationOut:
    return await until(operations, operation, lambda found: found.ended is not None)


async def test_progress_and_end(make: Make) -> None:
    operations = make(f"echo '{PROGRESS}'; read -r more; echo '{DONE}'")
    operation = copy(operations)
    found = await until(operations, operation, lambda found: found.entries_done > 0)
    assert (found.state, found.bytes_done, found.entries_total, found.current) == (OperationState.RUNNING, 5, 2, "~/a")
    operations.end("alice", operation)
    assert (await ended(operations, operation)).state is OperationState.DONE  # it had done all by then


@pytest.mark.parametrize(
    ("script", "state"),
    [
        (f"echo '{DONE}'", OperationState.DONE),
        (f"echo '{PROGRESS}'", OperationState.UNKNOWN),
        ("kill -9 $$", OperationState.UNKNOWN),
        ("echo nonsense", OperationState.UNKNOWN),
        ("""echo '{"ok": false, "error": {"code": "disk_full", "message": "It is full."}}'""", OperationState.FAILED),
        ("""echo '{"ok": false, "error": {"code": "timeout", "message": "Too late."}}'""", OperationState.UNKNOWN),
        ("""echo '{"ok": false, "error": {"code": "ended", "message": "Killed."}}'""", OperationState.UNKNOWN),
        (f"echo '{DONE.replace('false', 'true')}'", OperationState.CANCELLED),
    ],
)
async def test_end_claims_no_more_than_is_known(make: Make, script: str, state: OperationState) -> None:
    operations = make(script)
    found = await ended(operations, copy(operations))
    assert found.state is state
    assert (found.message == "") == (state is OperationState.DONE)


async def test_users_operations_are_bounded_and_wait_for_each_other_alone(make: Make) -> None:
    operations = make(f"cat > /dev/null; echo '{DONE}'")
    own = [copy(operations) for _ in range(MOST_UNFINISHED)]
    with pytest.raises(TooManyRequests):
        copy(operations)
    bob: Any = SimpleNamespace(username="bob", address="")
    theirs = operations.start(bob, OperationKind.DELETE, ["~/a"]).id
    async with asyncio.timeout(20):
        while operations.get("bob", theirs).state is not OperationState.RUNNING:
            await asyncio.sleep(0.01)
    states = [operations.get("alice", operation).state for operation in own]
    assert states.count(OperationState.WAITING) == MOST_UNFINISHED - 2
    operations.end("alice", own[-1])
    assert (await ended(operations, own[-1])).message.endswith("Nothing was done.")
    for operation in own[:-1]:
        operations.end("alice", operation)
    for operation in own:
        await ended(operations, operation)
    operations.end("bob", theirs)


async def test_ended_operations_are_forgotten(make: Make, clock: Clock) -> None:
    operations = make(f"echo '{DONE}'")
    first, second = copy(operations), copy(operations)
    await ended(operations, first)
    await ended(operations, second)
    with pytest.raises(NotFound):
        operations.get("bob", first)
    assert [item.id for item in operations.listed("alice")] == [second, first]
    operations.end("alice", first)
    assert [item.id for item in operations.listed("alice")] == [second]
    clock.now += KEPT + timedelta(seconds=1)
    assert operations.listed("alice") == []
