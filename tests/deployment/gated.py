"""The gate's surroundings: a small Hub that logs people in by OAuth, two sessions that keep what reaches them, and the
portal's own routes."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import http.client
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import uvicorn
from aiohttp import web
from fastapi import FastAPI

from portal.app import attach, routes
from portal.auth.people import People
from portal.db import migrate
from portal.gate.service import the_gate
from portal.settings import Settings
from portal.wiring import build
from tests.demo_site import free_port
from tests.deployment.fronts import SESSIONS, Front
from tests.unit.sessions.conftest import FakeDirectory

SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@dataclass
class Hub:
    """JupyterHub as the gate meets it; the cookie `hub-user` says who is logged in at it."""

    secret: str
    tokens: dict[str, str] = field(default_factory=dict)
    codes: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/hub/api/oauth2/authorize", self.authorize)
        app.router.add_post("/hub/api/oauth2/token", self.token)
        app.router.add_get("/hub/api/user", self.user)
        app.router.add_get("/{path:.*}", self.other)
        return app

    async def authorize(self, request: web.Request) -> web.StreamResponse:
        code, asked = secrets.token_hex(8), request.query
        assert (asked["client_id"], asked["code_challenge_method"]) == ("service-portal-gate", "S256")
        self.codes[code] = (request.cookies["hub-user"], asked["code_challenge"], asked["redirect_uri"])
        raise web.HTTPFound(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    async def token(self, request: web.Request) -> web.Response:
        form = await request.post()
        user, challenge, redirect_uri = self.codes.pop(str(form["code"]))
        digest = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == challenge
        assert (form["client_secret"], form["redirect_uri"]) == (self.secret, redirect_uri)
        token = secrets.token_hex(8)
        self.tokens[token] = user
        return web.json_response({"access_token": token})

    async def user(self, request: web.Request) -> web.Response:
        name = self.tokens.get(request.headers.get("Authorization", "").removeprefix("token "))
        if name is None:
            return web.json_response({}, status=403)
        return web.json_response({"kind": "user", "name": name, "scopes": ["access:services!service=portal-gate"]})

    async def other(self, request: web.Request) -> web.Response:
        return web.json_response({"version": "6.1"}, status=200 if request.path == "/hub/api/" else 404)


@dataclass
class Session:
    """A session's server that serves anybody whatever they ask, as a user's own code may."""

    owner: str
    asked: list[web.Request] = field(default_factory=list)

    def application(self) -> web.Application:
        app = web.Application(client_max_size=2**24)
        app.router.add_route("*", "/{path:.*}", self.serve)
        return app

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        if "websocket" in request.headers.get("Upgrade", "").lower():
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            async for message in socket:
                await socket.send_str(f"{self.owner}: {message.data}")
            return socket
        body = await request.read()
        return web.Response(text=f"{self.owner}'s session", headers={"X-Bytes": str(len(body))})


@contextmanager
def served(*applications: web.Application) -> Iterator[list[int]]:
    """Serve these, each at a port of its own, in a thread."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def call(awaitable: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaitable, loop).result(30)

    runners = [web.AppRunner(application, shutdown_timeout=0.1) for application in applications]
    ports = [free_port() for _ in runners]
    for runner, port in zip(runners, ports, strict=True):
        call(runner.setup())
        call(web.TCPSite(runner, "127.0.0.1", port).start())
    try:
        yield ports
    finally:
        for runner in runners:
            call(runner.cleanup())
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


@contextmanager
def portal_served(settings: Settings) -> Iterator[None]:
    """Serve the portal's routes at `server.port`, with a directory known by heart."""
    migrate.upgrade(settings.database_url)
    config = uvicorn.Config(_portal(settings), host="127.0.0.1", port=settings.server.port, log_level="warning")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(30)


def _portal(settings: Settings) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        built = build(settings)
        people = People(FakeDirectory())  # type: ignore[arg-type]
        gate = the_gate(settings, built.identities, people, built.cookies)
        attach(app, replace(built, people=people, gate=gate))
        yield
        await built.hub.close()
        await built.engine.dispose()

    return routes(settings, lifespan=lifespan)


@dataclass
class World:
    front: Front
    hub: Hub
    sessions: dict[str, Session]
    settings: Settings

    def raw(self, target: str, method: str = "GET", body: bytes = b"", **headers: str) -> http.client.HTTPResponse:
        """Send an address as it stands, however odd, and return the answer, read."""
        web = http.client.HTTPSConnection(SESSIONS, self.front.tls_port, context=self.front.tls, timeout=30)
        with closing(web):
            web.putrequest(method, target, skip_host=True)
            for name, value in {"Host": f"{SESSIONS}:{self.front.tls_port}", **headers}.items():
                web.putheader(name, value)
            if body:
                web.putheader("Content-Length", str(len(body)))
            web.endheaders(body or None)
            answer = web.getresponse()
            if answer.status != 101:
                answer.read()
            return answer

    def reached(self) -> list[str]:
        """Return whose sessions were reached since the last time, one for each request."""
        owner = [owner for owner, session in self.sessions.items() for _ in session.asked]
        for session in self.sessions.values():
            session.asked.clear()
        return owner


def site(front: Front, folder: Path, hub_port: int) -> Settings:
    return Settings.model_validate(
        {
            "secrets_dir": folder,
            "data_dir": folder,
            "server": {"public_url": front.portal_url, "port": front.ports["portal"]},
            "hub": {
                "public_url": front.sessions_url,
                "port": hub_port,
                "proxy_api_url": f"http://127.0.0.1:{front.ports['proxy_api']}",
            },
            "proxy": {"port": front.ports["proxy"]},
        }
    )
