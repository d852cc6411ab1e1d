"""Requests that the proxy sends to the portal by its default route, on a site with a host per user."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
from fastapi import FastAPI

from portal.app import attach, routes
from portal.settings import Hub, Server, Settings
from portal.wiring import Portal

ENTRY = "https://portal.example.org/services/portal/"
HUB = "https://hub.example.org"


@pytest.fixture(scope="module")
def by_host() -> FastAPI:
    server, hub = Server(public_url="https://portal.example.org"), Hub(public_url=HUB, subdomains=True)
    return routes(Settings(server=server, hub=hub))


@pytest.fixture
async def http(portal: Portal, by_host: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    attach(by_host, portal)
    transport = httpx2.ASGITransport(app=by_host, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "portal.example.org", "old.example.org", "alice.hub.example.org"])
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/", ENTRY),
        ("/nowhere?x=1", ENTRY),
        ("/user/alice/x-1/lab?a=b%20c", f"{HUB}/hub/user/alice/x-1/lab?a=b%20c"),
        ("/hub/token", f"{HUB}/hub/token"),
        ("/user//evil.example/\\x%0d%0aSet-Cookie:a", f"{HUB}/hub/user//evil.example/%5Cx%0D%0ASet-Cookie:a"),
    ],
)
async def test_whoever_opens_an_address_is_led_to_where_it_is(
    http: httpx2.AsyncClient, host: str, path: str, target: str
) -> None:
    answer = await http.get(f"https://{host}{path}", headers={"Accept": "text/html", "Sec-Fetch-Mode": "navigate"})
    assert (answer.status_code, answer.headers["location"]) == (302, target)
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/services/portal/", "/services/portal/login", "/services/portal/assets/x.js"])
async def test_nothing_of_the_portal_is_served_under_a_host_of_sessions(http: httpx2.AsyncClient, path: str) -> None:
    answer = await http.get(f"https://Alice.hub.example.org{path}", headers={"Sec-Fetch-Mode": "navigate"})
    assert (answer.status_code, answer.headers["location"]) == (302, ENTRY)
    assert "set-cookie" not in answer.headers


ALICES = "https://alice.hub.example.org"
PAGE = f"{ALICES}/user/alice/digits-1/models/7"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/files/job/mean.png?t=1", "/user/alice/digits-1/files/job/mean.png?t=1"),
        ("//evil.example/x", "/user/alice/digits-1//evil.example/x"),
        ("/a%0d%0aSet-Cookie:a", "/user/alice/digits-1/a%0D%0ASet-Cookie:a"),
    ],
)
async def test_what_an_app_asks_for_at_the_root_of_its_host_is_in_its_session(
    http: httpx2.AsyncClient, path: str, target: str
) -> None:
    answer = await http.get(ALICES + path, headers={"Referer": PAGE, "Sec-Fetch-Mode": "cors"})
    assert (answer.status_code, answer.headers["location"]) == (307, target)
    assert (answer.headers["cache-control"], "Referer" in answer.headers["vary"]) == ("no-store", True)


@pytest.mark.parametrize("port", ["8501", "absolute/8501"])
async def test_what_the_page_of_a_port_asks_for_at_the_root_comes_from_its_port(
    http: httpx2.AsyncClient, port: str
) -> None:
    base = f"/user/alice/lab-1/proxy-port/{port}"
    answer = await http.get(f"{ALICES}/static/a.js", headers={"Referer": f"{ALICES}{base}/deep/page"})
    assert (answer.status_code, answer.headers["location"]) == (307, f"{base}/static/a.js")


@pytest.mark.parametrize(
    ("method", "url", "referer"),
    [
        ("GET", f"{ALICES}/files/x", ""),
        ("GET", f"{ALICES}/files/x", "https://bob.hub.example.org/user/bob/x/"),
        ("GET", f"{ALICES}/files/x", "https://evil.example/user/alice/digits-1/"),
        ("GET", f"{ALICES}/files/x", f"{ALICES}/hub/home"),
        ("GET", "https://portal.example.org/files/x", "https://portal.example.org/user/alice/digits-1/"),
        ("GET", f"{ALICES}/user/alice/gone/lab", PAGE),
        ("GET", f"{ALICES}/services/portal/api/me", PAGE),
        ("POST", f"{ALICES}/files/x", PAGE),
    ],
)
async def test_nothing_else_is_led_into_a_session(
    http: httpx2.AsyncClient, method: str, url: str, referer: str
) -> None:
    answer = await http.request(method, url, headers={"Referer": referer, "Sec-Fetch-Mode": "cors"})
    assert answer.status_code in (404, 424)


async def test_scripts_and_programs_get_a_plain_refusal(http: httpx2.AsyncClient) -> None:
    alices = "https://alice.hub.example.org"
    for method, path, headers, status in (
        ("GET", "/user/alice/x/api/kernels", {"Sec-Fetch-Mode": "cors"}, 424),
        ("POST", "/user/alice/x/api/kernels", {"Sec-Fetch-Mode": "navigate"}, 424),
        ("GET", "/user/alice/x/api/kernels", {"Accept": "application/json"}, 424),
        ("GET", "/services/portal/api/me", {"Sec-Fetch-Mode": "cors"}, 404),
        ("POST", "/services/portal/api/sessions", {}, 404),
        ("POST", "/hub/login", {}, 404),
    ):
        answer = await http.request(method, alices + path, headers=headers)
        assert answer.status_code == status, path
        assert answer.json()["message"]


@pytest.mark.parametrize("host", ["portal.example.org", "127.0.0.1:8001", "head:8001", "hub.example.org:8001"])
async def test_portal_answers_under_whatever_name_nodes_and_hub_reach_it_by(
    http: httpx2.AsyncClient, host: str
) -> None:
    assert (await http.get(f"https://{host}/services/portal/api/me")).status_code == 401
