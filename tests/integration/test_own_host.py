"""A portal with a host of its own: people log in at the Hub's, and pages of sessions are another site to the browser.

Here the two hosts are `127.0.0.1`, where the portal's own server listens, and `localhost`, where the proxy does.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.demo_site import API, INSIDE, DemoSite
from tests.person import START_TIMEOUT_S
from tests.two_hosts import two_hosts


@pytest.fixture(scope="module")
def apart(one_host_site: DemoSite) -> Iterator[str]:
    """The portal's own address, while the site is so."""
    portal = f"http://127.0.0.1:{one_host_site.ports['portal']}"
    with two_hosts(one_host_site, portal=portal, sessions=one_host_site.url):
        yield portal


@pytest.fixture
def browser(one_host_site: DemoSite, apart: str) -> Iterator[httpx2.Client]:
    """A browser that has opened the portal, and logged in where that led."""
    account = one_host_site.accounts["alice"]
    with httpx2.Client(follow_redirects=True, timeout=60) as browser:
        page = browser.get(f"{apart}/services/portal/login")
        assert page.url.host == "localhost", "The login page is the Hub's."
        form = {"username": "alice", "password": account.password, "_xsrf": browser.cookies["_xsrf"]}
        page = browser.post(str(page.url), data=form)
        assert str(page.url) == f"{apart}/services/portal/", "Back where it began."
        yield browser


def test_login_leads_to_the_hubs_host_and_back_and_each_keeps_its_cookies(
    one_host_site: DemoSite, apart: str, browser: httpx2.Client
) -> None:
    assert browser.get(f"{apart}{API}/me").json()["username"] == "alice"
    held = {(cookie.name, cookie.domain) for cookie in browser.cookies.jar}
    assert {domain for name, domain in held if name.startswith("portal-")} == {"127.0.0.1"}
    assert {domain for name, domain in held if name.startswith("jupyterhub-")} == {"localhost.local"}
    assert browser.get(f"{apart}/services/portal/tokens").url.host == "localhost"


def test_portal_is_not_served_under_the_sessions_host(
    one_host_site: DemoSite, apart: str, browser: httpx2.Client
) -> None:
    assert browser.get(f"{one_host_site.url}/services/portal/").status_code == 404
    assert browser.get(f"{one_host_site.url}/hub/").url.host == "127.0.0.1", "The Hub's first page is the portal."


def test_session_opens_under_the_sessions_host(one_host_site: DemoSite, apart: str, browser: httpx2.Client) -> None:
    csrf = browser.get(f"{apart}{API}/me").json()["csrf_token"]
    asked = {"app": "jupyterlab", "resources": {"gpus": 0}}
    answer = browser.post(f"{apart}{API}/sessions", json=asked, headers={"X-CSRF-Token": csrf})
    assert answer.status_code == 202, answer.text
    address = f"{apart}{API}/sessions/{answer.json()['id']}"
    one_host_site.wait_for(
        lambda: browser.get(address).json()["state"] == "ready", "the session to be ready", START_TIMEOUT_S
    )
    url = str(browser.get(address).json()["url"])
    assert urlsplit(url).netloc == urlsplit(one_host_site.url).netloc
    page = browser.get(url)
    assert (page.status_code, "jupyter-config-data" in page.text) == (200, True)


def test_command_line_gets_its_token_from_the_hub_and_speaks_to_the_portal(one_host_site: DemoSite, apart: str) -> None:
    password = one_host_site.accounts["bob"].password
    command = ("env", f"PORTAL_URL={apart}", f"{INSIDE}/bin/portal")
    one_host_site.run(*command, "login", "--username", "bob", user="bob", stdin=f"{password}\n")
    assert one_host_site.process(*command, "sessions", "list", user="bob").returncode == 0
