"""An administrator takes a node out of service in the browser; who runs there reads why, and it comes back."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Person


def test_a_node_is_drained_from_its_page_its_user_is_told_and_it_comes_back(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    live = person("alice").ready("Long training", gpus=1)
    node = live.now()["node"]
    alice = open_page("alice")
    admin = open_page("admin")
    admin.goto("/services/portal/admin/nodes")
    admin.get_by_role("button", name=f"Drain {node}").click()
    dialog = admin.get_by_role("dialog")
    expect(dialog.get_by_text("alice runs there.")).to_be_visible()
    dialog.get_by_label("Reason").fill("New fans")
    dialog.get_by_role("button", name="Drain", exact=True).click()
    row = admin.get_by_role("row").filter(has_text=node)
    expect(row.get_by_text("Draining")).to_be_visible()
    assert site.run("sinfo", "--noheader", "-n", node, "-o", "%T").startswith("drain")
    told = alice.get_by_role("status").filter(has_text=f"{node} is being taken out of service: New fans.")
    expect(told).to_be_visible()
    alice.get_by_role("button", name="Understood").click()
    expect(told).not_to_be_visible()
    admin.get_by_role("button", name=f"Resume {node}").click()
    expect(admin.get_by_role("button", name=f"Drain {node}")).to_be_visible()
    assert "drain" not in site.run("sinfo", "--noheader", "-n", node, "-o", "%T")
    admin.goto("/services/portal/admin/audit?action=node.")
    expect(admin.get_by_role("row").filter(has_text="node.drain").filter(has_text=node).first).to_be_visible()


def test_somebody_who_is_no_administrator_finds_no_way_in(open_page: OpenPage) -> None:
    page = open_page("bob")
    expect(page.get_by_role("link", name="Admin")).to_have_count(0)
    for path in ("admin", "admin/nodes", "admin/people", "admin/audit"):
        page.goto(f"/services/portal/{path}")
        expect(page.get_by_text("These pages are for administrators.")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
