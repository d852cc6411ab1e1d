"""A real browser, and people who have logged in with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import chromium
from tests.demo_site import PATIENCE_S, RESULTS, DemoSite

PATIENCE_MS = 1000 * PATIENCE_S
#: How pages write a time that is less than a day away; from some minutes before midnight on, it is tomorrow's.
CLOCK = r"(tomorrow )?\d\d:\d\d"

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Playwright keeps an event loop running in this thread while it is open, so it is not kept open for long.

    A module that needs what only a whole browser has says so with LAUNCH.
    """
    launch = getattr(request.module, "LAUNCH", chromium.launch_shell)
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture
def open_page(site: DemoSite, browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Give pages of browsers of their own; with a name, logged in. Pictures are kept when the test fails."""
    yield from _opened(site, browser, request)


@pytest.fixture(scope="module")
def kept_open_page(kept_site: DemoSite, browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Give pages that stay open until the module's end."""
    yield from _opened(kept_site, browser, request)


def _opened(site: DemoSite, browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    expect.set_options(timeout=PATIENCE_MS)
    pages: list[Page] = []

    def open_(username: str | None = None, *, dark: bool = False, phone: bool = False) -> Page:
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": 390 if phone else 1280, "height": 844},
            color_scheme="dark" if dark else "light",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        pages.append(page)
        page.goto("/")
        page.get_by_label("User name").wait_for()  # the app leads to the login
        if username is not None:
            log_in(page, username, site.accounts[username].password)
            expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
        return page

    yield open_
    failed = request.session.testsfailed > request.config.stash.get(FAILED_BEFORE, 0)
    request.config.stash[FAILED_BEFORE] = request.session.testsfailed
    for number, page in enumerate(pages):
        if failed:
            Path(RESULTS).mkdir(exist_ok=True)
            page.screenshot(path=RESULTS / f"{Path(request.node.name).name}-{number}.png")
        page.context.close()


FAILED_BEFORE: pytest.StashKey[int] = pytest.StashKey()


def log_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def start_session(page: Page, name: str, *, gpus: int = 1) -> None:
    """Fill in New session and start it; the page follows the session, and leads into its app when it is ready."""
    page.goto(f"/services/portal/sessions/new?name={name}&gpus={gpus}&partition=sxm2")
    page.get_by_role("button", name="Start session").click()


def start_ready_session(page: Page, name: str, *, gpus: int = 1) -> None:
    """Start a session, and come back to the home page when its app has opened."""
    start_session(page, name, gpus=gpus)
    page.wait_for_url("**/user/**/lab**")
    page.goto("/services/portal/")
    expect(card(page, name)).to_contain_text("Ready")


def type_in_terminal(page: Page, line: str) -> None:
    """Run a line in the terminal app, which the page is about to be, and wait until the shell echoes it."""
    page.wait_for_url("**/user/**", timeout=90_000)
    page.locator(".xterm-helper-textarea").wait_for(state="attached", timeout=60_000)
    page.locator(".xterm").first.click()
    page.keyboard.type(f"{line}\n")
    expect(page.locator(".xterm-rows")).to_contain_text(line)


def card(page: Page, name: str):  # type: ignore[no-untyped-def]  # a Locator
    return page.get_by_role("article", name=name)
