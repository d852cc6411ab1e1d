"""The real apps of the catalogue in a demo site, and a browser to open them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests import chromium
from tests.apps.real import bring_in
from tests.demo_site import DemoSite
from tests.e2e.conftest import open_page
from tests.person import Live, Person

__all__ = ["open_page"]

SMALL = {"gpus": 0, "cpus": 1, "memory_mib": 4096}
READY_TIMEOUT_S = 300  # MLflow creates a database; the machine has other things to do


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium as people have it: its headless shell refuses pages the clipboard, which the desktop needs."""
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="module")
def alice(kept_site: DemoSite, person: Callable[[str], Person]) -> Person:
    bring_in(kept_site, "alice")
    return person("alice")


@pytest.fixture
def opened(alice: Person) -> Iterator[Callable[..., Live]]:
    """Start a session of an app and wait until it is ready; it is stopped after the test."""
    started: list[Live] = []

    def open_(app: str, options: dict[str, str] | None = None, **more: object) -> Live:
        live = alice.open(app, options, resources=SMALL, **more)
        started.append(live)
        live.until("ready", timeout_s=READY_TIMEOUT_S)
        return live

    yield open_
    for live in started:
        live.stop()
    for live in started:
        live.ended()
