"""One answer about who lives, for all spawners."""

from __future__ import annotations

import asyncio

import pytest

from spawner.portal_client import MAX_ALIVE_AGE_S, PortalAway, PortalClient, PortalRefused
from tests.unit.spawner.conftest import KEY, FakePortal


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def client(portal: FakePortal, clock: Clock) -> PortalClient:
    assert portal.server is not None
    return PortalClient(str(portal.server.make_url("/internal")), KEY, clock)


async def test_two_hundred_polls_make_one_request(portal: FakePortal, client: PortalClient, clock: Clock) -> None:
    answers = await asyncio.gather(*(client.exit_code("abc123abc123", known_at=0) for _ in range(200)))
    assert answers == [None] * 200
    clock.now += MAX_ALIVE_AGE_S - 0.1
    await client.exit_code("abc123abc123", known_at=0)
    assert portal.count("alive") == 1
    clock.now += 0.2
    await client.exit_code("abc123abc123", known_at=0)
    assert portal.count("alive") == 2
    await client.close()


async def test_answer_older_than_the_session_is_not_taken(
    portal: FakePortal, client: PortalClient, clock: Clock
) -> None:
    portal.answers["alive"] = [(200, {"sessions": {"old": 0}}), (200, {"sessions": {"new": None}})]
    assert await client.exit_code("old", known_at=0) == 0
    clock.now += 1
    assert await client.exit_code("new", known_at=clock.now) is None
    await client.close()


async def test_silence_holds_for_a_few_seconds_too(portal: FakePortal, client: PortalClient, clock: Clock) -> None:
    portal.answers["alive"] = [(502, None)]
    for _ in range(20):
        with pytest.raises(PortalAway):
            await client.exit_code("abc123abc123", known_at=0)
    assert portal.count("alive") == 1
    await client.close()


async def test_refusal_names_each_field_once(portal: FakePortal, client: PortalClient) -> None:
    problem = {"field": "resources.gpus", "message": "at most 4"}
    error = {"code": "invalid_request", "message": "Two things are wrong.", "hint": "Mend.", "fields": [problem]}
    portal.answers["start"] = [(422, {"error": error})]
    with pytest.raises(PortalRefused) as refused:
        await client.start({})
    assert refused.value.message == "Two things are wrong. resources.gpus: at most 4"
    assert (refused.value.code, refused.value.status) == ("invalid_request", 422)
    await client.close()
