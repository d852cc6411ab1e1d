"""Websockets of a Jupyter end when the Hub does not know their login any more, and with nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from tornado.httpclient import HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, HTTPError
from tornado.websocket import WebSocketClientConnection, WebSocketHandler, websocket_connect

from agent.lab.logins import AWAY_S, FRESH_S, LastAnswers, Logins

MAY = frozenset({"access:servers!server=alice/lab"})
ALICE = {"name": "alice", "scopes": sorted(MAY)}


class Hub:
    """What of `jupyterhub.services.auth.HubOAuth` is used: whose a token is."""

    access_scopes = MAY
    cache_max_age = 300

    def __init__(self) -> None:
        self.away = False
        self.users: dict[str, dict[str, Any] | None] = {"first": ALICE, "second": ALICE}
        self.asked_for: list[tuple[str, str]] = []

    def get_token(self, handler: WebSocketHandler) -> str:
        return handler.request.headers.get("Authorization", "").removeprefix("token ")

    def get_session_id(self, handler: WebSocketHandler) -> str:
        return str(handler.get_cookie("jupyterhub-session-id", ""))

    async def user_for_token(
        self, token: str, use_cache: bool = True, session_id: str = "", *, sync: bool = True
    ) -> dict[str, Any] | None:
        assert not sync
        self.asked_for.append((token, session_id))
        if self.away:
            raise HTTPError(502)
        return self.users[token]

    def check_scopes(self, required: frozenset[str], user: dict[str, Any]) -> set[str]:
        return required & set(user["scopes"])


class Provider:
    """What of JupyterHub's identity provider is used."""

    def __init__(self) -> None:
        self.hub_auth = Hub()

    async def get_user(self, handler: Any) -> str:
        return "alice"


class Log:
    def info(self, *value: Any) -> None:
        """Nobody reads it here."""


class Channel(WebSocketHandler):
    async def prepare(self) -> None:
        self.current_user = await self.settings["provider"].get_user(self)


@pytest.fixture
async def jupyter() -> AsyncIterator[SimpleNamespace]:
    provider = Provider()
    logins = Logins(provider, Log())
    server = HTTPServer(Application([("/", Channel)], provider=provider))
    listener, port = bind_unused_port()
    server.add_sockets([listener])
    open_ones: list[WebSocketClientConnection] = []

    async def opened(token: str = "") -> WebSocketClientConnection:
        headers = {"Authorization": f"token {token}", "Cookie": "jupyterhub-session-id=browser"} if token else {}
        open_ones.append(await websocket_connect(HTTPRequest(f"ws://127.0.0.1:{port}/", headers=headers)))
        return open_ones[-1]

    yield SimpleNamespace(hub=provider.hub_auth, logins=logins, opened=opened)
    for connection in open_ones:
        connection.close()
    server.stop()
    await server.close_all_connections()


async def ended(socket: WebSocketClientConnection) -> tuple[int | None, str | None]:
    assert await asyncio.wait_for(socket.read_message(), 10) is None
    return socket.close_code, socket.close_reason


async def test_a_websocket_ends_when_its_token_is_known_no_more(jupyter: SimpleNamespace) -> None:
    first, second = await jupyter.opened("first"), await jupyter.opened("second")
    await jupyter.logins.look()
    assert sorted(jupyter.hub.asked_for) == [("first", "browser"), ("second", "browser")]
    jupyter.hub.users["first"] = None
    await jupyter.logins.look()
    assert await ended(first) == (1008, "This login has ended.")
    assert second.close_code is None
    await second.write_message("still there?")
    jupyter.hub.asked_for.clear()
    await jupyter.logins.look()
    assert jupyter.hub.asked_for == [("second", "browser")]


async def test_a_websocket_ends_when_its_user_may_not_use_this_server_any_more(jupyter: SimpleNamespace) -> None:
    socket = await jupyter.opened("first")
    jupyter.hub.users["first"] = {"name": "alice", "scopes": ["access:servers!server=alice/other"]}
    await jupyter.logins.look()
    assert await ended(socket) == (1008, "This login has ended.")


async def test_a_hub_that_does_not_answer_ends_nothing(jupyter: SimpleNamespace) -> None:
    socket = await jupyter.opened("first")
    jupyter.hub.away = True
    await jupyter.logins.look()
    jupyter.hub.away = False
    await jupyter.logins.look()
    assert len(jupyter.hub.asked_for) == 2
    assert socket.close_code is None


async def test_who_came_without_a_token_of_the_hub_stays(jupyter: SimpleNamespace) -> None:
    socket = await jupyter.opened()
    await jupyter.logins.look()
    assert jupyter.hub.asked_for == []
    assert socket.close_code is None


def test_what_the_hub_said_is_remembered_for_15_seconds() -> None:
    provider = Provider()
    Logins(provider, Log())
    assert provider.hub_auth.cache_max_age == FRESH_S == 15


async def test_a_hub_that_is_away_still_knows_for_a_while_whom_it_knew() -> None:
    hub, now = Hub(), [1000.0]
    answers = LastAnswers(hub.user_for_token, lambda: now[0])

    async def answer(token: str, session: str = "browser") -> dict[str, Any] | None:
        found: dict[str, Any] | None = await answers(token, session_id=session, sync=False)
        return found

    hub.users["ended"] = ALICE
    assert await answer("first") == await answer("ended") == ALICE
    hub.users["ended"] = None
    assert await answer("ended") is None
    hub.away = True
    now[0] += AWAY_S - 1
    assert await answer("first") == ALICE
    for stranger in (("first", "another browser"), ("second", "browser"), ("ended", "browser")):
        with pytest.raises(HTTPError):
            await answer(*stranger)
    now[0] += 1
    with pytest.raises(HTTPError):
        await answer("first")


async def test_requests_of_a_jupyter_are_answered_while_the_hub_is_away(jupyter: SimpleNamespace) -> None:
    before = await jupyter.hub.user_for_token("first", session_id="browser", sync=False)
    jupyter.hub.away = True
    assert await jupyter.hub.user_for_token("first", session_id="browser", sync=False) == before == ALICE
