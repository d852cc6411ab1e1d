"""The form of a new session, before it starts: what would start now instead, and the name in Slurm."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage, card
from tests.e2e.test_accessible import AXE, violations
from tests.fillers import fill


def test_what_would_start_now_is_one_click_and_starts(site: DemoSite, open_page: OpenPage) -> None:
    filler = "exec sleep 900"
    fill(site, nodes=len(site.nodes) - 1)
    half = ("--gres=gpu:2", "--mem=1G", "--output=/dev/null", "--chdir=/", f"--wrap={filler}")
    job = site.run("sbatch", "--parsable", *half, user="dave").strip()
    site.wait_for(lambda: job in {job["id"] for job in site.jobs("--states=RUNNING")}, "two GPUs to be left")

    page = open_page("alice")
    page.goto("/services/portal/sessions/new?gpus=4&partition=sxm2")
    page.get_by_label("Name", exact=True).fill("smaller")
    panel = page.get_by_role("complementary", name="This session")
    expect(page.get_by_text("V100, 16 GB or more", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("2 of 16 free now"))).to_be_visible()
    expect(panel.get_by_text(re.compile("would wait for 4 free V100"))).to_be_visible()
    offered = panel.get_by_role("button", name=re.compile("2.×.V100 instead of.4: now"))
    expect(offered).to_be_visible()
    assert violations(page, AXE) == []
    offered.focus()
    page.keyboard.press("Enter")
    expect(panel.get_by_text("starts now")).to_be_visible()
    expect(panel.get_by_role("button", name="Start session")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/user/**/lab**")
    page.goto("/services/portal/")
    expect(card(page, "smaller")).to_contain_text("2 × V100")
    assert site.run("squeue", "-h", "-u", "alice", "-o", "%k").strip() == "smaller", "its name is the job's comment"


def test_preset_is_saved_from_the_form_chosen_renamed_and_deleted(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("carol")
    page.goto("/services/portal/sessions/new?gpus=2&partition=sxm2")
    page.get_by_role("button", name="Presets").click()
    dialog = page.get_by_role("dialog", name="Presets")
    dialog.get_by_label("Save this form as").fill("Two on sxm2")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()

    page.goto("/services/portal/sessions/new?gpus=0")
    start_from = page.get_by_role("group", name="Start from")
    panel = page.get_by_role("complementary", name="This session")
    start_from.get_by_role("button", name="Two on sxm2").click()
    expect(panel.get_by_text(re.compile("^2.×.V100"))).to_be_visible()
    assert violations(page, AXE) == []

    page.get_by_role("button", name="Presets").click()
    dialog.get_by_label("Name of Two on sxm2").fill("Pair")
    dialog.get_by_role("button", name="Rename Two on sxm2").click()
    dialog.get_by_role("button", name="Delete Pair").click()
    page.keyboard.press("Escape")
    expect(start_from.get_by_role("button", name="Copy link")).to_be_visible()
    expect(start_from.get_by_role("button", name="Pair")).to_be_hidden()
