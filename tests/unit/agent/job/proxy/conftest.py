"""The proxy between a pretended Hub and a pretended app on a Unix socket, all on this machine."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from agent.job.app_sockets import connected
from agent.job.proxy import Proxy, stand
from agent.job.proxy.guests import Guests
from agent.job.proxy.open_ports import OpenPorts

ALICES = "alices"
BASE = "/user/alice/x/"
ALICE = ["access:servers!server=alice/x", "read:users:name!user=alice"]


@dataclass
class Hub:
    """Knows tokens by heart, gives a token for a code whose PKCE secret fits, and may be away."""

    users: dict[str, dict[str, Any]]
    url: str = ""
    away: bool = False
    challenges: dict[str, str] = field(default_factory=dict)
    activity: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0

    async def user(self, request: web.Request) -> web.Response:
        self.asked += 1
        if self.away:
            return web.Response(status=503)
        user = self.users.get(request.headers["Authorization"].removeprefix("token "))
        return web.json_response(user) if user else web.Response(status=403)

    async def token(self, request: web.Request) -> web.Response:
        form = await request.post()
        digest = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        wanted = self.challenges.get(str(form["code"]))
        if wanted != base64.urlsafe_b64encode(digest).decode().rstrip("=") or form["client_secret"] != "the-servers":
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"access_token": f"token-of-{form['code']}"})

    async def note(self, request: web.Request) -> web.Response:
        self.activity.append(await request.json())
        return web.json_response({})


@dataclass
class World:
    """What a test holds: the proxy's address, the Hub, and what the app has seen."""

    url: str
    proxy: Proxy
    hub: Hub
    seen: list[web.Request]
    client: aiohttp.ClientSession

    def get(self, path: str = "", *, token: str = ALICES, **options: Any) -> aiohttp.client._RequestContextManager:
        headers = {"Authorization": f"token {token}"} | options.pop("headers", {})
        return self.client.get(self.url + path, headers=headers, allow_redirects=False, **options)

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])


Make = Callable[..., AbstractAsyncContextManager[World]]


def the_app(seen: list[web.Request], serve: Callable[[web.Request], Any] | None) -> web.Application:
    async def answer(request: web.Request) -> web.StreamResponse:
        seen.append(request)
        if serve is not None:
            return await serve(request)
        return web.json_response(
            {"path": request.path_qs, "headers": list(request.headers.items()), "body": (await request.text())}
        )

    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", answer)
    return app


@pytest.fixture
def make() -> Make:
    """Give the maker of worlds: `serve` answers for the app, the rest is what the portal orders the proxy."""

    @asynccontextmanager
    async def world(
        serve: Callable[[web.Request], Any] | None = None,
        *,
        watch_s: float = 10,
        ssh: Any = None,
        ports: OpenPorts | None = None,
        guests: Guests | None = None,
        **orders: Any,
    ) -> AsyncIterator[World]:
        hub = Hub({"alices": {"name": "alice", "scopes": ALICE}, "token-of-42": {"name": "alice", "scopes": ALICE}})
        hub.users["bobs"] = {"name": "bob", "scopes": ["access:servers!server=bob/x", "access:servers!user=bob"]}
        hub.users["admins"] = {"name": "carol", "scopes": ["access:servers"]}
        hub_app = web.Application()
        hub_app.router.add_get("/hub/api/user", hub.user)
        hub_app.router.add_post("/hub/api/oauth2/token", hub.token)
        hub_app.router.add_post("/hub/api/users/alice/activity", hub.note)
        seen: list[web.Request] = []
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "app.sock")
            runners = [web.AppRunner(hub_app), web.AppRunner(the_app(seen, serve), shutdown_timeout=0.1)]
            for runner in runners:
                await runner.setup()
            site = web.TCPSite(runners[0], "127.0.0.1", 0)
            await site.start()
            hub.url = f"http://127.0.0.1:{runners[0].addresses[0][1]}"
            await web.UnixSite(runners[1], path).start()
            listener = socket.create_server(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            proxy = stand(
                {
                    "base_url": BASE,
                    "public_url": "https://portal.example",
                    "portal_url": "https://portal.example/services/portal/",
                    "strip_prefix": False,
                    "headers": {},
                    "cookies": [],
                    "user_header": "",
                    "user_cookie": "",
                    "api_token": "the-servers",
                    "hub": {
                        "JUPYTERHUB_API_URL": f"{hub.url}/hub/api",
                        "JUPYTERHUB_CLIENT_ID": "jupyterhub-user-alice-x",
                        "JUPYTERHUB_OAUTH_CALLBACK_URL": f"{BASE}oauth_callback",
                        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": json.dumps(
                            ["access:servers!server=alice/x", "access:servers!user=alice"]
                        ),
                        "JUPYTERHUB_ACTIVITY_URL": f"{hub.url}/hub/api/users/alice/activity",
                        "JUPYTERHUB_SERVER_NAME": "x",
                    },
                }
                | orders,
                listener=listener,
                connect=lambda timeout_s: connected(socket.socket(socket.AF_UNIX), path, timeout_s),
                output=lambda: "Traceback\nOut of <b>luck</b>",
                log=print,
                ssh=ssh,
                ports=ports,
                guests=guests,
                watch_s=watch_s,
            )
            async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
                yield World(f"http://127.0.0.1:{port}{BASE}", proxy, hub, seen, client)
            await asyncio.to_thread(proxy.stop)
            listener.close()
            await asyncio.gather(*(runner.cleanup() for runner in runners))

    return world
