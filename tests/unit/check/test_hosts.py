"""What `portal check` says of a site's host names, before a small stand-in for web server, proxy, portal and Hub."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx2
import pytest

from portal.check import hosts
from portal.check.findings import Finding, Mark
from portal.settings import SECRET_NAMES, Settings

GOOD = "each user's sessions are reached only at that user's host"


class Front(BaseHTTPRequestHandler):
    """All in one: the proxy's API and, by the request's host, what stands behind it."""

    by_host: ClassVar = True
    """Whether it leads by host and path, as it should, or by path alone."""
    everywhere: ClassVar = False
    """Whether portal and Hub are served at all hosts."""
    routes: ClassVar[dict[str, str]] = {}

    def do_POST(self) -> None:
        self.routes[self.path.removeprefix("/api/routes")] = self.rfile.read(
            int(self.headers["Content-Length"])
        ).decode()
        self._say(201)

    def do_DELETE(self) -> None:
        self._say(204 if self.routes.pop(self.path.removeprefix("/api/routes"), None) else 404)

    def do_GET(self) -> None:
        host = self.headers["Host"].partition(":")[0]
        for route, target in self.routes.items():
            path = route if self.by_host else route[route.index("/user/") :]
            if (f"/{host}{self.path}" if self.by_host else self.path).startswith(path):
                self._say(200, httpx2.get(target.split('"')[3] + self.path, headers=dict(self.headers)).text)
                return
        page = {"/services/portal/healthz": '{"database": true}', "/hub/api/": '{"version": "6"}'}.get(self.path)
        if page and (self.everywhere or host == ("portal.localhost" if "database" in page else "hub.localhost")):
            self._say(200, page)
        else:
            self._say(404)

    def _say(self, status: int, text: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture
def front() -> type[Front]:
    class One(Front):
        routes: ClassVar[dict[str, str]] = {}

    return One


@pytest.fixture
def settings(front: type[Front], tmp_path: Path) -> Iterator[Settings]:
    for number, name in enumerate(SECRET_NAMES):
        (tmp_path / name).write_text(f"{number:064x}")
        (tmp_path / name).chmod(0o600)
    with ThreadingHTTPServer(("127.0.0.1", 0), front) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        port = server.server_port
        hub = {"public_url": f"http://hub.localhost:{port}", "proxy_api_url": f"http://127.0.0.1:{port}"}
        yield Settings.model_validate(
            {
                "secrets_dir": tmp_path,
                "server": {"public_url": f"http://portal.localhost:{port}"},
                "hub": {**hub, "subdomains": True},
            }
        )
        server.shutdown()


def changed(settings: Settings, **hub: Any) -> Settings:
    return settings.model_copy(update={"hub": settings.hub.model_copy(update=hub)})


def texts(findings: list[Finding], mark: Mark) -> list[str]:
    return [finding.text for finding in findings if finding.mark is mark]


async def test_hosts_that_lead_where_they_should_are_good_and_the_route_is_gone(
    settings: Settings, front: type[Front]
) -> None:
    findings = await hosts.hosts(settings)
    assert {finding.mark for finding in findings} == {Mark.GOOD}
    assert [finding.text for finding in findings] == [
        *("portal.localhost resolves", "hub.localhost resolves", "*.hub.localhost resolves"),
        GOOD,
    ]
    assert front.routes == {}


async def test_proxy_that_leads_by_path_alone_is_found(settings: Settings, front: type[Front]) -> None:
    front.by_host = False
    findings = await hosts.hosts(settings)
    port = urlsplit(settings.hub.public_url).port
    assert texts(findings, Mark.BAD) == [
        f"http://{host}.localhost:{port} also leads to another user's sessions"
        for host in ("hub", "check-nobody.hub", "portal")
    ]
    assert all("--host-routing" in finding.do for finding in findings if finding.mark is Mark.BAD)


async def test_portal_and_hub_on_users_hosts_are_found(settings: Settings, front: type[Front]) -> None:
    front.everywhere = True
    results = texts(await hosts.hosts(settings), Mark.WARNING)
    assert results == ["the portal is also served at users' hosts", "the Hub is also served at users' hosts"]


async def test_wildcard_that_does_not_resolve_is_told_with_the_name_that_was_asked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolves(host: str) -> bool:
        return not host.startswith("check-")

    monkeypatch.setattr(hosts, "resolves", resolves)
    findings = await hosts.hosts(settings)
    (text,) = texts(findings, Mark.BAD)
    assert text.startswith("*.hub.localhost does not resolve (asked for check-")


async def test_fewer_hosts_are_told_with_what_they_give_up(settings: Settings) -> None:
    findings = await hosts.hosts(changed(settings, subdomains=False))
    (text,) = texts(findings, Mark.WARNING)
    assert text.startswith("Without a wildcard name")
    (finding,) = await hosts.hosts(changed(settings, subdomains=False, public_url=""))
    assert finding.mark is Mark.WARNING
    assert finding.text.startswith("With one host name for everything")


async def test_web_server_without_the_gate_is_found(settings: Settings, front: type[Front]) -> None:
    front.by_host = False
    results = texts(await hosts.hosts(changed(settings, subdomains=False)), Mark.BAD)
    assert results == ["the web server lets everybody through to sessions"]


async def test_proxy_that_is_away_is_no_finding_of_its_own(settings: Settings) -> None:
    (finding,) = await hosts.hosts(changed(settings, proxy_api_url="http://127.0.0.1:1"))
    assert (finding.mark, finding.text) == (Mark.WARNING, "not checked: the proxy does not answer")
