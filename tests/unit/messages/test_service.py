"""Messages about drained nodes are shown until all of their nodes are back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from portal.db.engine import make_engine, unit_of_work
from portal.events.bus import Bus
from portal.messages.service import Messages

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


async def nothing_else(*_: object) -> None:
    """Write nothing beside a message."""


@pytest.fixture
async def messages(database: str) -> AsyncIterator[Messages]:
    engine = make_engine(database)
    yield Messages(unit_of_work(engine), Bus(), None, lambda: NOW, nothing_else)  # type: ignore[arg-type]
    await engine.dispose()


async def texts(messages: Messages, owner: str) -> list[str]:
    return [message.text for message in (await messages.unread(owner)).items]


async def test_message_about_drained_nodes_goes_with_the_last_that_is_back(messages: Messages) -> None:
    await messages.send("alice", "Both", author="root", nodes=["node001", "node002"])
    await messages.send("alice", "Hello", author="root")
    await messages.send("bob", "One", author="root", nodes=["node003"])
    await messages.nodes_are_back(["node001", "node009"])
    assert await texts(messages, "alice") == ["Both", "Hello"]
    await messages.nodes_are_back(["node002"])
    assert await texts(messages, "alice") == ["Hello"]
    assert await texts(messages, "bob") == ["One"]
