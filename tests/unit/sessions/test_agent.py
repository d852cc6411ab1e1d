"""A session's agent: how it authenticates, and what it is sent."""

from __future__ import annotations

import asyncio

import pytest

from portal.errors import Forbidden, Gone

from .conftest import Harness
from .steps import KEY, OTHER_KEY, handed, hello


async def test_the_first_agent_binds_the_secret_and_another_is_refused(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    first = await harness.agents.hello(hello(harness, record.id))
    assert first is not None
    assert await harness.agents.hello(hello(harness, record.id)) == first
    with pytest.raises(Forbidden):
        await harness.agents.hello(hello(harness, record.id, OTHER_KEY))
    with pytest.raises(Forbidden):
        await harness.agents.authenticate(record.id, OTHER_KEY)
    assert (await harness.agents.authenticate(record.id, KEY)).id == record.id


async def test_an_agent_says_whether_it_keeps_guests_to_looking(harness: Harness) -> None:
    record = await harness.start()
    await harness.service.attach(handed(record))
    agents = {"older": hello(harness, record.id), "newer": hello(harness, record.id)}
    agents["newer"].onlookers = True
    for which, may in (("older", False), ("newer", True)):
        await harness.agents.hello(agents[which])
        assert (await harness.store.get(record.id)).onlookers is may


async def test_a_wrong_secret_is_refused(harness: Harness) -> None:
    record = await harness.start()
    wrong = hello(harness, record.id).model_copy(update={"secret": "0" * 64})
    with pytest.raises(Forbidden):
        await harness.agents.hello(wrong)


async def test_the_agent_waits_for_the_hub_and_gets_its_token(harness: Harness) -> None:
    record = await harness.start()
    asking = asyncio.create_task(harness.agents.hello(hello(harness, record.id)))
    await asyncio.sleep(0.05)
    assert not asking.done()
    await harness.service.attach(handed(record))
    launch = await asyncio.wait_for(asking, 5)
    assert launch["env"]["JUPYTERHUB_API_TOKEN"] == "first-token"
    assert launch["ready_path"] == f"/user/alice/{record.server_name}/api"
    assert "first-token" not in " ".join(launch["command"])


async def test_an_agent_of_an_ended_session_is_sent_away(harness: Harness) -> None:
    record = await harness.start()
    asked = hello(harness, record.id)
    await harness.service.stop(record.id)
    with pytest.raises(Gone):
        await harness.agents.hello(asked)
