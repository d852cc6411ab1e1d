"""axe finds nothing on any page, and all menus can be reached: light and dark, desktop and phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import CLONE, RESULTS, DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Person

AXE = CLONE / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "",
    "sessions/new",
    "jobs",
    "jobs?state=ended",
    "jobs/new",
    "files",
    "files/bin",
    "templates",
    "templates/pytorch-handwritten-digits",
    "cluster",
    "cluster?view=table",
    "cluster?view=queue",
    "apps",
    "environments",
    "environments?tab=images",
    "environments?tab=catalogue",
    "usage",
    "admin/sessions",
    "admin/nodes",
    "admin/jobs",
    "admin/people",
    "admin/usage",
    "admin/announcements",
    "admin/audit",
    "admin/health",
    "api/docs",
    "docs/how-to/ssh.md",
    "nowhere",
]
#: What `portal login` on a user's own machine opens.
DEVICE = "/hub/device?" + urlencode({"device": "laptop", "port": 50_123, "challenge": "c" * 43, "state": "s"})


SETTLED = """Promise.all(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished.catch(() => {})))"""

#: The items that a pointer cannot reach: at their middle is something else. Playwright's own click would scroll first.
OUT_OF_REACH = """items => items.filter((item) => {
  const { x, y, width, height } = item.getBoundingClientRect();
  return !item.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((item) => item.textContent)"""


def violations(page: Page, script: Path, *rules: str) -> list[str]:
    """Return what axe finds; of these rules alone, if any are named."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(script.read_text())  # evaluated, not added as a tag: the page's policy forbids foreign scripts
    run = "(rules) => axe.run({resultTypes: ['violations'], ...(rules.length > 0 && {runOnly: rules})})"
    found = page.evaluate(run, list(rules))["violations"]
    return [f"{value['id']}: {value['nodes'][0]['html'][:120]}" for value in found]


def looks(page: Page, name: str) -> None:
    """The page fits and axe finds nothing, in light and dark, on a desktop and on a phone."""
    before = page.viewport_size
    assert before is not None
    RESULTS.mkdir(exist_ok=True)
    for dark in (False, True):
        page.emulate_media(color_scheme="dark" if dark else "light")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert violations(page, AXE) == []
            page.screenshot(path=RESULTS / f"{name}-{'dark' if dark else 'light'}-{width}.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(before)


def menus_out_of_reach(page: Page, buttons: Locator) -> list[str]:
    """Open each button's menu; return the items that a pointer cannot reach."""
    found = []
    for button in buttons.all():
        button.click()
        expect(page.get_by_role("menu")).to_have_css("opacity", "1")
        found += page.locator("[role^='menuitem']:visible").evaluate_all(OUT_OF_REACH)
        page.keyboard.press("Escape")
        expect(page.get_by_role("menu")).to_have_count(0)
    return found


@pytest.fixture
def of_its_own(person: Callable[[str], Person]) -> Iterator[list[str]]:
    """Pages of one session and of one job, which an administrator has."""
    admin = person("admin")
    session = admin.ready(gpus=0)
    script = "#!/bin/bash\n#SBATCH --mem=50M --time=5 --array=1-3\necho done\n"
    job = admin.api("POST", "/jobs", json={"script": script})
    assert job.status_code == 202, job.text
    yield [f"sessions/{session.id}", f"jobs/{job.json()['id']}"]
    session.stop()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing(open_page: OpenPage, site: DemoSite, of_its_own: list[str], phone: bool) -> None:
    results = {}

    def look(page: Page, name: str) -> None:
        """In the dark, the same elements have other colours."""
        results[name] = violations(page, AXE)
        page.emulate_media(color_scheme="dark")
        page.evaluate(SETTLED)
        results[f"{name}, dark"] = violations(page, AXE, "color-contrast")
        page.emulate_media(color_scheme="light")

    look(open_page(phone=phone), "login")
    page = open_page("admin", phone=phone)
    for path in PAGES + of_its_own:
        page.goto(f"/services/portal/{path}")
        page.get_by_role("heading", level=1).first.wait_for()
        expect(page.locator("[aria-busy='true']")).to_have_count(0, timeout=30_000)
        look(page, path)
        results[f"{path}, menus"] = menus_out_of_reach(page, page.locator("main [aria-haspopup='menu']:visible"))
    results["bars' menus"] = menus_out_of_reach(page, page.locator("[aria-haspopup='menu']:visible"))
    page.goto(f"/services/portal/{of_its_own[0]}")
    page.get_by_role("button", name=re.compile("^More for")).click()
    expect(page.get_by_role("menu")).to_have_css("opacity", "1")
    look(page, "session's menu")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="User: admin").click()
    expect(page.get_by_role("menu", name="User: admin")).to_have_css("opacity", "1")
    look(page, "user's menu")
    page.goto(site.hub_url + DEVICE)
    page.get_by_role("button", name="Allow").wait_for()
    look(page, "device")
    assert {path: what for path, what in results.items() if what} == {}
