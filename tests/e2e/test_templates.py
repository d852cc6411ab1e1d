"""A changed copy of a template, and a newer version of it, in Chromium: reported, compared by cell, nothing lost."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.integration.test_templates import FILE, FIRST, MINE, SECOND, edit, open_in, ours, owner, read
from tests.person import Person

__all__ = ["ours", "owner"]  # fixtures
PAGE = "/services/portal/templates/our-digits"


def test_a_newer_version_is_shown_beside_my_changes_and_opens_in_a_running_session(
    site: DemoSite, ours: Callable[[str], None], owner: Callable[[str], Person], open_page: OpenPage
) -> None:
    ours(FIRST)
    bob = owner("bob")
    live = bob.ready(name="at-work", gpus=0, cpus=1, memory_mib=2048)
    open_in(live)
    edit(bob, MINE)
    ours(SECOND)

    page = open_page("bob")
    page.goto("/services/portal/templates")
    page.get_by_role("link", name="Newer version of Our digits").click()
    copy = page.get_by_role("region", name="Your copy")
    expect(copy.get_by_role("heading", name="The site has a newer version")).to_be_visible()
    difference = copy.get_by_role("region", name="Difference", exact=True)
    expect(difference.get_by_text("1 cell is the same")).to_be_visible()
    changed = difference.get_by_role("region", name="Changed cell (code)")
    expect(changed).to_have_text(re.compile(r"−yours: rate = 0\.5\s*\+new: rate = 0\.1\s*\+new: epochs = 3"))
    expect(difference.get_by_role("region", name="Only in yours (code)")).to_have_text(re.compile("yours: print"))

    copy.get_by_role("button", name="Open the new version alongside").click()
    page.get_by_role("button", name="Open here: at-work").click()
    page.wait_for_url(re.compile(r"/lab/tree/templates/ours/digits%20(\(|%28)new"))
    expect(page.get_by_text("Cell 1/2", exact=True)).to_be_visible(timeout=60_000)
    assert (read(bob), read(bob, "ours/digits (new).ipynb")) == (MINE, SECOND)

    page.goto(PAGE)
    expect(copy).to_contain_text(f"You have changed your copy, templates/{FILE}. There is no newer version.")
    page.get_by_role("button", name="Open in a session").click()
    page.get_by_role("button", name="Open here: at-work").click()
    page.wait_for_url("**/lab/tree/templates/ours/digits.ipynb")
    expect(page.get_by_text("Cell 1/3", exact=True)).to_be_visible(timeout=60_000)


def test_the_new_version_takes_the_place_of_mine_which_is_kept_under_another_name(
    site: DemoSite, ours: Callable[[str], None], owner: Callable[[str], Person], open_page: OpenPage
) -> None:
    ours(FIRST)
    bob = owner("bob")
    open_in(bob.ready(gpus=0, cpus=1, memory_mib=2048))
    edit(bob, MINE)
    ours(SECOND)

    page = open_page("bob", phone=True)
    page.goto(PAGE)
    page.get_by_role("button", name="Replace mine, keep a backup").click()
    element = page.get_by_role("status").filter(has_text="is now the new version")
    expect(element).to_be_visible()
    kept = re.search(r"yours is kept as templates/(.*\.ipynb)\.", element.inner_text())
    assert kept is not None
    assert (read(bob), read(bob, kept[1])) == (SECOND, MINE)
