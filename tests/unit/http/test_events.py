"""The stream of a page's news: nothing is missed between what the page has read and where its stream begins."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from portal.auth.dependencies import User
from portal.cluster.endpoints import _follow as page_stream
from portal.context import Portal, utcnow
from tests.unit.http.rows import session_row

ALICE, BOB = (User(name, name.title(), False, (), "", None) for name in ("alice", "bob"))
ADMIN = User("admin", "Ada", True, (), "", None)


async def heard(portal: Portal, user: User, *also: str) -> list[tuple[str, str, str]]:
    """Return the sessions that a stream begins with: kind, id, state."""
    stream = page_stream(portal, user, frozenset(also))
    found = []
    async for frame in stream:
        kind, _, data = frame.partition("\ndata: ")
        if kind.startswith("retry"):
            break  # from here on it waits for what is new
        if (name := kind.removeprefix("event: ")) in ("session", "anyones"):
            one = json.loads(data)
            found.append((name, one["id"], one["state"]))
    await stream.aclose()  # type: ignore[attr-defined]
    return found


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


async def test_a_session_that_changed_long_ago_is_not_told_again(
    portal: Portal, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = utcnow()
    recent = portal.sessions.store._recent
    monkeypatch.setattr(recent, "_now", lambda: now)
    async with portal.sessions.store.change(session) as draft:
        draft.set(reason="Because.")
    now += timedelta(seconds=59)
    assert len(await heard(portal, ALICE)) == 1
    now += timedelta(seconds=2)
    assert await heard(portal, ALICE) == []
