"""The steps of a session's life, as the Hub and the agent take them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from portal.sessions.schemas import AgentHello, AgentReady, HubStart

from .conftest import Harness

KEY = "ab" * 32
NODE = "192.0.2.1"
OTHER_KEY = "cd" * 32


def hello(harness: Harness, session_id: str, key: str = KEY) -> AgentHello:
    return AgentHello(
        session=session_id, secret=harness.slurm.secrets[session_id], key=key, job_id=None, node="node001"
    )


def handed(record, **changes: object) -> HubStart:
    values = {
        "username": record.owner,
        "server_name": record.server_name,
        "user_options": {"session": record.id},
        "env": {"JUPYTERHUB_USER": record.owner},
        "api_token": "first-token",
        "base_url": f"/user/{record.owner}/{record.server_name}/",
    }
    return HubStart.model_validate(values | changes)


async def until(harness: Harness, record, state: str) -> None:
    with harness.bus.reader(lambda event: event.kind == "session") as reader:
        while await harness.state(record) != state:
            await reader.next(5)


async def becomes(condition: Callable[[], object]) -> None:
    """Wait until the background tasks have made it true."""
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)


async def ready(harness: Harness, record) -> None:
    await harness.service.attach(handed(record))
    await harness.agents.hello(hello(harness, record.id))
    await harness.agents.ready(record, AgentReady(ip=NODE, port=20001), peer=NODE)
    await until(harness, record, "ready")
