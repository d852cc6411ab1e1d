"""JupyterLab inside a session, in Chromium: what it opens, and what it says of the session it runs in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.demo_site import CLONE, DemoSite
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


def test_lab_says_what_the_session_has_and_extends_it_by_keyboard(bob: Person, open_page: OpenPage) -> None:
    live = bob.ready("Digits", gpus=2, walltime_s=3600)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text(re.compile(r"5\d min left · 2 GPUs"))
    expect(item).to_contain_text(re.compile(r"MB of|GB of"), timeout=LAB_TIMEOUT_MS)  # the agent's first report

    item.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Session")
    for text in ("Digits", str(live.now()["node"]), "of 1 h used", "GPUs2", "cores", "Ends "):
        expect(panel).to_contain_text(text)
    expect(panel.get_by_role("link", name="Session page")).to_have_attribute(
        "href", live.site.url + f"/services/portal/sessions/{live.id}"
    )
    expect(panel.get_by_role("button", name="Extend")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.get_by_role("button", name="+ 30 min")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Extended: 1 h 5")
    expect(item).to_contain_text(re.compile(r"1 h 5\d min left"))
    assert live.now()["resources"]["walltime_s"] == 7200
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(item).to_be_focused()


def test_lab_shows_a_change_made_elsewhere_and_stops_the_session_only_when_told_twice(
    bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready(gpus=0, walltime_s=7200)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("1 h 5")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 1800})
    assert changed.status_code == 200, changed.text
    expect(item).to_contain_text(re.compile(r"^2\d min left"))

    item.click()
    panel = page.get_by_role("dialog", name="Session")
    panel.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Keep running").click()
    assert live.now()["state"] == "ready"
    item.click()
    panel.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop session").click()
    assert live.ended()["end"]["code"] == "stopped"


def test_lab_stays_silent_while_the_portal_is_away_and_goes_on_after_it(
    site: DemoSite, bob: Person, open_page: OpenPage
) -> None:
    live = bob.ready(gpus=0, walltime_s=7200)
    page = open_page("bob")
    open_lab(page, live)
    item = page.get_by_role("button", name="Session: time left and use")
    expect(item).to_contain_text("GB", timeout=LAB_TIMEOUT_MS)
    site.kill("portal")
    try:
        expect(item).to_have_text(re.compile(r"^1 h 5\d min left$"))  # no figures that may be old
        item.click()
        panel = page.get_by_role("dialog", name="Session")
        expect(panel).to_contain_text("The portal does not answer at the moment")
        panel.get_by_role("button", name="Extend").click()
        expect(panel.get_by_role("status")).to_have_text("The portal does not answer. Try again soon.")
        expect(page.locator(".Toastify__toast")).to_have_count(0)
    finally:
        site.start("portal")
    changed = bob.api("PUT", f"/sessions/{live.id}/time-limit", json={"walltime_s": 1800})
    assert changed.status_code == 200, changed.text
    expect(item).to_contain_text(re.compile(r"^2\d min left"), timeout=LAB_TIMEOUT_MS)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_labs_panel(bob: Person, open_page: OpenPage, dark: bool) -> None:
    live = bob.ready(gpus=1)
    themes = f"{live.address}lab/api/settings/@jupyterlab/apputils-extension:themes"
    assert bob.web.put(themes, json={"raw": '{"theme": "JupyterLab Dark"}' if dark else "{}"}).status_code == 204
    page = open_page("bob")
    open_lab(page, live)
    expect(page.locator(f"body[data-jp-theme-light='{str(not dark).lower()}']")).to_be_attached()
    page.get_by_role("button", name="Session: time left and use").click()
    panel = page.get_by_role("dialog", name="Session")
    panel.get_by_role("button", name="Extend").click()
    expect(panel.get_by_role("button", name="+ 1 h")).to_be_visible()
    page.evaluate((CLONE / "frontend/node_modules/axe-core/axe.min.js").read_text())
    found = page.evaluate(
        "axe.run({include: ['.portal-session-panel', '.portal-session-bar']}, {resultTypes: ['violations']})"
    )
    assert [one["nodes"] for one in found["violations"]] == []
    assert bob.web.put(themes, json={"raw": "{}"}).status_code == 204


def test_the_extension_is_small_and_loads_in_an_instant(bob: Person, open_page: OpenPage) -> None:
    """The additions to JupyterLab: 40 KB, and 30 ms of the page's time."""
    live = bob.ready(gpus=0)
    page = open_page("bob")
    open_lab(page, live)
    open_lab(page, live)  # with the browser's cache, as most visits are
    times = page.evaluate(
        "performance.getEntriesByType('measure').filter(one => one.name === 'portal-lab').map(one => one.duration)"
    )
    assert len(times) == 1
    assert times[0] < 30, times
    assert sum(file.stat().st_size for file in (CLONE / "agent/lab/labextension/static").iterdir()) <= 40 << 10
