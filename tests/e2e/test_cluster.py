"""The Cluster page in a browser: live, by keyboard, and while Slurm is away."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage

SOON_MS = 5_000
"""Two seconds on a quiet machine; these tests run on busy ones."""


def open_cluster(page: Page, query: str = "") -> None:
    page.goto(f"/services/portal/cluster{query}")
    expect(page.get_by_role("heading", name="Cluster", exact=True)).to_be_visible()


def tile(page: Page, name: str):  # type: ignore[no-untyped-def]  # a Locator
    return page.get_by_role("button", name=name)


def test_a_session_that_starts_changes_its_cells_without_a_reload(site: DemoSite, open_page: OpenPage) -> None:
    watching, acting = open_page("bob"), open_page("alice")
    open_cluster(watching)
    expect(tile(watching, site.nodes[0])).to_be_visible()
    watching.evaluate("window.notReloaded = true")
    free = watching.get_by_text("16 of 16 free")
    expect(free).to_be_visible()
    acting.goto("/services/portal/sessions/new?name=cells&gpus=2&partition=sxm2")
    acting.get_by_role("button", name="Start session").click()
    began = time.monotonic()
    site.wait_for(lambda: site.jobs("--states=RUNNING"), "the session's job to run", every_s=0.05)
    running = time.monotonic()
    expect(watching.get_by_text("14 of 16 free")).to_be_visible(timeout=SOON_MS)
    print(f"\nrunning after {running - began:.1f} s, shown {time.monotonic() - running:.1f} s later")
    assert watching.evaluate("window.notReloaded")
    busy = watching.get_by_role("button", name="2 of 4 V100 free, 2 in use")
    busy.hover()
    expect(watching.get_by_role("tooltip")).to_contain_text("alice")
    open_cluster(acting)
    expect(acting.get_by_role("button", name="2 of 4 V100 free, 2 in use, all yours")).to_be_visible()


def test_everything_is_reached_by_keyboard(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("alice")
    open_cluster(page)
    tile(page, site.nodes[0]).focus()
    page.keyboard.press("ArrowRight")
    expect(tile(page, site.nodes[1])).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name=f"Node {site.nodes[1]}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)
    expect(tile(page, site.nodes[1])).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type(site.nodes[2])
    expect(tile(page, site.nodes[0])).to_have_count(0)
    expect(page).to_have_url(f"{site.url}/services/portal/cluster?q={site.nodes[2]}")


def test_says_since_when_it_is_stale_while_slurm_is_away(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("alice")
    open_cluster(page)
    expect(page.get_by_text("Live, read")).to_be_visible()
    site.kill("slurmctld")
    expect(page.get_by_text("Stale since")).to_be_visible(timeout=60_000)
    expect(tile(page, site.nodes[0])).to_be_visible()
    site.start("slurmctld")
    expect(page.get_by_text("Live, read")).to_be_visible(timeout=60_000)
