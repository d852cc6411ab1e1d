"""The stream of a page's news: nothing is missed between what the page has read and where its stream begins."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import timedelta

import pytest

from portal.auth.dependencies import User
from portal.events import recent
from portal.events.bus import Event
from portal.files.types import OperationKind
from portal.health.view import HealthPublisher
from portal.operate.notifier import ChangeNotifier
from portal.slurm.nodes import Node, NodeState
from portal.slurm.snapshot import Snapshot
from portal.wiring import Portal, utcnow
from tests.unit.http.rows import session_row

ALICE, BOB = (User(name, name.title(), False, (), "", None) for name in ("alice", "bob"))
ADMIN = User("admin", "Ada", True, (), "", None)


async def begins(portal: Portal, after: str = "") -> tuple[list[str], str]:
    """Return the kinds of the events that alice's stream begins with, and the id of where it stands then."""
    kinds, position = [], ""
    async for frame in until_quiet(portal.stream.follow(ALICE, frozenset(), after)):
        lines = dict(line.split(": ", 1) for line in frame.strip().split("\n"))
        kinds.append(lines["event"])
        position = lines.get("id", position)
    return [kind for kind in kinds if kind not in ("site", "missing", "here")], position


async def heard(portal: Portal, user: User, *also: str) -> list[tuple[str, str, str]]:
    """Return the sessions that a stream begins with: kind, id, state."""
    results = []
    async for frame in until_quiet(portal.stream.follow(user, frozenset(also))):
        kind, _, data = frame.partition("\ndata: ")
        if (name := kind.removeprefix("event: ")) in ("session", "anyones"):
            result = json.loads(data)
            results.append((name, result["id"], result["state"]))
    return results


@pytest.fixture
async def session(portal: Portal) -> str:
    row = session_row("aaaabbbbcccc", owner="alice", at=utcnow(), state="queued")
    async with portal.work() as db:
        db.add(row)
    return row.id


async def test_a_session_that_changed_before_the_stream_began_is_told_at_its_beginning(
    portal: Portal, session: str
) -> None:
    assert await heard(portal, ALICE) == []
    async with portal.sessions.store.change(session) as draft:
        draft.set(reason="Because.")
    async with portal.sessions.store.change(session) as draft:
        draft.end("finished")
    assert await heard(portal, ALICE) == [("session", session, "ended")], "its newest word, once"
    assert await heard(portal, BOB) == []
    assert await heard(portal, ADMIN) == []
    assert await heard(portal, ADMIN, "sessions") == [("anyones", session, "ended")]


@pytest.mark.parametrize("owner", ["alice", None])
async def test_the_stream_begins_with_the_newest_event_about_each_thing(portal: Portal, owner: str | None) -> None:
    for about, data in (("1", "old"), ("2", "other"), ("1", "new"), (None, "nothing lasting")):
        portal.bus.publish(Event("notification", json.dumps(data), owner, about=about))
    portal.bus.publish(Event("notification", '"his"', "bob", about="1"))
    portal.bus.publish(Event("image", '"of another kind"', owner, about="1"))
    begun = portal.stream.follow(ALICE, frozenset())
    told = [json.loads(frame.partition("\ndata: ")[2]) async for frame in until_quiet(begun)]
    assert [each for each in told if isinstance(each, str)] == ["other", "new", "of another kind"]


async def test_the_stream_begins_with_file_operations_until_they_are_dismissed(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = portal.operations.start(ALICE, OperationKind.DELETE, ["~/a"])
    assert (await begins(portal))[0] == ["file-operation"]
    async with asyncio.timeout(20):  # its task ends last: it writes to the audit log
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "file-operation"))
    assert (await begins(portal))[0] == ["file-operation"], "its end may have been told while nobody listened"
    with monkeypatch.context() as patch:
        patch.setattr(recent, "KEPT", timedelta())
        assert (await begins(portal))[0] == []
    portal.operations.end("alice", operation.id)
    assert (await begins(portal))[0] == []


async def test_an_administrators_stream_begins_with_what_has_just_changed(portal: Portal) -> None:
    HealthPublisher(portal.health, portal.bus)()
    await ChangeNotifier(OneSnapshot(), portal.bus).run()  # type: ignore[arg-type]  # all that it needs of a watcher
    asked = {"queue", "nodes", "health"}
    begun = portal.stream.follow(ADMIN, frozenset(asked))
    assert asked <= {frame.partition("\n")[0].removeprefix("event: ") async for frame in until_quiet(begun)}


class OneSnapshot:
    """The watcher's, with a queue and a node."""

    async def subscribe(self) -> AsyncIterator[Snapshot]:
        yield Snapshot(nodes=(Node("node001", NodeState.IDLE),))


async def until_quiet(stream: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield what a stream begins with, before it waits for what is new."""
    assert isinstance(stream, AsyncGenerator)
    async for frame in stream:
        if frame.startswith("retry"):
            break
        yield frame
    await stream.aclose()


async def test_a_session_that_changed_long_ago_is_not_told_again(
    portal: Portal, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with portal.sessions.store.change(session) as draft:
        draft.set(reason="Because.")
    assert len(await heard(portal, ALICE)) == 1
    monkeypatch.setattr(recent, "KEPT", timedelta())
    assert await heard(portal, ALICE) == []


async def test_a_stream_goes_on_after_the_last_event_that_was_read(portal: Portal, session: str) -> None:
    _, here = await begins(portal)
    assert await begins(portal, here) == ([], here)
    for reason in ("One.", "Two."):
        async with portal.sessions.store.change(session) as draft:
            draft.set(reason=reason)
    kinds, there = await begins(portal, here)
    assert kinds == ["session", "session"], "Each that was missed, once."
    assert there != here
    assert await begins(portal, there) == ([], there)


async def test_a_stream_says_when_it_no_longer_knows_what_was_missed(
    portal: Portal, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, here = await begins(portal)
    for unknown in ("of-another-portal", f"{here}9", "", "-", "x" * 64):
        assert ("reset" in (await begins(portal, unknown))[0]) == (unknown != "")
    portal.bus.unsaid("jobs", "bob")
    assert "reset" not in (await begins(portal, here))[0], "That was bob's."
    portal.bus.unsaid("jobs", "alice")
    assert "reset" in (await begins(portal, here))[0]
    _, here = await begins(portal)
    monkeypatch.setattr("portal.events.bus.KEPT", 1)
    for reason in ("One.", "Two."):
        async with portal.sessions.store.change(session) as draft:
            draft.set(reason=reason)
    assert "reset" in (await begins(portal, here))[0]
