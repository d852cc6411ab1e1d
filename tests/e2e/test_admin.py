"""What administrators do in the browser happens in Slurm, reaches the users it affects, and is audited."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Live, Person


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
    expect(dialog.get_by_text("alice has jobs there.")).to_be_visible()
    dialog.get_by_label("Reason").fill("New fans")
    dialog.get_by_role("button", name="Drain", exact=True).click()
    row = admin.get_by_role("row").filter(has_text=node)
    expect(row.get_by_text("Draining")).to_be_visible()
    assert site.run("sinfo", "--noheader", "-n", node, "-o", "%T").startswith("drain")
    element = alice.get_by_role("status").filter(has_text=f"{node} is being drained: New fans.")
    expect(element).to_be_visible()
    alice.get_by_role("button", name="Dismiss").click()
    expect(element).not_to_be_visible()
    admin.get_by_role("button", name=f"Resume {node}").click()
    expect(admin.get_by_role("button", name=f"Drain {node}")).to_be_visible()
    assert "drain" not in site.run("sinfo", "--noheader", "-n", node, "-o", "%T")
    in_audit(admin, "node.drain", node)
    in_audit(admin, "node.resume", node)


def in_audit(admin: Page, action: str, target: str) -> None:
    admin.goto(f"/services/portal/admin/audit?action={action}")
    expect(admin.get_by_role("row").filter(has_text=action).filter(has_text=target).first).to_be_visible()


def test_a_reservation_made_in_its_page_keeps_others_out(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    alice, bob, admin = person("alice"), person("bob"), open_page("admin")
    admin.goto("/services/portal/admin/nodes")
    reservations = admin.get_by_role("region", name="Reservations")
    reservations.get_by_role("button", name="Reserve…").click()
    dialog = admin.get_by_role("dialog", name="Reserve nodes")
    dialog.get_by_label("Name").fill("class")
    dialog.get_by_label("Hours").fill("1")
    dialog.get_by_label("Users").fill("bob")
    dialog.get_by_role("button", name="Reserve", exact=True).click()
    expect(dialog.get_by_text("Say which nodes").first).to_be_visible()
    dialog.get_by_role("switch", name="Reserve the whole cluster").check()
    dialog.get_by_role("button", name="Reserve", exact=True).click()
    try:
        expect(reservations.get_by_role("row").filter(has_text="class").filter(has_text="bob")).to_be_visible()
        assert "ReservationName=class" in site.run("scontrol", "show", "reservation")
        waiting = alice.start("Kept out", gpus=1)
        page = open_page("alice")
        expect(page.get_by_role("article", name="Kept out")).to_contain_text("reserv", ignore_case=True)
        inside = bob.ask("within", gpus=1, reservation="class")
        assert inside.status_code == 202, inside.text
        within = Live(bob, inside.json()["id"])
        within.until("allocated", "starting", "ready")
        assert waiting.now()["state"] in ("submitted", "queued")
        again = {"name": "class", "minutes": 60, "users": ["bob"]}
        assert person("admin").api("POST", "/admin/reservations", json=again).status_code == 422
        within.stop()
        within.ended()
        reservations.get_by_role("button", name="Delete class").click()
        admin.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
        expect(reservations.get_by_text("No reservations.")).to_be_visible()
        waiting.until("allocated", "starting", "ready")
    finally:
        site.run("scontrol", "delete", "ReservationName=class", check=False)
    in_audit(admin, "reservation.create", "class")
    in_audit(admin, "reservation.delete", "class")


def test_student_starts_in_the_reservation_of_the_class_by_its_link_and_by_the_form(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    node = site.nodes[0]
    person("admin").api("POST", "/admin/reservations", json={
        "name": "lecture", "minutes": 60, "users": ["admin"], "accounts": [], "nodes": [node],
    })  # fmt: skip
    admin, bob = open_page("admin"), open_page("bob")
    try:
        admin.goto("/services/portal/admin/nodes")
        reservations = admin.get_by_role("region", name="Reservations")
        reservations.get_by_role("button", name="Change lecture").click()
        dialog = admin.get_by_role("dialog", name="Change the reservation lecture")
        dialog.get_by_label("Users").fill("bob, carol")
        dialog.get_by_role("button", name="Save").click()
        expect(reservations.get_by_role("row").filter(has_text="bob, carol")).to_be_visible()
        admin.context.grant_permissions(["clipboard-write"])  # a browser's active page has it, the headless shell's not
        reservations.get_by_role("button", name="Copy the link to lecture").click()
        expect(reservations.get_by_role("button", name="Copied")).to_be_visible()
        bob.goto("/services/portal/sessions/new?reservation=lecture")
        expect(bob.get_by_role("radio", name="lecture: 1 node, 4 GPUs")).to_be_checked()
        expect(bob.get_by_text("starts now").first).to_be_visible()
        bob.goto("/services/portal/sessions/new?name=lesson")
        bob.get_by_text("lecture: 1 node, 4 GPUs").click()
        bob.get_by_role("button", name="Start session").click()
        site.wait_for(lambda: site.jobs("--reservation=lecture", "--user=bob"), "bob's session in the reservation")
        alice = open_page("alice")
        alice.goto("/services/portal/sessions/new")
        expect(alice.get_by_role("button", name="Start session")).to_be_visible()
        expect(alice.get_by_text("lecture")).to_have_count(0)
    finally:
        for session in person("bob").api("GET", "/sessions").json()["items"]:
            person("bob").api("DELETE", f"/sessions/{session['id']}")
        site.wait_for(lambda: not site.jobs("--reservation=lecture"), "bob's session to end")
        site.run("scontrol", "delete", "ReservationName=lecture", check=False)


def test_a_limit_set_for_a_group_refuses_the_next_start_of_its_member_at_every_door(
    site: DemoSite, open_page: OpenPage, person: Callable[[str], Person]
) -> None:
    carol, admin = person("carol"), open_page("admin")
    group = carol.api("GET", "/me").json()["groups"][0]
    admin.goto("/services/portal/admin/people?view=groups")
    admin.get_by_role("button", name=f"Set limits of {group}").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("GPUs at once", exact=True).fill("0")
    dialog.get_by_role("button", name="Set", exact=True).click()
    limits = admin.get_by_role("region", name="Current limits")
    try:
        expect(limits.get_by_text("0 GPUs at once")).to_be_visible()
        text, asked = "You may use 0 GPUs at once", {"app": "jupyterlab", "resources": {"gpus": 1}}
        page = open_page("carol")
        page.goto("/services/portal/sessions/new?gpus=1")
        expect(page.get_by_text(text).first).to_be_visible()
        refused = carol.ask(gpus=1)
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "policy_refused")
        assert text in refused.text
        assert text in carol.hub("POST", "/servers/over-the-limit", json={"user_options": asked}).text
    finally:
        admin.get_by_role("button", name=f"Remove the limits of {group}").click()
        admin.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
        expect(limits).to_have_count(0)
    assert carol.ask(gpus=1).status_code == 202
    in_audit(admin, "limit.set", group)
    in_audit(admin, "limit.remove", group)


def test_somebody_who_is_no_administrator_finds_no_way_in(open_page: OpenPage) -> None:
    page = open_page("bob")
    expect(page.get_by_role("link", name="Admin")).to_have_count(0)
    for path in ("admin", "admin/nodes", "admin/people", "admin/audit"):
        page.goto(f"/services/portal/{path}")
        expect(page.get_by_text("Only administrators can open these pages.")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
