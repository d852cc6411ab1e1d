"""The Cluster page in Chromium: how soon it shows its first nodes, and whether it scrolls evenly."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import CHROMIUM, OPTIONS

FRAMES = """async () => {
  const gaps = []; let last = performance.now();
  for (let step = 0; step < 240; step += 1) {
    window.scrollBy(0, 120);
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now(); gaps.push(now - last); last = now;
  }
  return gaps.sort((a, b) => a - b);
}"""


def drawn(url: str) -> dict[str, Any]:
    """Open the page anew; first content is the first tile, as the browser itself counts time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        times = []
        for _ in range(3):
            page = browser.new_context(
                extra_http_headers={"Authorization": "token alice"}, viewport={"width": 1280, "height": 900}
            ).new_page()
            page.goto(f"{url}/services/portal/cluster")
            page.locator("[data-index='0']").wait_for()
            times.append(page.evaluate("performance.now()"))
        gaps = page.evaluate(FRAMES)
        shown = page.locator("button[data-index]").count()
        browser.close()
    return {
        "first_content_ms": round(sorted(times)[1]),
        "scroll_frame_p50_ms": round(gaps[len(gaps) // 2], 1),
        "scroll_frame_p95_ms": round(gaps[int(len(gaps) * 0.95)], 1),
        "tiles_drawn": shown,
    }
