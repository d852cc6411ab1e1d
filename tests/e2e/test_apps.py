"""Apps as a person opens them: TensorBoard from JupyterLab's file browser and from the portal, on real event files."""

from __future__ import annotations

from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import FrameLocator, Page, expect

from tests.demo_site import INSIDE, DemoSite
from tests.e2e.conftest import OpenPage, card, start_ready_session, type_in_terminal
from tests.events import write_events
from tests.person import Live, Person
from tests.standins.site import bring_in

LOSS = "train/loss"


def shows_a_chart(board: FrameLocator | Page) -> None:
    """TensorBoard's page has drawn a scalar chart of ours."""
    expect(board.get_by_text(LOSS).first).to_be_visible(timeout=60_000)
    expect(board.locator("svg path, line-chart canvas").first).to_be_attached(timeout=60_000)


def open_lab(page: Page, name: str) -> Page:
    with page.expect_popup() as popup:
        card(page, name).get_by_role("button", name="Open").click()
    lab = popup.value
    lab.wait_for_url("**/lab**")
    expect(lab.locator(".jp-Launcher").first).to_be_visible(timeout=60_000)
    return lab


def test_a_folder_opens_in_tensorboard_inside_the_session(site: DemoSite, open_page: OpenPage) -> None:
    write_events(site, "alice", "runs/first", LOSS)
    page = open_page("alice")
    start_ready_session(page, "looks", gpus=0)
    lab = open_lab(page, "looks")
    lab.locator(".jp-DirListing-item", has_text="runs").first.click(button="right")
    lab.get_by_text("Open in TensorBoard").click()
    shows_a_chart(lab.frame_locator("iframe[title^='TensorBoard']"))
    assert [job["user"] for job in site.jobs()] == ["alice"], "it is no job of its own"

    # The same folder again is the same tab; the Running panel ends it.
    lab.locator(".jp-DirListing-item", has_text="runs").first.click(button="right")
    lab.get_by_text("Open in TensorBoard").click()
    expect(lab.locator("iframe[title^='TensorBoard']")).to_have_count(1)
    assert site.run("pgrep", "-u", "alice", "--count", "-f", "serve_tensorboard.py").strip() == "1"
    lab.locator(".jp-DirListing").press("Escape")
    lab.get_by_role("button", name="Shut down", exact=True).click()
    expect(lab.locator("iframe[title^='TensorBoard']")).to_have_count(0)
    site.wait_for(
        lambda: not site.process("pgrep", "-u", "alice", "-f", "serve_tensorboard.py").stdout, "TensorBoard to end"
    )


def test_a_folder_without_event_files_says_so_and_opens_when_there_are_some(
    site: DemoSite, open_page: OpenPage
) -> None:
    site.run("rm", "-rf", f"{INSIDE}/home/bob/later", user="bob")
    page = open_page("bob")
    start_ready_session(page, "waits", gpus=0)
    page.get_by_role("button", name="TensorBoard").click()
    page.get_by_role("combobox", name="Folder with event files").fill("~/later")
    with page.expect_popup() as popup:
        page.get_by_role("button", name="Open in this session").click()
    lab = popup.value
    expect(lab.get_by_text(f"There is no folder {INSIDE}/home/bob/later yet.")).to_be_visible(timeout=60_000)
    lab.get_by_role("button", name="Wait for them").click()
    expect(lab.get_by_text("It opens here as soon as there are some.")).to_be_visible()
    write_events(site, "bob", "later/run", LOSS)
    shows_a_chart(lab.frame_locator("iframe[title^='TensorBoard']"))


def test_a_folder_opens_in_tensorboard_as_a_session_of_its_own(site: DemoSite, open_page: OpenPage) -> None:
    write_events(site, "carol", "runs/first", LOSS)
    page = open_page("carol")
    page.goto("/services/portal/sessions/new?app=tensorboard&partition=sxm2")
    page.get_by_role("combobox", name="Folder with event files").fill("~/runs")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Start session").click()
    page.wait_for_url("**/user/carol/**", timeout=90_000)
    shows_a_chart(page)
    [job] = site.jobs()
    assert job["user"] == "carol"


def test_the_terminal_runs_a_command_on_the_node(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("dave")
    page.goto("/services/portal/sessions/new?app=terminal&gpus=0&partition=sxm2")
    page.get_by_role("button", name="Start session").click()
    type_in_terminal(page, "echo $SLURM_JOB_ID > from-the-terminal")
    [job] = site.jobs()
    file = f"{INSIDE}/home/dave/from-the-terminal"
    site.wait_for(
        lambda: site.process("cat", file, user="dave").stdout.strip() == job["id"], "the command to run on the node"
    )


def test_digits_shows_what_it_writes_while_it_starts_and_opens_at_its_own_path_with_live_updates(
    site: DemoSite, open_page: OpenPage
) -> None:
    bring_in(site)
    slow = f"{INSIDE}/home/dave/digits-jobs/slow"
    site.run("install", "-D", "-m", "600", "/dev/null", slow, user="dave")
    page = open_page("dave")
    page.goto("/services/portal/sessions/new?app=digits&gpus=1&partition=sxm2")
    expect(page.get_by_role("combobox", name="Jobs folder")).to_have_value("~/digits-jobs")
    page.get_by_role("button", name="Start session").click()
    expect(page.get_by_text("The app writes: Loading jobs from disk")).to_be_visible(timeout=90_000)
    site.run("rm", slow, user="dave")
    page.wait_for_url("**/user/dave/digits-*/", timeout=90_000)
    expect(page.locator("#user")).to_have_text("dave")
    for way in ("#polling", "#websocket"):
        expect(page.locator(way).get_by_text("job update")).to_be_visible()
    assert {
        cookie["name"]: cookie["path"] for cookie in page.context.cookies() if cookie["name"] in ("username", "session")
    } == {"session": urlsplit(page.url).path}, (
        "its cookies hold under its own address, and who one is is no cookie of the browser's"
    )


def test_an_app_that_dies_says_why_with_its_log(site: DemoSite, open_page: OpenPage) -> None:
    bring_in(site)
    page = open_page("dave")
    page.goto("/services/portal/sessions/new?app=digits&environment=digits-without-caffe&gpus=0&partition=sxm2")
    page.get_by_role("button", name="Start session").click()
    last = page.get_by_text("Its last output: ValueError: Pycaffe not found").first
    expect(last).to_be_visible(timeout=90_000)
    expect(page.get_by_text("A valid Caffe installation was not found").first).to_be_visible()
    expect(page.get_by_role("button", name="Start again").first).to_be_visible()


def test_the_page_of_a_job_opens_tensorboard_on_its_folder(site: DemoSite, open_page: OpenPage) -> None:
    folder = write_events(site, "carol", "training/logs", LOSS).removesuffix("/logs")
    with closing(Person.of(site, "carol")) as carol:
        script = "#!/bin/sh\n#SBATCH --partition=sxm2\nsleep 60\n"
        job = carol.api("POST", "/jobs", json={"script": script, "workdir": folder})
        assert job.status_code == 202, job.text
        page = open_page("carol")
        page.goto(f"/services/portal/jobs/{job.json()['id']}")
        page.get_by_role("button", name="TensorBoard").click()
        expect(page.get_by_role("combobox", name="Folder with event files")).to_have_value(folder)
        page.get_by_role("button", name="Start session").click()
        page.wait_for_url("**/user/carol/**", timeout=90_000)
        shows_a_chart(page)


def test_an_event_file_of_the_page_files_opens_in_tensorboard(site: DemoSite, open_page: OpenPage) -> None:
    write_events(site, "carol", "runs/first", LOSS)
    page = open_page("carol")
    page.goto("/services/portal/files?path=~/runs/first")
    page.get_by_role("button", name="File events.out.tfevents").first.click()
    page.get_by_role("button", name="Open its folder in TensorBoard").click()
    expect(page.get_by_role("combobox", name="Folder with event files")).to_have_value("~/runs/first")
    page.get_by_role("button", name="Start session").click()
    page.wait_for_url("**/user/carol/**", timeout=90_000)
    shows_a_chart(page)


def test_a_session_of_an_app_is_had_again_as_it_was_at_once_and_through_the_form(
    site: DemoSite, open_page: OpenPage
) -> None:
    write_events(site, "carol", "runs/first", LOSS)
    with closing(Person.of(site, "carol")) as carol:
        resources = {"gpus": 0, "cpus": 2, "memory_mib": 3072, "walltime_s": 5400, "partition": "sxm2"}
        first = carol.open("tensorboard", {"folder": "~/runs"}, name="charts", resources=resources)
        first.stop()
        asked = as_asked(first.ended())

        page = open_page("carol")
        page.get_by_role("img", name="GPUs free").first.wait_for()  # before, the page knows too little of the site
        page.get_by_role("button", name="Start again").first.click()
        page.wait_for_url(lambda url: "/sessions/" in url)
        again = Live(carol, urlsplit(page.url).path.rsplit("/", 1)[1])
        assert again.id != first.id
        assert as_asked(again.now()) == asked
        again.stop()
        again.ended()

        page.goto("/services/portal/")
        page.get_by_role("button", name="Edit and start: charts").first.click()
        expect(page.get_by_role("combobox", name="Folder with event files")).to_have_value("~/runs")
        page.get_by_role("button", name="Start session").click()
        page.wait_for_url("**/user/carol/**", timeout=90_000)
        shows_a_chart(page)
        [edited] = carol.sessions()
        assert as_asked(edited) == asked


def as_asked(session: dict[str, Any]) -> dict[str, Any]:
    """What of a session somebody chose."""
    return {key: session[key] for key in ("app", "environment", "options", "modules", "name", "resources")}
