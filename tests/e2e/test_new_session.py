"""The form of a new session, before it starts: what would start now instead, and the name in Slurm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from playwright.sync_api import Locator, Route, expect

from tests.demo_site import INSIDE, DemoSite
from tests.e2e.conftest import CLOCK, OpenPage, card
from tests.e2e.test_accessible import AXE, violations
from tests.fillers import fill


def test_what_would_start_now_is_one_click_and_starts(site: DemoSite, open_page: OpenPage) -> None:
    filler = "exec sleep 900"
    site.run("scancel", "--state=PENDING")  # what another test has left in the queue would come first
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
    expect(page).to_have_url(re.compile(r"preset=Two\+on\+sxm2"))
    assert violations(page, AXE) == []

    page.get_by_role("button", name="Presets").click()
    dialog.get_by_label("Name of Two on sxm2").fill("Pair")
    dialog.get_by_role("button", name="Rename Two on sxm2").click()
    dialog.get_by_role("button", name="Delete Pair").click()
    page.keyboard.press("Escape")
    expect(start_from.get_by_role("button", name="Copy link")).to_be_visible()
    expect(start_from.get_by_role("button", name="Pair")).to_be_hidden()


def test_the_form_offers_the_memory_that_sessions_from_its_preset_or_template_used(
    site: DemoSite, open_page: OpenPage
) -> None:
    page = open_page("dave")
    for basis, what in (("preset=Pair", "preset"), ("template=scikit-learn-handwritten-digits", "template")):
        page.goto(f"/services/portal/sessions/new?gpus=0&memory_mib=300&partition=debug&name=measured-{what}&{basis}")
        with page.expect_response(
            lambda answer: answer.request.method == "POST" and answer.url.endswith("/sessions")
        ) as start:
            page.get_by_role("button", name="Start session").click()
        was_measured(site, start.value.json()["id"])

        page.goto(f"/services/portal/sessions/new?gpus=2&partition=sxm2&{basis}")
        reason = re.compile(
            f"^Your last .* from this {what} used at most 512 MB of memory; this session requests 96 GB"
        )
        expect(page.get_by_text(reason)).to_be_visible()
        panel = page.get_by_role("complementary", name="This session")
        expect(panel.get_by_text(re.compile("96.GB"))).to_be_visible()
        page.get_by_role("button", name="Request 4 GB").click()
        expect(panel.get_by_text(re.compile("16.cores, 4.GB"))).to_be_visible()
        expect(page.get_by_text(reason)).to_have_count(0)


def was_measured(site: DemoSite, session_id: str) -> None:
    """Write ten minutes of use for a session that has just been started, as if it had been ready for them."""
    write = (
        "import sqlite3, sys; _, file, id = sys.argv; base = sqlite3.connect(file, timeout=30);"
        " base.execute('update sessions set ready_at = created_at where id = ?', [id]);"
        " base.execute('insert into usage_samples (session_id, at_s, seconds, memory_mib, gpus)"
        " values (?, 0, 600, 512, 0)', [id]); base.commit()"
    )
    site.run("python3", "-c", write, str(INSIDE / "portal/data/portal.sqlite"), session_id)


def test_the_form_says_between_when_a_request_will_probably_start(site: DemoSite, open_page: OpenPage) -> None:
    fill(site)
    with waits_of_two_weeks(site):
        page = open_page("alice")
        page.goto("/services/portal/sessions/new?gpus=1&partition=sxm2")
        panel = page.get_by_role("complementary", name="This session")
        expect(panel.get_by_text(re.compile("would wait for 1 free V100"))).to_be_visible()
        expect(panel.get_by_text(re.compile(rf"^Probably between {CLOCK} and {CLOCK}$"))).to_be_visible()
        why = "9 of 10 jobs like it waited 12 min to 47 min (40 in the last four weeks)."
        expect(panel.get_by_text(why)).to_be_visible()


@contextmanager
def waits_of_two_weeks(site: DemoSite) -> Iterator[None]:
    """Jobs with one GPU on sxm2, three a day, that waited 10 to 49 minutes, in the portal's database."""
    add = (
        "import sqlite3, sys, time; base = sqlite3.connect(sys.argv[1], timeout=30); now = int(time.time());"
        ' whose = base.execute("insert into usage_whose (owner, account, partition, gpu_type)'
        " values ('waits', '', 'sxm2', 'v100') returning id\").fetchone()[0];"
        " base.executemany('insert into usage_jobs (job_id, started_s, ended_s, whose_id, gpus, cpus, wait_s,"
        " gpu_known_s, gpu_used_s, cpu_known_s, cpu_used_s, settled) values (?, ?, ?, ?, 1, 8, ?, 0, 0, 0, 0, 1)',"
        " [(90_000_000 + n, now - 28_800 * (n + 1), now - 28_800 * (n + 1) + 600, whose, 60 * (10 + n))"
        " for n in range(40)]); base.commit()"
    )
    remove = (
        "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], timeout=30);"
        " base.execute('delete from usage_jobs where job_id >= 90000000');"
        " base.execute(\"delete from usage_whose where owner = 'waits'\"); base.commit()"
    )
    file = str(INSIDE / "portal/data/portal.sqlite")
    site.run("python3", "-c", add, file)
    site.restart("portal")  # it keeps what it has read for some minutes
    try:
        yield
    finally:
        site.run("python3", "-c", remove, file)
        site.restart("portal")


def test_no_answer_moves_the_button_that_sends_a_form(site: DemoSite, open_page: OpenPage) -> None:
    """Long answers to the session form and the job form, held back until the button's position is known."""
    page = open_page("bob")
    answers = Answers()
    page.route(re.compile("/(sessions|jobs)/check$"), answers.come)
    start = page.get_by_role("button", name="Start session")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        answers.hold()
        with page.expect_request("**/sessions/check"):
            page.goto("/services/portal/sessions/new?gpus=5&partition=sxm2")
        before = place(start)
        answers.release()
        panel = page.get_by_role("complementary", name="This session")
        expect(panel.get_by_role("button", name=re.compile("now$")).first).to_be_visible()
        assert place(start) == before, width

    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        answers.hold()
        page.goto("/services/portal/jobs/new")
        page.get_by_label("Commands").fill("sleep 1")
        job = page.get_by_role("region", name="This job")
        submit = job.get_by_role("button", name="Submit", exact=True)
        expect(submit).to_be_in_viewport(ratio=1)
        before = place(submit)
        page.get_by_role("spinbutton", name="GPUs per node").fill("5")
        expect(job).to_contain_text("5 GPUs")
        with page.expect_request("**/jobs/check"):
            job.get_by_role("button", name="Check", exact=True).click()
        answers.release()
        expect(job.get_by_role("listitem").first).to_be_visible()
        assert place(submit) == before, width


class Answers:
    """Lets requests wait until they are released."""

    def __init__(self) -> None:
        self._waiting: list[Route] = []
        self._held = True

    def come(self, route: Route) -> None:
        if self._held:
            self._waiting.append(route)
        else:
            route.continue_()

    def hold(self) -> None:
        self._held = True

    def release(self) -> None:
        self._held = False
        while self._waiting:
            self._waiting.pop().continue_()


def place(button: Locator) -> dict[str, float] | None:
    """Return its position in the window."""
    expect(button).to_be_visible()
    return cast("dict[str, float] | None", button.bounding_box())
