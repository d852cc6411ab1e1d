"""The administrators' pages by keyboard alone: every control is reached, seen to be reached, and given back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Person

PAGES = ("sessions", "nodes", "jobs", "people", "usage", "announcements", "audit", "health")
STOPS_AT_MOST = 250

#: What can be worked with: marked by number, with a name to find it by. Of radio buttons Tab reaches the chosen one.
CONTROLS = """() => {
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const those = [...all].filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()
    && (one.type !== "radio" || one.checked));
  return those.map((one, number) => {
    one.dataset.stop = number;
    return `${one.tagName} ${one.ariaLabel ?? one.textContent.slice(0, 40)} ${one.name ?? ""}`;
  });
}"""

#: Where the focus is, and whether that is seen: a ring on the control, or on what it is drawn as, within the window.
STOP = """() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const drawn = [one, one.closest("label"), one.parentElement, one.nextElementSibling];
  const ring = drawn.filter((part) => part !== null).some((part) => {
    const { boxShadow, outlineStyle, outlineWidth, borderColor } = getComputedStyle(part);
    return boxShadow !== "none" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1);
  });
  const { top, bottom } = (one.closest("label") ?? one).getBoundingClientRect();
  return { stop: one.dataset.stop ?? "?", ring, inside: bottom > 0 && top < window.innerHeight };
}"""


@pytest.fixture
def page(site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]) -> Page:
    """Pages of an administrator, with something in every list: a session, which is a job, and an announcement."""
    admin = person("admin")
    person("alice").ready("by-keyboard", gpus=1)
    row = admin.api("POST", "/admin/announcements", json={"kind": "notice", "text": "Keyboards first"}).json()
    admin.api("DELETE", f"/admin/announcements/{row['id']}")
    return open_page("admin")


def visit(page: Page, path: str) -> None:
    page.goto(f"/services/portal/admin/{path}")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    expect(page.locator("[aria-busy='true'], .mantine-Skeleton-root")).to_have_count(0)


def stops(page: Page) -> dict[str, dict[str, Any]]:
    """Press Tab from the top of the page until the focus leaves it, and return where it stood."""
    seen: dict[str, dict[str, Any]] = {}
    for _ in range(STOPS_AT_MOST):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            break
        # A date has several stops of its own within; one of them shows where it is.
        before = seen.get(stop["stop"], {"ring": False})
        seen[stop["stop"]] = {**stop, "ring": stop["ring"] or before["ring"]}
    return seen


def has_focus(where: Locator) -> bool:
    return bool(where.evaluate("(one) => one.contains(document.activeElement)"))


def opens_and_gives_back(page: Page, opener: Locator, dialog: Locator, *, trapped: bool = True) -> None:
    """Enter opens it and the focus goes in; Tab does not lead out of a dialog; Escape leads back to where it was."""
    opener.focus()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.wait_for_function("(one) => one.contains(document.activeElement)", arg=dialog.element_handle())
    if trapped:
        for key in ["Tab"] * (dialog.locator("button, input, textarea, select").count() + 1) + ["Shift+Tab"] * 2:
            page.keyboard.press(key)
            assert has_focus(dialog), f"{key} leads out of {dialog}"
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


def test_every_control_is_reached_and_dialogs_give_the_focus_back(site: DemoSite, page: Page) -> None:
    every_control_is_reached_by_tab_and_seen_to_be(page)
    dialogs_and_panels_take_the_focus_and_give_it_back(site, page)


def every_control_is_reached_by_tab_and_seen_to_be(page: Page) -> None:
    missed, unseen = {}, {}
    for path in PAGES:
        visit(page, path)
        controls = page.evaluate(CONTROLS)
        seen = stops(page)
        missed[path] = [name for number, name in enumerate(controls) if str(number) not in seen]
        unseen[path] = [
            controls[int(one["stop"])]
            for one in seen.values()
            if one["stop"] != "?" and not (one["ring"] and one["inside"])
        ]
    assert {path: names for path, names in missed.items() if names} == {}
    assert {path: names for path, names in unseen.items() if names} == {}


def dialogs_and_panels_take_the_focus_and_give_it_back(site: DemoSite, page: Page) -> None:
    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    dialog, panel = page.get_by_role("dialog"), page.get_by_role("complementary")
    node = site.nodes[0]
    for path, choose, openers in (
        ("sessions", True, ("Message…", "Extend…", "Stop…")),
        ("jobs", True, ("Hold", "Time limit…", "Cancel")),
        ("nodes", True, (f"Drain {node}", "Drain…")),
        ("people", False, ("Set limits of alice",)),
    ):
        visit(page, path)
        if choose:
            page.get_by_role("checkbox", name="Choose all").focus()
            page.keyboard.press("Space")
        for name in openers:
            opens_and_gives_back(page, button(name).first, dialog)
    visit(page, "nodes")
    opens_and_gives_back(page, button(f"Health of {node}"), panel, trapped=False)
    visit(page, "sessions")
    opens_and_gives_back(page, page.get_by_role("button", name="by-keyboard").first, panel, trapped=False)
    account = page.get_by_role("banner").get_by_role("button", name="admin")
    opens_and_gives_back(page, account, page.get_by_role("menu"), trapped=False)
