"""Whom the app proxy lets pass to SSH: the session's owner, with a token and from no page."""

from __future__ import annotations

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.job.proxy.ssh import PATH
from agent.job.ssh_hosting import SWITCHED_OFF, Hosting
from tests.unit.agent.job.proxy.conftest import Make

UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


class Serving:
    """Stands for the agent's side, and notes that it was asked."""

    def __init__(self, owner: str | None) -> None:
        self.owner = owner
        self.asked = 0

    def serve(self, client: socket.socket, holder: socket.socket, *, key: str, accept: str) -> None:
        self.asked += 1
        client.setblocking(True)
        client.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize(
    ("owner", "token", "headers", "status"),
    [
        ("alice", "alices", {}, 503),
        ("alice", "admins", {}, 404),
        ("alice", "bobs", {}, 403),
        ("alice", "wrong", {}, 403),
        ("", "alices", {}, 404),
        ("", "admins", {}, 404),
        ("alice", "alices", {"Origin": "https://portal.example"}, 400),
        ("alice", "alices", {"Upgrade": ""}, 400),
    ],
)
async def test_only_the_owner_with_a_token_reaches_the_agent(
    make: Make, owner: str, token: str, headers: dict[str, str], status: int
) -> None:
    serving = Serving(owner)
    async with make(ssh=serving) as world, world.get(PATH, token=token, headers={**UPGRADE, **headers}) as answer:
        assert (answer.status, serving.asked) == (status, int(status == 503))
        assert world.seen == [], "The app never sees the request."


async def test_the_switch_is_named_to_whom_the_hub_lets_in(make: Make, tmp_path: Path) -> None:
    place: Any = SimpleNamespace(folder=str(tmp_path), environment={}, values={})
    hosting = Hosting(None, place, lambda text: None)
    async with make(ssh=hosting) as world:
        async with world.get(PATH, headers=UPGRADE) as answer:
            assert (answer.status, (await answer.json())["error"]["message"]) == (503, SWITCHED_OFF)
        async with world.get(PATH, token="bobs", headers=UPGRADE) as answer:
            assert answer.status == 403
    hosting.close("")
