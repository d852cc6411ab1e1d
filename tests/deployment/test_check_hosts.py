"""`portal check` of host names, before real web servers and the real proxy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from portal.check import hosts
from portal.check.browser import browser
from portal.check.findings import Mark
from portal.settings import Settings
from tests import chromium
from tests.demo_site import free_port
from tests.deployment.fronts import FRONTS, SESSIONS, Front
from tests.deployment.proxied import proxied, secrets

pytestmark = pytest.mark.slow
WebServer = Callable[[Front], AbstractContextManager[None]]


class Service(BaseHTTPRequestHandler):
    """What tells portal and Hub from each other."""

    shared_with_every_origin = False

    def do_GET(self) -> None:
        body = {"/services/portal/healthz": b'{"database": true}', "/hub/api/": b'{"version": "6.1"}'}.get(self.path)
        self.send_response(200 if body else 404)
        if self.shared_with_every_origin:
            self.send_header("Access-Control-Allow-Origin", self.headers.get("Origin", "*"))
            self.send_header("Access-Control-Allow-Credentials", "true")
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture(params=FRONTS)
def web_server(request: pytest.FixtureRequest) -> WebServer:
    return FRONTS[request.param]


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[dict[str, int]]:
    """Portal and Hub, and ports for the proxy."""
    with ExitStack() as stack:
        ports = {"proxy": free_port(), "proxy_api": free_port()}
        for name in ("portal", "hub"):
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Service))
            stack.callback(server.shutdown)
            Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            ports[name] = server.server_port
        yield ports


@pytest.fixture
def front(request: pytest.FixtureRequest, names: None, behind: dict[str, int], tmp_path: Path) -> Front:
    return Front(tmp_path, behind, wildcard=f"*.{SESSIONS}", certified=getattr(request, "param", True))


@pytest.fixture
def settings(front: Front, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    hub = {"public_url": front.sessions_url, "subdomains": True, "port": front.ports["hub"]}
    return Settings.model_validate(
        {
            "secrets_dir": secrets(tmp_path),
            "server": {"public_url": front.portal_url},
            "hub": {**hub, "proxy_api_url": f"http://127.0.0.1:{front.ports['proxy_api']}"},
            "proxy": {"port": front.ports["proxy"]},
        }
    )


async def test_site_of_the_examples_is_good(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path
) -> None:
    with proxied(settings, tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        findings = await hosts.hosts(settings)
        assert routes.all() == {"/"}
    assert {finding.mark for finding in findings} == {Mark.GOOD}, findings
    assert [finding.text for finding in findings] == [
        "portal.localhost resolves, its certificate is valid",
        "jupyter.localhost resolves, its certificate is valid",
        "*.jupyter.localhost resolves, its certificate is valid",
        "each user's sessions are reached only at that user's host",
    ]


async def test_session_page_in_a_browser_reads_nothing_of_other_hosts(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path
) -> None:
    with proxied(settings, tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        (finding,) = await browser(settings, program=str(chromium.program()))
        assert routes.all() == {"/"}
    assert finding.mark is Mark.GOOD, finding
    assert finding.text.endswith("cannot read the portal, the Hub, another user's session")


async def test_session_page_that_reads_the_portal_in_a_browser_is_found(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Service, "shared_with_every_origin", True)
    with proxied(settings, tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        (finding,) = await browser(settings, program=str(chromium.program()))
    assert finding.mark is Mark.BAD
    assert finding.text.endswith("can read the portal and the Hub")
    assert "Access-Control-Allow-Origin" in finding.do


async def test_browser_that_is_missing_is_not_known_to_show_anything(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path
) -> None:
    with proxied(settings, tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        (finding,) = await browser(settings, program=str(tmp_path / "none"))
    assert finding.mark is Mark.WARNING
    assert "did not show the page" in finding.text


async def test_proxy_without_host_routing_is_found(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path
) -> None:
    hub = settings.hub.model_copy(update={"subdomains": False})
    with proxied(settings.model_copy(update={"hub": hub}), tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        findings = [host for host in await hosts.hosts(settings) if host.mark is Mark.BAD]
    assert len(findings) == 1
    assert findings[0].text.endswith(f".{SESSIONS}:{front.tls_port} does not lead to this user's sessions")
    assert "--host-routing" in findings[0].do


@pytest.mark.parametrize("front", [False], indirect=True)
async def test_certificate_that_leaves_the_wildcard_out_is_found(
    settings: Settings, front: Front, web_server: WebServer, tmp_path: Path
) -> None:
    with proxied(settings, tmp_path / "proxy.log") as routes, web_server(front):
        routes.add("/", front.ports["hub"])
        (finding,) = [host for host in await hosts.hosts(settings) if host.mark is Mark.BAD]
    assert f".{SESSIONS} is not valid: Hostname mismatch" in finding.text
    assert f"a certificate for *.{SESSIONS}" in finding.do


async def test_web_server_that_is_away_is_not_known_to_be_wrong(
    settings: Settings, front: Front, tmp_path: Path
) -> None:
    with proxied(settings, tmp_path / "proxy.log"):
        findings = await hosts.hosts(settings)
    assert [finding.mark for finding in findings] == [Mark.WARNING] * 3
    assert all("cannot be reached" in finding.text for finding in findings)
