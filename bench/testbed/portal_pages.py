"""The portal's own pages in Chromium with an empty cache: time to content, and what was transferred."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Browser, StorageState

from bench.testbed.lab_page import Traffic

HEADING = "main h1"
PLACEHOLDER = ".mantine-Skeleton-root"


@dataclass(frozen=True)
class PageLoad:
    """Seconds from the request to the content, and what the browser had transferred by then."""

    seconds: float
    kb: float
    requests: int


def first_load(browser: Browser, login: StorageState, url: str, line: Mapping[str, float] | None) -> PageLoad:
    """Open a page as somebody who is logged in but has nothing of the portal in the browser's cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 844}, storage_state=login)
    page = context.new_page()
    traffic = Traffic(page, line)
    began = time.monotonic()
    page.goto(url, wait_until="commit")
    page.locator(HEADING).first.wait_for()
    page.locator(PLACEHOLDER).first.wait_for(state="detached")
    load = PageLoad(time.monotonic() - began, round(traffic.bytes / 1000, 1), traffic.requests)
    context.close()
    return load
