"""A fake portal (its internal API, over HTTP) and a spawner in a Hub's database, without a Hub."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from jupyterhub import orm
from jupyterhub.objects import Hub

from portal.settings import Settings
from spawner.authenticator import SiteAuthenticator
from spawner.form import SessionForm
from spawner.portal_client import PortalClient
from spawner.spawner import SlurmSpawner

KEY = "k" * 32


@dataclass
class FakePortal:
    """`answers`: per call a script of (status, body); the last one stays. Without one, a session that runs at once."""

    answers: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    requests: list[tuple[str, Any]] = field(default_factory=list)
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    server: TestServer | None = None

    defaults: ClassVar[dict[str, tuple[int, Any]]] = {
        "start": (200, {"session_id": "abc123abc123", "api_token": "t" * 32}),
        "wait": (200, {"state": "ready", "url": "http://127.0.0.1:5000", "ended": None, "events": []}),
        "alive": (200, {"sessions": {"abc123abc123": None}}),
        "stop": (200, {}),
        "node_gpus": (200, {"most": 4}),
    }

    async def answer(self, what: str, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        body = await request.json() if request.can_read_body else dict(request.query)
        self.requests.append((what, body))
        script = self.answers.get(what) or [self.defaults[what]]
        status, answer = script.pop(0) if len(script) > 1 else script[0]
        if answer == "never":
            await asyncio.sleep(60)
        if what in self.held:
            await self.held[what].wait()
        return web.json_response(answer, status=status)

    def count(self, what: str) -> int:
        return sum(1 for asked, _ in self.requests if asked == what)


class FakeLoginReports:
    def __init__(self) -> None:
        self.failures: list[tuple[str, str, str]] = []
        """Username, address, result."""

    def failed(self, username: str, handler: Any, result: str) -> None:
        self.failures.append((username, handler.request.remote_ip if handler else "", result))


@pytest.fixture(autouse=True)
def failed(monkeypatch: pytest.MonkeyPatch) -> FakeLoginReports:
    fake = FakeLoginReports()
    monkeypatch.setattr(SiteAuthenticator, "login_reports", fake, raising=False)
    return fake


@pytest.fixture
async def portal() -> AsyncIterator[FakePortal]:
    fake = FakePortal()
    application = web.Application()

    def route(method: str, path: str, what: str) -> None:
        async def handler(request: web.Request) -> web.Response:
            return await fake.answer(what, request)

        application.router.add_route(method, f"/internal{path}", handler)

    route("POST", "/start", "start")
    route("GET", "/sessions/{id}/wait", "wait")
    route("GET", "/alive", "alive")
    route("GET", "/node-gpus", "node_gpus")
    route("POST", "/sessions/{id}/stop", "stop")
    fake.server = TestServer(application)
    await fake.server.start_server()
    yield fake
    await fake.server.close()


@pytest.fixture
async def client(portal: FakePortal) -> AsyncIterator[PortalClient]:
    assert portal.server is not None
    client = PortalClient(str(portal.server.make_url("/internal")), KEY)
    yield client
    await client.close()


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spawner.spawner.FIRST_RETRY_S", 0.01)
    monkeypatch.setattr("spawner.spawner.LONGEST_RETRY_S", 0.02)


@pytest.fixture
def make_spawner(client: PortalClient, quick_retries: None) -> Iterator[Callable[[], SlurmSpawner]]:
    """Each call is the same server, read anew from the same database: what a restarted Hub does."""
    session = orm.new_session_factory("sqlite:///:memory:")()
    user = orm.User(name="alice")
    row = orm.Spawner(user=user, name="x", display_name="My work", server=orm.Server(base_url="/user/alice/x/"))
    session.add_all([user, row])
    session.commit()

    class Spawner(SlurmSpawner):
        portal = client
        form = SessionForm(Settings())

    def make() -> SlurmSpawner:
        spawner = Spawner(
            user=SimpleNamespace(
                name="alice",
                escaped_name="alice",
                url="https://alice.hub.example/user/alice/",
                base_url="/user/alice/",
                db=session,
                api_tokens=user.api_tokens,
            ),
            orm_spawner=row,
            hub=Hub(base_url="/hub/", ip="127.0.0.1", port=8081),
            oauth_client_id="jupyterhub-user-alice-x",
        )
        spawner.api_token = "n" * 32
        if row.state:
            spawner.load_state(row.state)
        return spawner

    yield make
    session.close()
    session.bind.dispose()
