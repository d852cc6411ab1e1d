"""Every page by keyboard alone: each control is reached, seen to be reached, and dialogs give the focus back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_accessible import PAGES
from tests.person import Person

STOPS_AT_MOST = 250

#: What can be worked with: marked by number, with a name to find it by. Of radio buttons Tab reaches the chosen one.
#: How each looks without the focus is kept: itself, and what it may be drawn as.
CONTROLS = """() => {
  window.look = (one) => [one, one.closest("label"), one.parentElement, one.nextElementSibling].map((part) => {
    if (part === null) return "";
    const { outline, outlineStyle, outlineWidth, boxShadow, border, backgroundColor } = getComputedStyle(part);
    const drawn = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
    return [drawn ? outline : "", boxShadow, border, backgroundColor].join();
  }).join(";");
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const those = [...all].filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()
    && (one.type !== "radio" || one.checked));
  window.rested = those.map(window.look);
  return those.map((one, number) => {
    one.dataset.stop = number;
    return `${one.tagName} ${one.ariaLabel ?? one.textContent.slice(0, 40)} ${one.name ?? ""}`;
  });
}"""

#: Where the focus is, and whether that is seen: within the window, and looking other than without it. A busy machine
#: draws a few frames later.
STOP = """async () => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const stop = one.dataset.stop ?? "?";
  const seen = () => {
    const { top, bottom } = (one.closest("label") ?? one).getBoundingClientRect();
    return window.look(one) !== window.rested[stop] && bottom > 0 && top < window.innerHeight;
  };
  for (let frames = 0; frames < 30 && !seen(); frames += 1) await new Promise(requestAnimationFrame);
  return { stop, seen: seen() };
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
    page.emulate_media(reduced_motion="reduce")  # what changes has changed at once
    page.goto(f"/services/portal/{path}")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    expect(page.locator("[aria-busy='true'], .mantine-Skeleton-root")).to_have_count(0)


def stops(page: Page) -> dict[str, bool]:
    """Press Tab from the top of the page until the focus leaves it; return where it stood, and if that was seen."""
    seen: dict[str, bool] = {}
    for _ in range(STOPS_AT_MOST):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            break
        # A date has several stops of its own within; one of them shows where it is.
        seen[stop["stop"]] = stop["seen"] or seen.get(stop["stop"], False)
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


@pytest.fixture
def of_its_own(site: DemoSite, person: Callable[[str], Person]) -> Iterator[list[str]]:
    """The pages of a session and of an array of jobs; both go on, so that the lists keep what is in them."""
    admin = person("admin")
    session = admin.ready("own", gpus=0)
    script = "#!/bin/bash\n#SBATCH --mem=50M --time=5 --array=1-3\nsleep 600\n"
    job = admin.api("POST", "/jobs", json={"script": script}).json()["id"]
    yield [f"sessions/{session.id}", f"jobs/{job}"]
    site.run("scancel", job)


def test_every_control_is_reached_and_dialogs_give_the_focus_back(
    site: DemoSite, page: Page, of_its_own: list[str]
) -> None:
    every_control_is_reached_by_tab_and_seen_to_be(page, PAGES + of_its_own)
    dialogs_and_panels_take_the_focus_and_give_it_back(site, page)


def every_control_is_reached_by_tab_and_seen_to_be(page: Page, paths: list[str]) -> None:
    missed, unseen = {}, {}
    for path in paths:
        visit(page, path)
        controls = page.evaluate(CONTROLS)
        seen = stops(page)
        missed[path] = [name for number, name in enumerate(controls) if str(number) not in seen]
        unseen[path] = [controls[int(stop)] for stop, shown in seen.items() if stop != "?" and not shown]
    assert {path: names for path, names in missed.items() if names} == {}
    assert {path: names for path, names in unseen.items() if names} == {}


def dialogs_and_panels_take_the_focus_and_give_it_back(site: DemoSite, page: Page) -> None:
    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    dialog, panel = page.get_by_role("dialog"), page.get_by_role("complementary")
    node = site.nodes[0]
    for path, choose, openers in (
        ("admin/sessions", True, ("Message…", "Extend…", "Stop…")),
        ("admin/jobs", True, ("Hold", "Time limit…", "Cancel")),
        ("admin/nodes", True, (f"Drain {node}", "Drain…")),
        ("admin/people", False, ("Set limits of alice",)),
    ):
        visit(page, path)
        if choose:
            page.get_by_role("checkbox", name="Select all").focus()
            page.keyboard.press("Space")
        for name in openers:
            opens_and_gives_back(page, button(name).first, dialog)
    visit(page, "admin/nodes")
    opens_and_gives_back(page, button(f"Health of {node}"), panel, trapped=False)
    visit(page, "admin/sessions")
    opens_and_gives_back(page, page.get_by_role("button", name="by-keyboard").first, panel, trapped=False)
    account = page.get_by_role("banner").get_by_role("button", name="admin")
    opens_and_gives_back(page, account, page.get_by_role("menu"), trapped=False)
