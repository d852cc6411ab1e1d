"""The Cluster page in Chromium: how soon it shows its first nodes, and whether it scrolls smoothly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests import chromium

STEPS = 240
#: The times at which the browser drew, by its frame clock: every 16.7 ms, except where a frame was dropped.
FRAMES = """async (steps) => {
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    window.scrollBy(0, 120);
    times.push(await new Promise((done) => requestAnimationFrame(done)));
  }
  return times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
}"""
#: A longer gap means a dropped frame.
DROPPED_MS = 25


@contextmanager
def traced(page: Page) -> Iterator[dict[str, float]]:
    """Measure the main thread's CPU time for frames in the block (`cpu_ms`), which load does not change."""
    spent: dict[str, float] = {}
    devtools, ended = page.context.new_cdp_session(page), list[dict[str, Any]]()
    devtools.on("Tracing.tracingComplete", lambda event: ended.append(event))
    categories = {"includedCategories": ["cc", "__metadata"], "excludedCategories": ["*"]}
    devtools.send("Tracing.start", {"transferMode": "ReturnAsStream", "traceConfig": categories})
    yield spent
    devtools.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    text, more = "", True
    while more:
        piece = devtools.send("IO.read", {"handle": ended[0]["stream"], "size": 1 << 22})
        text, more = text + piece["data"], not piece["eof"]
    spent["cpu_ms"] = sum(
        event.get("tdur", 0) / 1000
        for event in json.loads(text)["traceEvents"]
        if event["name"] == "ProxyMain::BeginMainFrame"
    )


def drawn(url: str) -> dict[str, Any]:
    """Open the page in a fresh state; first content is the first tile, in the browser's own time."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        times = []
        for _ in range(3):
            page = browser.new_context(
                extra_http_headers={"Authorization": "token alice"}, viewport={"width": 1280, "height": 900}
            ).new_page()
            page.goto(f"{url}/services/portal/cluster")
            page.locator("[data-index='0']").wait_for()
            times.append(page.evaluate("performance.now()"))
        gaps = page.evaluate(FRAMES, STEPS)
        with traced(page) as spent:
            page.evaluate(FRAMES, STEPS)
        shown = page.locator("button[data-index]").count()
        browser.close()
    return {
        "first_content_ms": round(sorted(times)[1]),
        "scroll_frame_p50_ms": round(gaps[len(gaps) // 2], 1),
        "scroll_frame_p95_ms": round(gaps[int(len(gaps) * 0.95)], 1),
        "scroll_frames_dropped": sum(gap > DROPPED_MS for gap in gaps) / len(gaps),
        "scroll_frame_cpu_ms": round(spent["cpu_ms"] / STEPS, 1),
        "tiles_drawn": shown,
    }
