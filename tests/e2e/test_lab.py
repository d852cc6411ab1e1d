"""JupyterLab inside a session, in Chromium: what it opens, and what it says of the session it runs in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live, Person

LAB_TIMEOUT_MS = 60_000


@pytest.fixture
def bob(site: DemoSite) -> Iterator[Person]:
    one = Person.of(site, "bob")
    yield one
    one.close()


def open_lab(page: Page, live: Live, path: str = "lab") -> None:
    page.goto(live.site.at(live.address + path))
    expect(page.get_by_role("menubar").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(page.locator("#jupyterlab-splash")).to_have_count(0, timeout=LAB_TIMEOUT_MS)


def test_a_session_opens_what_was_asked_for_and_not_what_another_session_has_open(
    bob: Person, open_page: OpenPage
) -> None:
    first, second = bob.ready(gpus=0), bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, first)
    page.locator(".jp-LauncherCard[data-category='Notebook']").first.click()
    notebook = page.get_by_role("tab", name="Untitled")
    expect(notebook.first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    with page.expect_response(lambda one: "/lab/api/workspaces/" in one.url and one.request.method == "PUT"):
        pass  # what is open is saved half a second later

    open_lab(page, second)
    expect(page.locator(".jp-Launcher").first).to_be_visible(timeout=LAB_TIMEOUT_MS)
    expect(notebook).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)

    open_lab(page, first)  # a reload shows this session's own again
    expect(notebook.first).to_be_visible(timeout=LAB_TIMEOUT_MS)
