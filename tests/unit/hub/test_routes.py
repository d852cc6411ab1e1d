"""A proxy that has lost its routes gets them back from the Hub at once."""

from __future__ import annotations

import httpx2
import pytest

from portal.hub.client import HubClient
from portal.hub.routes import Routes


class Wire:
    """The proxy's API and the Hub's, by hand."""

    def __init__(self) -> None:
        self.routes: dict[str, object] | None = {}
        self.hub_status = 202
        self.asked: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(f"{request.method} {request.url.path}")
        if request.method == "POST":
            if self.hub_status == 202:
                self.routes = {"/": {"target": "http://hub", "hub": True}}
            return httpx2.Response(self.hub_status, json={})
        if self.routes is None:
            raise httpx2.ConnectError("refused")
        return httpx2.Response(200, json=self.routes)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def routes(wire: Wire) -> Routes:
    hub = HubClient("http://hub/hub/api", "token", transport=httpx2.MockTransport(wire))
    return Routes(hub, "http://proxy", "token")


async def test_a_proxy_without_routes_gets_them_back(wire: Wire, routes: Routes) -> None:
    await routes.look()
    await routes.look()
    assert wire.asked == ["GET /api/routes", "POST /hub/api/proxy", "GET /api/routes"]


async def test_a_proxy_that_has_only_the_route_of_a_new_server_gets_the_others_back(wire: Wire, routes: Routes) -> None:
    wire.routes = {"/user/alice/lab": {"target": "http://node001", "user": "alice"}}
    await routes.look()
    assert "POST /hub/api/proxy" in wire.asked


async def test_a_hub_that_is_away_is_asked_again(wire: Wire, routes: Routes) -> None:
    wire.hub_status = 503
    await routes.look()
    wire.hub_status = 202
    await routes.look()
    assert wire.asked.count("POST /hub/api/proxy") == 2
    assert wire.routes


async def test_a_proxy_that_is_away_tells_nothing(wire: Wire, routes: Routes) -> None:
    wire.routes = None
    await routes.look()
    assert wire.asked == ["GET /api/routes"]
