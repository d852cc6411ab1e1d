"""A job's page in Chromium while its output is followed: what blocks it, as the browser measures it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests import chromium
from tests.demo_site import DemoSite
from tests.e2e.conftest import log_in

#: Main-thread tasks over 50 ms (Long Tasks API), and the time from key to paint (Event Timing API).
OBSERVE = """
window.seen = {tasks: [], keys: []};
const watch = (type, take) =>
  new PerformanceObserver(list => list.getEntries().forEach(take)).observe({type, durationThreshold: 16});
watch("longtask", one => seen.tasks.push(one.duration));
watch("event", one => one.name === "keydown" && seen.keys.push(one.duration));
"""


class OutputPage:
    """A user who watches an output, and types into its search field now and then."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._typed = 0
        self._size = ""
        self._moved = 0

    def begin(self, job_id: str) -> None:
        self._page.goto(f"/services/portal/jobs/{job_id}")
        self._page.get_by_role("region", name="Output", exact=True).last.wait_for()
        self._page.evaluate(OBSERVE)

    def type(self) -> None:
        self._page.get_by_label("Search the output").press("q" if self._typed % 4 < 2 else "Backspace")
        self._typed += 1
        size = self._page.locator("[role=status][data-state] + span").inner_text()
        self._moved += size != self._size
        self._size = size

    def seen(self) -> dict[str, Any]:
        seen = self._page.evaluate("seen")
        tasks, keys = sorted(seen["tasks"]), sorted(seen["keys"])
        heap = self._page.evaluate("performance.memory.usedJSHeapSize")
        return {
            "long_tasks": len(tasks),
            "longest_task_ms": round(max(tasks, default=0)),
            "keys_typed": self._typed,
            "page_moved": self._moved,
            "key_p95_ms": round(keys[int(len(keys) * 0.95)]) if keys else 0,
            "slowest_key_ms": round(max(keys, default=0)),
            "browser_heap_mb": round(heap / 1e6, 1),
            "lines_shown": self._page.locator("pre > div").count(),
        }


@contextmanager
def output_page(site: DemoSite, username: str) -> Iterator[OutputPage]:
    """Log a user in with their own Chromium."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        page = browser.new_page(base_url=site.url)
        page.set_default_timeout(60_000)
        page.goto("/")
        log_in(page, username, site.accounts[username].password)
        page.get_by_role("heading", name="Sessions", exact=True).wait_for()
        try:
            yield OutputPage(page)
        finally:
            browser.close()
