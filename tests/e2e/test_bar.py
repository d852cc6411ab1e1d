"""The session's line above the terminal and in the corner of other apps' pages, in Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.demo_site import CLONE, DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_apps import LOSS, shows_a_chart
from tests.events import write_events
from tests.person import Live, Person

PATIENCE_MS = 60_000


@pytest.fixture
def dave(site: DemoSite) -> Iterator[Person]:
    one = Person.of(site, "dave")
    yield one
    one.close()


def ready(dave: Person, app: str, options: dict[str, str] | None = None, **resources: int) -> Live:
    live = dave.open(app, options, name=f"My {app}", resources=resources)
    live.until("ready")
    return live


def line_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[title='Session']")


def test_the_terminal_shows_its_session_extends_it_and_says_how_it_ended(
    site: DemoSite, dave: Person, open_page: OpenPage
) -> None:
    live = ready(dave, "terminal", gpus=1, walltime_s=3600)
    page = open_page("dave")
    page.goto(site.at(live.address))
    line = line_of(page)
    item = line.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text(re.compile(r"^5\d min left · 1 GPU"), timeout=PATIENCE_MS)
    expect(item).to_contain_text(re.compile(rf"cores? · .*B of .*B · {live.now()['node']}$"), timeout=PATIENCE_MS)
    expect(page.locator(".xterm-helper-textarea")).to_be_focused()

    item.press("Enter")
    panel = line.get_by_role("dialog", name="Session")
    expect(panel.get_by_role("heading", name="My terminal")).to_be_visible()
    expect(panel.get_by_role("button", name="Stop")).to_have_count(0)
    panel.get_by_role("button", name="Extend").press("Enter")
    panel.get_by_role("button", name="+ 1 h").press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Extended: 1 h 5")
    assert live.now()["resources"]["walltime_s"] == 7200
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(item).to_be_focused()

    frame = page.frame(url=re.compile(r"/\.portal/bar"))
    assert frame is not None
    frame.evaluate("const now = Date.now; Date.now = () => now() + 106 * 60_000")
    changed = dave.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 7140})  # news of the session
    assert changed.status_code == 200, changed.text
    warning = line.get_by_role("alert").filter(has_text="This session ends in")
    expect(warning.get_by_role("button", name="Extend by 1 h")).to_be_visible()
    assert axe(page) == []
    warning.get_by_role("button", name="Close").click()
    expect(warning).to_have_count(0)

    node = live.now()["node"]
    site.kill("portal")
    try:
        expect(item).to_have_text(re.compile(rf"left · 1 GPU · {node}$"))  # no figures that may be old
        expect(line.get_by_role("alert")).to_have_count(0)
    finally:
        site.start("portal")
    live.stop()
    ended = line.get_by_role("alertdialog", name="My terminal has ended")
    expect(ended).to_contain_text("You stopped it.", timeout=3 * PATIENCE_MS)  # a lost page asks at growing intervals
    ended.get_by_role("button", name="Start again").click()
    page.wait_for_url(re.compile(r"/sessions/new\?.*name=My"))


def test_tensorboard_has_the_line_in_a_corner_that_can_be_hidden(
    site: DemoSite, dave: Person, open_page: OpenPage
) -> None:
    write_events(site, "dave", "runs/first", LOSS)
    live = ready(dave, "tensorboard", {"folder": "~/runs"}, gpus=0)
    page = open_page("dave")
    page.goto(site.at(live.address))
    shows_a_chart(page)
    line = line_of(page)
    item = line.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("left")
    box = page.locator("iframe[title='Session']").bounding_box()
    assert box is not None
    assert box["width"] < 400
    assert (box["x"] + box["width"], box["y"] + box["height"]) == (1280, 844)
    for _ in range(5):  # it fits itself after each change
        item.evaluate("button => document.body.toggleAttribute('data-changed')")
    assert item.evaluate("button => button.scrollWidth <= button.clientWidth"), "its text is cut off"
    item.click()
    expect(line.get_by_role("dialog", name="Session").get_by_role("link", name="Session page")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Escape")
    line.get_by_role("button", name="Hide until this tab is closed").click()
    expect(item).to_be_hidden()
    page.reload()
    shows_a_chart(page)
    expect(item).to_be_hidden()


def axe(page: Page) -> list[object]:
    """What axe finds in the line."""
    frame = page.frame(url=re.compile(r"/\.portal/bar"))
    assert frame is not None
    frame.evaluate((CLONE / "frontend/node_modules/axe-core/axe.min.js").read_text())
    found = frame.evaluate("axe.run(document.body, {resultTypes: ['violations']})")
    return [one["id"] for one in found["violations"]]
