"""A session's life by keyboard alone, from the form to the start after its end; axe at each step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.e2e.test_accessible import AXE, violations
from tests.fillers import fill
from tests.person import Live, Person

STOPS_AT_MOST = 80


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until it has the focus, visibly; fail if Tab does not lead there."""
    expect(target).to_be_enabled()
    for _ in range(STOPS_AT_MOST):
        page.keyboard.press("Tab")
        if target.evaluate("(one) => one === document.activeElement"):
            assert target.evaluate("(one) => one.matches(':focus-visible')")
            return
    raise AssertionError(f"Tab does not lead to {target}")


def press(page: Page, target: Locator, key: str = "Enter") -> None:
    tab_to(page, target)
    page.keyboard.press(key)


def axe_finds_nothing(page: Page, step: str) -> None:
    assert violations(page, AXE) == [], step


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_session_is_started_changed_extended_and_started_again_by_keyboard_alone(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person], dark: bool
) -> None:
    fillers = fill(site)
    page = open_page("alice", dark=dark)
    page.emulate_media(reduced_motion="reduce")  # what opens has opened at once

    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="New session")).to_be_visible()
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.type("By keys")
    press(page, button("Start session"))

    expect(page.get_by_role("heading", name="By keys")).to_contain_text("Queued")
    press(page, page.get_by_role("switch", name="Open JupyterLab here as soon as it is ready"), "Space")
    axe_finds_nothing(page, "waiting")
    press(page, button("Change"))
    dialog = page.get_by_role("dialog", name="Change what By keys requests")
    press(page, dialog.get_by_role("button", name="One GPU fewer"))
    axe_finds_nothing(page, "change")
    press(page, dialog.get_by_role("button", name="Change with a new job"))
    expect(dialog).to_have_count(0)
    site.run("scancel", *fillers)

    expect(page.get_by_role("heading", name="By keys")).to_contain_text("Ready")
    live = Live(person("alice"), page.url.rpartition("/")[2])
    axe_finds_nothing(page, "ready")
    press(page, button("Extend"))
    dialog = page.get_by_role("dialog", name="Time limit of By keys")
    expect(dialog.get_by_role("button", name="+ 1 h")).to_be_enabled()
    axe_finds_nothing(page, "extend")
    before = live.now()["resources"]["walltime_s"]
    press(page, dialog.get_by_role("button", name="+ 1 h"))
    expect(dialog).to_have_count(0)
    assert live.now()["resources"]["walltime_s"] == before + 3600
    expect(button("Extend")).to_be_focused()

    site.run("scancel", str(live.now()["job_id"]))
    end = page.get_by_role("region", name="Cancelled in Slurm")
    expect(end).to_be_visible()
    axe_finds_nothing(page, "ended")
    press(page, end.get_by_role("button", name="Start again"))
    expect(page.get_by_role("heading", name="By keys")).not_to_contain_text("Cancelled")
    page.wait_for_url(lambda url: live.id not in url)
