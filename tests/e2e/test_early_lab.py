"""JupyterLab's page before its server is there: what it shows meanwhile, and how each visit ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from playwright.sync_api import Page, expect

from agent.job.early import HEADER
from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage, log_in
from tests.e2e.lab_loads import LAUNCHER, await_files
from tests.e2e.test_shared_lab import own_extension
from tests.person import Live, Person

HOME = "/run/portal-demo/home/dave"
KEPT = f"{HOME}/.cache/portal/lab-page.json"
CONFIG = f"{HOME}/.jupyter/jupyter_server_config.py"
SLOW = "import time\ntime.sleep(4)\n"
DIES = SLOW + "import os\nos._exit(3)\n"
WAITING = "Starting JupyterLab…"

Configured = Callable[[str], AbstractContextManager[Live]]


@pytest.fixture
def dave(site: DemoSite) -> Iterator[Person]:
    """Dave, with the page that her last session has left."""
    await_files(site)
    person = Person.of(site, "dave")
    live = person.ready(gpus=0)
    person.web.get(f"{live.address}lab").raise_for_status()
    site.wait_for(lambda: site.process("test", "-f", KEPT, user="dave").returncode == 0, "the page to be kept")
    person.api("DELETE", f"/sessions/{live.id}").raise_for_status()
    yield person
    for session in person.sessions():
        person.api("DELETE", f"/sessions/{session['id']}")
    site.run("rm", "-f", CONFIG, KEPT, user="dave")
    person.close()


@pytest.fixture
def configured(site: DemoSite, dave: Person) -> Configured:
    """Start a session whose Jupyter runs this on its way, before it listens."""

    @contextmanager
    def start(config: str) -> Iterator[Live]:
        site.run("mkdir", "-p", f"{HOME}/.jupyter", user="dave")
        site.run("tee", CONFIG, user="dave", stdin=config)
        yield dave.ready(gpus=0)

    return start


def open_early(page: Page, url: str) -> None:
    """Open the page, and see that it is not the server's."""
    answer = page.goto(url, wait_until="commit")
    assert answer is not None
    assert answer.headers.get(HEADER.lower()) == "1"


def test_page_shows_that_lab_starts_and_becomes_it(configured: Configured, open_page: OpenPage) -> None:
    page = open_page("dave")
    with configured(SLOW) as live:
        open_early(page, live.url)
        waits = page.get_by_role("status").filter(has_text=WAITING)
        page.wait_for_function("() => document.readyState === 'complete'")  # JupyterLab's scripts go on from here
        expect(waits).to_be_visible()
        expect(page.locator(LAUNCHER).first).to_be_visible()
        expect(waits).to_have_count(0)
        expect(page.locator("iframe")).to_have_count(0)
        page.locator(".jp-LauncherCard[data-category='Notebook']").first.click()
        cell = page.locator(".jp-Notebook .cm-content").first
        cell.click()
        page.keyboard.insert_text("print(6*7)")
        expect(page.get_by_role("button", name="Python 3 (ipykernel) | Idle")).to_be_visible()
        page.keyboard.press("Shift+Enter")
        expect(page.locator(".jp-Notebook .jp-OutputArea-output").first).to_have_text("42")
        answer = page.reload()
        assert answer is not None
        assert HEADER.lower() not in answer.headers
        expect(page.get_by_role("menubar").first).to_be_visible()


def test_page_opens_the_notebook_of_its_address(site: DemoSite, configured: Configured, open_page: OpenPage) -> None:
    notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    site.run("mkdir", "-p", f"{HOME}/it's <b>", user="dave")
    site.run("tee", f"{HOME}/it's <b>/n.ipynb", user="dave", stdin=json.dumps(notebook))
    page = open_page("dave")
    with configured(SLOW) as live:
        open_early(page, f"{live.url}/tree/it's%20%3Cb%3E/n.ipynb")
        expect(page.get_by_role("tab", name="n.ipynb")).to_be_visible()


def test_page_that_the_server_would_not_show_is_loaded_again(
    site: DemoSite, configured: Configured, open_page: OpenPage
) -> None:
    page = open_page("dave")
    with own_extension(site, "dave"), configured(SLOW) as live:
        open_early(page, live.url)
        page.wait_for_function("() => window.mine === 42")
        expect(page.locator(LAUNCHER).first).to_be_visible()


def test_nobody_else_gets_further_than_the_page(site: DemoSite, configured: Configured, open_page: OpenPage) -> None:
    stranger, nobody = open_page("carol"), open_page()
    with configured(SLOW) as live:
        open_early(stranger, live.url)
        open_early(nobody, live.url)
        assert '"token": ""' in nobody.content()
        expect(stranger.get_by_text(WAITING)).to_have_count(0)
        expect(stranger.get_by_text("403")).to_be_visible()
        expect(nobody.get_by_label("User name")).to_be_visible()
        log_in(nobody, "dave", site.accounts["dave"].password)
        expect(nobody.locator(LAUNCHER).first).to_be_visible()


def test_page_waits_for_a_hub_that_is_away_as_its_server_does(
    site: DemoSite, configured: Configured, open_page: OpenPage
) -> None:
    page = open_page("dave")
    with configured(SLOW) as live:
        site.kill("hub")
        try:
            open_early(page, live.url)
            page.wait_for_timeout(6_000)  # longer than its server is slow
            expect(page.get_by_role("status").filter(has_text=WAITING)).to_be_visible()
        finally:
            site.start("hub")
        expect(page.locator(LAUNCHER).first).to_be_visible(timeout=60_000)


def test_server_that_ends_on_its_way_ends_the_page_and_says_why(
    dave: Person, configured: Configured, open_page: OpenPage
) -> None:
    page = open_page("dave")
    with configured(DIES) as live:
        open_early(page, live.url)
        assert "before it was ready, with exit code 3" in live.ended()["end"]["text"]
        expect(page.get_by_text(WAITING)).to_have_count(0)
        dave.api("PUT", f"/sessions/{live.id}/end-seen", json={"seen": True}).raise_for_status()
