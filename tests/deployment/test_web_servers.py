"""The examples of web servers, run for real in front of a site with a host of its own for the portal.

All sessions share one host here, behind the gate.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from tests.demo_site import API, INSIDE, DemoSite, Front
from tests.deployment.fronts import FRONTS, PORTAL, SESSIONS, Fronted, fronted
from tests.laptop import PROGRAM, Laptop, laptop
from tests.person import Live, Person
from tests.two_hosts import two_hosts

pytestmark = pytest.mark.slow
PREFIX = "/services/portal"
UPLOAD_BYTES = 40 * 1024 * 1024
#: The laptop's address of both hosts is its own loopback, which leads to the web server alone.
HOSTS = f"127.0.0.1 localhost {PORTAL} {SESSIONS}\n"


@pytest.fixture(scope="module")
def behind(one_host_site: DemoSite, names: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fronted]:
    """The site told of its two addresses; nothing serves them yet."""
    site = fronted(one_host_site, tmp_path_factory.mktemp("front"))
    with two_hosts(one_host_site, portal=site.portal_url, sessions=site.url):
        yield site


@pytest.fixture(scope="module", params=FRONTS)
def world(request: pytest.FixtureRequest, behind: Fronted) -> Iterator[Fronted]:
    """The site as the world sees it, through one web server after the other."""
    with FRONTS[request.param](behind.web):
        yield behind


@pytest.fixture(scope="module")
def alice(world: Fronted) -> Iterator[Person]:
    token = world.token("alice")
    with client(world, headers={"Authorization": f"token {token}"}) as web:
        yield Person(world, "alice", token, web)


@pytest.fixture(scope="module")
def live(alice: Person) -> Iterator[Live]:
    live = alice.ready("Behind a web server", gpus=0)
    yield live
    live.stop()
    live.ended()


@contextmanager
def client(world: Fronted, **options: Any) -> Iterator[httpx2.Client]:
    """Give a client of the portal's host."""
    with Front(world, verify=world.tls, timeout=60, **options) as front:
        yield front


def test_plain_http_leads_to_https_of_the_same_host(world: Fronted) -> None:
    for host, url in ((PORTAL, world.portal_url), (SESSIONS, world.url)):
        answer = httpx2.get(f"http://{host}:{world.web.plain_port}/some/page?x=1")
        assert answer.status_code in (301, 308)
        assert answer.headers["location"] == f"{url}/some/page?x=1"


def test_first_page_is_the_portal_and_browsers_are_told_to_stay_with_https(world: Fronted) -> None:
    with client(world) as anybody:
        first = anybody.get("/")
        assert (first.status_code, first.headers["location"].removeprefix(world.portal_url)) == (302, f"{PREFIX}/")
        page = anybody.get(f"{PREFIX}/")
    assert '<div id="root">' in page.text
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_login_leads_to_the_sessions_host_and_back_with_secure_cookies(world: Fronted) -> None:
    with client(world, follow_redirects=True) as browser:
        page = browser.get(f"{PREFIX}/login")
        assert page.url.host == SESSIONS
        form = {"username": "alice", "password": world.accounts["alice"].password, "_xsrf": browser.cookies["_xsrf"]}
        assert str(browser.post(str(page.url), data=form).url) == f"{world.portal_url}{PREFIX}/"
        assert browser.get(f"{API}/me").json()["username"] == "alice"
        logins = [
            cookie
            for cookie in browser.cookies.jar
            if cookie.name.startswith(("__Host-portal-", "jupyterhub-hub-login"))
        ]
        assert {login.domain for login in logins} == {PORTAL, SESSIONS}
        assert all(login.secure for login in logins)


def test_kernel_computes_through_a_websocket(live: Live) -> None:
    assert live.kernel().value("6 * 7") == 42


def test_events_arrive_while_their_stream_is_open(alice: Person) -> None:
    """A web server that gathers a stream before it passes it on would leave a page without news for ever."""
    live = alice.start("Followed", gpus=0)
    with live.follow(timeout_s=60) as frames:
        states = []
        for kind, data in frames:
            if kind == "progress":
                states.append(data["state"])
            if states[-1:] == ["ready"]:
                live.stop()
    assert states[-1] == "ended"


def test_upload_of_many_megabytes_arrives_whole(alice: Person, live: Live) -> None:
    body = {"type": "file", "format": "text", "content": "x" * UPLOAD_BYTES}
    answer = alice.web.put(f"{live.address}api/contents/uploaded.txt", json=body, timeout=120)
    assert answer.status_code == 201, answer.text
    assert alice.site.run("stat", "--format=%s", str(INSIDE / "home/alice/uploaded.txt")).strip() == str(UPLOAD_BYTES)
    alice.site.run("rm", str(INSIDE / "home/alice/uploaded.txt"))


def test_metrics_are_closed_to_the_world_and_open_to_who_reaches_the_port(world: Fronted) -> None:
    for headers in ({}, {"X-Forwarded-For": ""}, {"Connection": "X-Forwarded-For"}):
        with client(world, headers=headers) as anybody:
            for path in (f"{PREFIX}/metrics", f"{PREFIX}//metrics", f"{PREFIX}/%6detrics", f"{PREFIX}/x/../metrics"):
                assert "portal_slurm_up" not in anybody.get(path).text
            assert anybody.get(f"{PREFIX}/metrics").status_code == 404
            assert anybody.get(f"{world.url}/hub/metrics").status_code == 403
    assert "portal_slurm_up 1.0" in world.metrics()


def test_address_that_a_browser_claims_is_not_believed(world: Fronted) -> None:
    claimed = {"X-Forwarded-For": "192.0.2.66", "X-Real-IP": "192.0.2.66", "Forwarded": "for=192.0.2.66"}
    with client(world, headers=claimed, follow_redirects=True) as browser:
        page = browser.get(f"{PREFIX}/login")
        form = {"username": "bob", "password": world.accounts["bob"].password, "_xsrf": browser.cookies["_xsrf"]}
        browser.post(str(page.url), data=form).raise_for_status()
    token = world.token("admin")
    with client(world, headers={"Authorization": f"token {token}"}) as admin:
        logins = admin.get(f"{API}/audit", params={"actor": "bob", "action": "login"}).json()["items"]
    assert {login["address"] for login in logins[:1]} == {"127.0.0.1"}


def test_websocket_of_another_person_stays_closed(world: Fronted, live: Live) -> None:
    token = world.token("bob")
    with client(world, headers={"Authorization": f"token {token}"}) as bob:
        assert bob.get(f"{live.address}api/kernels").status_code == 403


class Verifying(Laptop):
    """A laptop that reaches the site through TLS, and knows its CA only while `trusts` is true."""

    trusts = True

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | ({"SSL_CERT_FILE": "/root/ca.pem"} if self.trusts else {})

    @property
    def portal_url(self) -> str:
        assert isinstance(self.site, Fronted)
        return self.site.portal_url

    def download(self) -> None:
        """Fetch the program as a user does who knows the site's CA."""
        assert isinstance(self.site, Fronted)
        (self.home / "hosts").write_text(HOSTS)
        (self.home / "ca.pem").write_bytes((self.site.web.folder / "ca.pem").read_bytes())
        self.run("mount", "--bind", "/root/hosts", "/etc/hosts")
        super().download()


def test_ssh_goes_through_the_gate_and_tls_that_the_laptop_verifies(world: Fronted, live: Live) -> None:
    with laptop(world, Verifying) as machine:
        assert isinstance(machine, Verifying)
        machine.trusts = False
        unknown = f"This machine does not trust the certificate of {PORTAL}:{world.web.tls_port}: "
        assert unknown in machine.portal("login", check=False).stderr
        machine.trusts = True
        machine.log_in("alice")
        job = str(live.now()["job_id"])
        assert machine.portal("ssh", live.id, "echo $SLURM_JOB_ID").stdout.strip() == job
        host = machine.portal("ssh-config").stdout.split(":")[1].strip().rstrip(".")
        machine.run("scp", "-q", PROGRAM, f"{host}:copied")
        assert machine.run("ssh", host, "cat copied | wc -c").stdout.strip() == str(
            (machine.home / "portal.pyz").stat().st_size
        )
        machine.trusts = False
        refused = machine.portal("ssh", live.id, "true", check=False)
        assert unknown in refused.stderr
        assert refused.returncode != 0
