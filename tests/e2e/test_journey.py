"""The main job as a person does it: from the login page to a notebook on a compute node, and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.demo_site import INSIDE, DemoSite
from tests.e2e.conftest import OpenPage, card, log_in, start_ready_session, start_session
from tests.fillers import fill
from tests.person import Person


def run_in_notebook(lab: Page, code: str) -> str:
    """Make a notebook in a fresh JupyterLab, run one cell, and return what it printed."""
    lab.wait_for_url("**/lab**")
    lab.goto(lab.url.split("/lab")[0] + "/lab?reset")  # not what this person had open before
    lab.locator(".jp-LauncherCard[data-category='Notebook']").first.click()
    expect(lab.get_by_text(re.compile(r"Python 3 .*\| Idle"))).to_be_visible(timeout=60_000)
    editor = lab.locator(".jp-Notebook .jp-CodeCell .cm-content").first
    editor.click()
    lab.keyboard.insert_text(code)
    lab.keyboard.press("Shift+Enter")
    output = lab.locator(".jp-Notebook .jp-OutputArea-output pre").first
    expect(output).not_to_be_empty(timeout=60_000)
    return output.inner_text().strip()


def test_a_newcomer_gets_from_login_to_a_notebook_with_exactly_the_gpus_asked_for(
    site: DemoSite, open_page: OpenPage
) -> None:
    page = open_page("alice")
    page.get_by_role("button", name="New session").click()
    gpus = page.get_by_role("spinbutton", name="GPUs")
    expect(gpus).to_have_value("1")
    page.get_by_role("button", name="One GPU more").click()
    expect(gpus).to_have_value("2")
    expect(page.get_by_text("16 cores, 96 GB").first).to_be_visible()
    page.get_by_role("button", name="Start session").click()

    page.wait_for_url("**/user/alice/**/lab**")
    result = run_in_notebook(
        page, "import os; print(os.environ['CUDA_VISIBLE_DEVICES'], os.environ['SLURM_JOB_ID'], os.getcwd())"
    )
    devices, job_id, folder = result.split()
    assert len(devices.split(",")) == 2
    [job] = [job for job in site.jobs() if job["id"] == job_id]
    assert (job["user"], job["state"]) == ("alice", "RUNNING")
    assert folder.endswith("/alice")

    page.goto("/services/portal/")
    running = page.get_by_role("article").filter(has_text="Ready")
    expect(running).to_contain_text("2 × V100")
    expect(running).to_contain_text(job["node"])
    running.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop session").click()
    expect(page.get_by_role("article")).to_have_count(0)
    ended = page.get_by_role("region", name="Ended").get_by_role("listitem").first
    expect(ended).to_contain_text("Stopped")
    assert site.jobs() == []


def test_a_wrong_password_is_told_and_the_name_is_kept(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, "alice", "wrong")
    expect(page.get_by_role("alert")).to_contain_text("Wrong user name or password")
    expect(page.get_by_label("User name")).to_have_value("alice")
    log_in(page, "alice", site.accounts["alice"].password)
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()


def test_who_is_in_no_group_of_the_portal_is_told_whom_to_ask(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, "eve", site.accounts["eve"].password)
    expect(page.get_by_role("alert")).to_contain_text("may not use this portal")


def test_a_queued_session_says_why_it_waits_and_can_be_cancelled(site: DemoSite, open_page: OpenPage) -> None:
    fill(site)
    page = open_page("bob")
    start_session(page, "patient", gpus=4)
    expect(
        page.get_by_role("main").get_by_text(re.compile(r"\d(st|nd|rd|th) of \d+ in the queue")).first
    ).to_be_visible()
    page.goto("/services/portal/")
    expect(card(page, "patient")).to_contain_text("Queued")
    expect(card(page, "patient")).to_contain_text("in the queue")
    card(page, "patient").get_by_role("button", name="Cancel").click()
    ended = page.get_by_role("region", name="Ended").get_by_role("listitem").filter(has_text="patient").first
    expect(ended).to_contain_text("Cancelled")
    assert [job for job in site.jobs() if job["user"] == "bob"] == []


def test_two_people_at_once_see_their_own_sessions_alone(site: DemoSite, open_page: OpenPage) -> None:
    alice, bob = open_page("alice"), open_page("bob")
    start_ready_session(alice, "of-alice")
    start_ready_session(bob, "of-bob")
    for page, other in ((alice, "of-bob"), (bob, "of-alice")):
        expect(card(page, other)).to_have_count(0)
    with alice.expect_popup() as popup:
        card(alice, "of-alice").get_by_role("button", name="Open").click()
    address = popup.value.url
    assert "/user/alice/" in address
    refused = bob.goto(address)
    assert refused is not None
    assert refused.status in (403, 404)


@pytest.mark.parametrize("service", ["portal", "hub"])
def test_a_running_session_outlives_a_crash_and_the_page_finds_back(
    site: DemoSite, open_page: OpenPage, service: str
) -> None:
    page = open_page("carol")
    start_ready_session(page, f"outlives-{service}")
    with page.expect_popup() as popup:
        card(page, f"outlives-{service}").get_by_role("button", name="Open").click()
    lab = popup.value
    assert run_in_notebook(lab, "kept = 41; print(kept)") == "41"
    site.kill(service)
    site.start(service)
    page.reload()
    expect(card(page, f"outlives-{service}")).to_contain_text("Ready", timeout=60_000)
    cell = lab.locator(".jp-Notebook .jp-CodeCell .cm-content").nth(1)
    cell.click()
    lab.keyboard.insert_text("print(kept + 1)")
    lab.keyboard.press("Shift+Enter")
    expect(lab.locator(".jp-Notebook .jp-OutputArea-output pre").nth(1)).to_have_text("42", timeout=60_000)


def test_pages_opened_at_the_same_moment_both_log_in(open_page: OpenPage, person: Callable[[str], Person]) -> None:
    """As a browser does that restores its tabs: neither page has the other's cookies."""
    live = person("dave").ready(gpus=0)
    page = open_page("dave")
    tabs = [page, page.context.new_page()]
    held: list[Route] = []

    def release_both(route: Route) -> None:
        held.append(route)
        if len(held) == len(tabs):
            for one in held:
                one.continue_()

    page.context.route(live.url, release_both, times=len(tabs))  # a page that loads again is not held
    for tab in tabs:
        tab.evaluate("url => void (location.href = url)", live.url)
    for tab in tabs:
        expect(tab.locator("#jp-top-panel")).to_be_visible(timeout=60_000)
    live.stop()


def test_what_policy_forbids_is_said_beside_its_field_and_nothing_is_submitted(
    site: DemoSite, open_page: OpenPage
) -> None:
    page = open_page("alice")
    page.goto("/services/portal/sessions/new?gpus=9&partition=sxm2&name=kept")
    expect(page.locator("[data-problem]").filter(has_text="at most 4").first).to_be_visible()
    page.get_by_role("button", name="Start session").click()
    expect(page).to_have_url(re.compile("name=kept"))
    assert site.jobs() == []


def test_a_template_opens_in_a_session_and_runs_to_the_end(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("dave")
    start_ready_session(page, "for-templates", gpus=0)
    page.goto("/services/portal/templates")
    page.get_by_role("button", name=re.compile("Open in a session: .*scikit-learn")).click()
    page.get_by_role("button", name="Open here: for-templates").click()
    page.wait_for_url("**/lab/tree/templates/**")
    lab = page
    expect(lab.locator(".jp-Notebook")).to_be_visible(timeout=60_000)
    expect(lab.get_by_text(re.compile(r"Python 3 .*\| Idle"))).to_be_visible(timeout=60_000)
    lab.get_by_role("menuitem", name="Run", exact=True).click()
    lab.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    def accuracy() -> float | None:
        """What the last cell printed, from the file: JupyterLab keeps only the cells in view in its page."""
        lab.keyboard.press("Control+s")
        file = f"{INSIDE}/home/dave/templates/scikit-learn/handwritten-digits.ipynb"
        match = re.search(r"Accuracy [^\"]*?(0\.\d+)", site.run("cat", file))
        return float(match[1]) if match else None

    assert site.wait_for(accuracy, "the notebook to run to its end", timeout_s=180, every_s=2) >= 0.95
