"""Logins and logouts at a real Hub: what a saved cookie is worth, and what a link can do."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.demo_site import API, DemoSite, Front
from tests.security.logins import log_out

HTML = {"Accept": "text/html"}


@pytest.fixture
def browser(kept_site: DemoSite) -> Iterator[httpx2.Client]:
    with kept_site.browser("bob") as client:
        yield client


def saved(site: DemoSite, browser: httpx2.Client) -> httpx2.Client:
    """Return another browser with this one's current cookies."""
    other = Front(site, follow_redirects=True, timeout=30)
    for cookie in browser.cookies.jar:
        other.cookies.jar.set_cookie(cookie)
    return other


def is_logged_in(browser: httpx2.Client) -> bool:
    """Return whether the Hub lets it in, or sends it to a new login at the portal."""
    page = browser.get("/hub/token", headers=HTML)
    at_hub = (page.status_code, page.url.path) == (200, "/hub/token")
    at_portal = browser.get("/services/portal/login", headers=HTML).url.path.startswith("/services/portal")
    assert at_hub == at_portal
    return at_hub


def test_after_a_logout_saved_cookies_open_nothing(kept_site: DemoSite, browser: httpx2.Client) -> None:
    with saved(kept_site, browser) as thief:
        assert is_logged_in(thief)
    with saved(kept_site, browser) as thief:
        page = log_out(browser)
        assert page.url.path == "/hub/login", "One click, and no question."
        assert not is_logged_in(browser)
        assert not is_logged_in(thief)
    with kept_site.browser("bob") as again:
        assert is_logged_in(again)


def test_link_to_the_logout_only_asks(browser: httpx2.Client) -> None:
    for path in ("/hub/logout", "/services/portal/logout", "/hub/logout?ticket=1.x"):
        asked = browser.get(path, headers=HTML)
        assert "Log out?" in asked.text
        assert is_logged_in(browser)
    assert browser.post("/hub/logout").status_code == 403, "Without the _xsrf of the page."
    assert is_logged_in(browser)


def test_page_that_asks_logs_out(kept_site: DemoSite, browser: httpx2.Client) -> None:
    with saved(kept_site, browser) as thief:
        asked = browser.get("/hub/logout", headers=HTML)
        match = re.search(r'name="_xsrf" value="([^"]+)"', asked.text.partition("Log out?")[2])
        assert match
        done = browser.post("/hub/logout", data={"_xsrf": match[1]}, headers=HTML)
        assert done.url.path == "/hub/login"
        assert not is_logged_in(browser)
        assert not is_logged_in(thief)


@pytest.mark.parametrize("path", ["/hub/login", "/hub/nothing", "/hub/api/user", "/hub/static/none", "/hub/spawn/x/y"])
def test_hub_answers_with_the_headers_of_the_portal(path: str, kept_site: DemoSite, browser: httpx2.Client) -> None:
    for cookies in (None, browser.cookies):
        with Front(kept_site, cookies=cookies) as who:
            headers = who.get(path, headers=HTML).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"


def test_cookies_of_the_hub_are_not_sent_by_pages_elsewhere(kept_site: DemoSite) -> None:
    account = kept_site.accounts["bob"]
    with Front(kept_site) as fresh:
        results = fresh.get("/hub/login").headers.get_list("set-cookie")
        form = {"username": "bob", "password": account.password, "_xsrf": fresh.cookies["_xsrf"]}
        done = fresh.post("/hub/login", data=form)
        assert done.status_code == 302
        results += done.headers.get_list("set-cookie")
    login = [name for name in results if name.startswith("jupyterhub-hub-login=")]
    assert login
    given = [
        name for name in results if re.match(r"(jupyterhub|_xsrf)", name) and "expires=Thu, 01 Jan 1970" not in name
    ]
    assert all("samesite=lax" in name.lower() for name in given if '=""' not in name), given


def test_login_takes_no_large_body(kept_site: DemoSite) -> None:
    where = urlsplit(kept_site.hub_url)
    with socket.create_connection(("127.0.0.1", where.port or 80), timeout=20) as connection:
        head = f"POST /hub/login HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: {84 << 20}\r\n\r\n"
        connection.sendall(head.encode() + b"username=x&password=")
        assert connection.recv(4096).split(b" ")[1] in (b"400", b"413"), "Answered, while the body has not come."
    assert httpx2.get(f"{kept_site.url}{API}/openapi.json").status_code == 200
