"""What the portal's pages load while a session starts, so that JupyterLab finds it in the browser's cache."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.job.early import HEADER
from tests.demo_site import DemoSite
from tests.e2e.conftest import log_in
from tests.e2e.lab_loads import LAUNCHER, Loads, await_files
from tests.two_hosts import two_hosts

FORM = "/services/portal/sessions/new?gpus=0"
LARGEST = "jlab_core."


@pytest.fixture(scope="module")
def portal(one_host_site: DemoSite) -> Iterator[str]:
    """A portal whose host is of one site with that of the sessions, which `localhost` and `hub.localhost` are not."""
    portal = f"http://portal.localhost:{one_host_site.ports['portal']}"
    sessions = f"http://hub.portal.localhost:{urlsplit(one_host_site.url).port}"
    with two_hosts(one_host_site, portal=portal, sessions=sessions):
        yield portal
        one_host_site.tidy()


def visitor(browser: Browser, site: DemoSite, portal: str) -> Page:
    """Return a page of a browser of its own, in which alice has logged in."""
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{portal}/services/portal/")
    page.get_by_label("User name").wait_for()
    log_in(page, "alice", site.accounts["alice"].password)
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    return page


def start(page: Page) -> bool:
    """Start a session, and wait for the launcher; return whether the page came before its server."""
    with page.expect_response(lambda answer: urlsplit(answer.url).path.endswith("/lab")) as lab:
        page.get_by_role("button", name="Start session").click()
    page.locator(LAUNCHER).first.wait_for()
    return HEADER.lower() in lab.value.headers


def test_first_session_loads_the_lab_from_what_the_form_has_fetched(
    one_host_site: DemoSite, browser: Browser, portal: str
) -> None:
    site = one_host_site
    await_files(site)
    before = visitor(browser, site, portal)
    first = Loads(before)
    before.goto(f"{portal}{FORM}")
    assert not start(before)
    needed = {url for url in first.transferred() if ".js" in url}
    assert any(LARGEST in url for url in needed)
    before.context.close()

    page = visitor(browser, site, portal)
    loads = Loads(page)
    page.goto(f"{portal}{FORM}")
    site.wait_for(lambda: page.wait_for_timeout(100) or needed <= set(loads.transferred()), "the form to fetch the Lab")
    fetched = loads.transferred()
    assert len(fetched) == len(set(fetched)), "nothing is fetched twice"
    assert start(page), "the second session's page comes before its server"
    assert page.url.startswith("http://hub.portal.localhost")
    assert set(loads.all()[len(fetched) :]) >= needed, "the session's page has asked for them"
    assert [url for url in loads.transferred()[len(fetched) :] if url in needed] == []
    page.context.close()
