"""What the examples of web servers hand on, and to whom: run for real, before servers that echo requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx2
import pytest

from tests.deployment.fronts import FRONTS, PORTAL, SESSIONS, Front

pytestmark = pytest.mark.slow
ALICE = f"alice.{SESSIONS}"
CLAIMED = {"X-Forwarded-For": "192.0.2.66", "X-Real-IP": "192.0.2.66", "X-Forwarded-Proto": "http"}


class Tells(BaseHTTPRequestHandler):
    """Answers with what it was asked, and at which port."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        headers = {name.lower(): self.headers.get_all(name) for name in self.headers}
        body = json.dumps({"port": self.server.server_port, "path": self.path, "headers": headers}).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with ExitStack() as stack:
        ports = {}
        for name in ("proxy", "portal"):
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Tells))
            stack.callback(server.shutdown)
            Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            ports[name] = server.server_port
        yield ports


@pytest.fixture(scope="module", params=FRONTS)
def front(
    request: pytest.FixtureRequest, names: None, ports: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    front = Front(tmp_path_factory.mktemp("front"), ports, wildcard=f"*.{SESSIONS}")
    with FRONTS[request.param](front):
        yield front


def get(front: Front, host: str, path: str, **headers: str) -> httpx2.Response:
    return httpx2.get(f"https://{host}:{front.tls_port}{path}", verify=front.tls, headers=headers)


def test_each_host_leads_where_it_belongs_and_keeps_its_name(front: Front, ports: dict[str, int]) -> None:
    for host, path, port in (
        (PORTAL, "/services/portal/", "portal"),
        (SESSIONS, "/hub/login", "proxy"),
        (ALICE, "/user/alice/lab?x=1", "proxy"),
    ):
        asked = get(front, host, path).json()
        assert (asked["port"], asked["path"]) == (ports[port], path)
        assert asked["headers"]["host"] == [f"{host}:{front.tls_port}"]


def test_host_of_a_user_serves_sessions_and_neither_hub_nor_portal(front: Front) -> None:
    for path in (
        "/",
        "/hub/login",
        "/hub/api/user",
        "/services/portal/",
        "/user/../hub/login",
        "/services/portal/api/me",
    ):
        answer = get(front, ALICE, path)
        assert (answer.status_code, answer.headers["location"]) == (302, f"{front.portal_url}/services/portal/")


@pytest.mark.parametrize("host", [PORTAL, SESSIONS, ALICE])
def test_address_is_the_peers_whatever_the_browser_claims(front: Front, host: str) -> None:
    asked = get(front, host, "/user/alice/", **CLAIMED).json()["headers"]
    assert asked["x-forwarded-for"] == ["127.0.0.1"]
    assert asked["x-forwarded-proto"] == ["https"]
    assert asked.get("x-real-ip", [""]) == [""]
    assert "192.0.2.66" not in json.dumps(asked)


@pytest.mark.parametrize("host", [PORTAL, SESSIONS, ALICE])
def test_plain_http_leads_to_https_of_the_same_host(front: Front, host: str) -> None:
    answer = httpx2.get(f"http://{host}:{front.plain_port}/some/page?x=1")
    assert answer.status_code in (301, 308)
    assert answer.headers["location"] == f"https://{host}:{front.tls_port}/some/page?x=1"
