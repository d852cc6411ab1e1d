"""Batch jobs as a person does them: compose, check, submit, follow, read how it ended, submit again."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.demo_site import DemoSite
from tests.e2e.conftest import OpenPage

RANKS = "srun bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS on node $SLURM_NODEID'\necho all ranks are in"
# More than it asks for, by a process that Slurm watches.
GREEDY = "python3 -c 'x = bytearray(600 << 20); import time; time.sleep(60)'"
ENDS_MS = 120_000


def new_job(page: Page) -> None:
    page.goto("/services/portal/jobs/new")
    page.get_by_label("Commands").wait_for()


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Script")


def output(page: Page) -> Locator:
    return page.get_by_role("region", name="Output", exact=True).last


def submit(page: Page) -> str:
    """Submit what the page holds; return the job's number from the address it leads to."""
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url(re.compile(r"/jobs/\d+$"))
    return page.url.rsplit("/", 1)[1]


def set_count(page: Page, name: str, value: int) -> None:
    page.get_by_role("spinbutton", name=name).fill(str(value))


def test_a_job_over_two_nodes_is_composed_checked_followed_and_submitted_again(
    site: DemoSite, open_page: OpenPage
) -> None:
    page = open_page("alice")
    new_job(page)
    page.get_by_role("button", name="A preset").click()
    page.get_by_role("button", name=re.compile("PyTorch over several nodes")).click()
    expect(editor(page)).to_contain_text("torchrun")
    page.get_by_label("Name", exact=True).fill("ranks")
    page.get_by_label("Commands").fill(RANKS)
    set_count(page, "Tasks a node", 2)
    set_count(page, "Cores a task", 1)
    page.get_by_label("Memory a node (GB)").fill("2")
    expect(editor(page)).to_contain_text("--ntasks-per-node=2")

    page.get_by_role("button", name="Check").click()
    summary = page.get_by_role("region", name="This job")
    expect(summary).to_contain_text(re.compile("start", re.IGNORECASE))
    submit(page)
    for rank in range(4):
        expect(output(page)).to_contain_text(f"rank {rank} of 4", timeout=ENDS_MS)
    expect(output(page)).to_contain_text("all ranks are in")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)

    page.get_by_role("button", name="Submit again").click()
    expect(page.get_by_role("spinbutton", name="Nodes")).to_have_value("2")
    set_count(page, "Tasks a node", 4)
    expect(editor(page)).to_contain_text("--ntasks-per-node=4")
    submit(page)
    expect(output(page)).to_contain_text("rank 7 of 8", timeout=ENDS_MS)


def test_form_follows_the_script_and_lines_it_cannot_show_stay(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("alice")
    new_job(page)
    page.get_by_role("button", name="A pasted script").click()
    script = "#!/bin/bash\n#SBATCH --job-name=pasted\n#SBATCH --nodes=3\n#SBATCH --nice=5\nhostname\n"
    page.get_by_role("dialog").get_by_label("Script").fill(script)
    page.get_by_role("button", name="Use this script").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("pasted")
    expect(page.get_by_role("spinbutton", name="Nodes")).to_have_value("3")
    expect(page.get_by_text("One line is only in the script")).to_be_visible()
    page.get_by_role("button", name="One node fewer").click()
    expect(editor(page)).to_contain_text("--nodes=2")
    expect(editor(page)).to_contain_text("--nice=5")
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("pasted")


def test_out_of_memory_is_told_in_words_and_more_is_filled_in(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("bob")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("greedy")
    page.get_by_label("Commands").fill(GREEDY)
    page.get_by_label("Memory a node (GB)").fill("0.2")
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Out of memory", timeout=ENDS_MS)
    expect(page.get_by_text("It ran out of memory: ").first).to_be_visible()
    page.get_by_role("button", name="Submit again with 0.4 GB").click()
    expect(page.get_by_text(re.compile("Memory a node: .* → 0.4 GB"))).to_be_visible()
    expect(page.get_by_label("Memory a node (GB)")).to_have_value("0.4")


def test_nothing_typed_is_lost_while_slurmctld_is_down(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("carol")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("patient")
    page.get_by_label("Commands").fill("hostname")
    expect(editor(page)).to_contain_text("--job-name=patient")
    site.kill("slurmctld")
    try:
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.get_by_role("alert").first).to_contain_text("It was not submitted", timeout=60_000)
        expect(page.get_by_label("Commands")).to_have_value("hostname")
        page.reload()
        expect(page.get_by_label("Name", exact=True)).to_have_value("patient")
    finally:
        site.start("slurmctld")
    expect(page.get_by_text("Slurm has not answered")).to_have_count(0, timeout=60_000)
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)
