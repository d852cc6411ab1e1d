"""axe finds nothing on any page: light and dark, desktop and phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo_site import CLONE
from tests.e2e.conftest import OpenPage

AXE = CLONE / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "",
    "sessions/new",
    "templates",
    "cluster",
    "cluster?view=table",
    "cluster?view=queue",
    "environments",
    "admin/nodes",
    "admin/jobs",
    "admin/people",
    "admin/announcements",
    "admin/audit",
    "nowhere",
]


def violations(page, script: Path) -> list[str]:  # type: ignore[no-untyped-def]
    page.evaluate(script.read_text())  # evaluated, not added as a tag: the page's policy forbids foreign scripts
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(open_page: OpenPage, dark: bool, phone: bool) -> None:
    page = open_page(dark=dark, phone=phone)
    assert violations(page, AXE) == []
    page.context.close()
    page = open_page("admin", dark=dark, phone=phone)
    for path in PAGES:
        page.goto(f"/services/portal/{path}")
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_load_state("load")
        assert violations(page, AXE) == [], path
