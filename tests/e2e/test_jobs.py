"""Batch jobs as a person does them: compose, check, submit, follow, read how it ended, submit again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.demo_site import INSIDE, DemoSite
from tests.e2e.conftest import OpenPage
from tests.person import Person

RANKS = "srun bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS on node $SLURM_NODEID'\necho all ranks are in"
# More than it asks for, by a process that Slurm watches.
GREEDY = "python3 -c 'x = bytearray(600 << 20); import time; time.sleep(60)'"
ENDS_MS = 120_000


INSTALL_S = 1800


@pytest.fixture
def pytorch(site: DemoSite) -> str:
    """The demo's PyTorch, installed by an administrator unless it is there."""
    admin = Person.of(site, "admin")

    def there() -> bool:
        known = {item["name"]: item for item in admin.api("GET", "/environments").json()["items"]}["pytorch"]
        assert known["state"] != "failed" or known["installed"], known["message"]
        return bool(known["installed"])

    try:
        if not there():
            admin.api("POST", "/environments/pytorch/install").raise_for_status()
        site.wait_for(there, "PyTorch to be installed", INSTALL_S, every_s=5)
    finally:
        admin.close()
    return "pytorch"


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


def api_job(who: Person, name: str, *lines: str) -> str:
    """Submit a job that sleeps by the API; return its number."""
    asked = "".join(f"#SBATCH {line}\n" for line in (f"--job-name={name}", "--partition=sxm2", "--mem=200M", *lines))
    response = who.api("POST", "/jobs", json={"script": f"#!/bin/bash\n{asked}sleep 3600\n"})
    response.raise_for_status()
    return str(response.json()["id"])


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
    set_count(page, "Tasks per node", 2)
    set_count(page, "Cores per task", 1)
    page.get_by_label("Memory per node (GB)").fill("2")
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
    set_count(page, "Tasks per node", 4)
    expect(editor(page)).to_contain_text("--ntasks-per-node=4")
    submit(page)
    expect(output(page)).to_contain_text("rank 7 of 8", timeout=ENDS_MS)


@pytest.mark.slow
def test_torchrun_over_two_nodes_adds_up_its_ranks_and_again_with_four_tasks(pytorch: str, open_page: OpenPage) -> None:
    """The preset as it is, with real PyTorch: composed, checked, submitted, followed to its result, done again."""
    page = open_page("alice")
    new_job(page)
    page.get_by_role("button", name="A preset").click()
    page.get_by_role("button", name=re.compile("PyTorch over several nodes")).click()
    expect(page.get_by_label("Environment")).to_have_value(pytorch)
    expect(page.get_by_role("spinbutton", name="Nodes")).to_have_value("2")
    expect(page.get_by_role("spinbutton", name="Tasks per node")).to_have_value("2")
    expect(editor(page)).to_contain_text("--ntasks-per-node=2")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("region", name="This job")).to_contain_text(re.compile("It would start now on "))
    submit(page)
    for rank in range(4):
        expect(output(page)).to_contain_text(f"rank {rank} of 4: the sum of all ranks is 6", timeout=ENDS_MS)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)

    page.get_by_role("button", name="Submit again").click()
    expect(page.get_by_role("spinbutton", name="Tasks per node")).to_have_value("2")
    set_count(page, "Tasks per node", 4)
    expect(editor(page)).to_contain_text("--ntasks-per-node=4")
    submit(page)
    expect(output(page)).to_contain_text("rank 7 of 8: the sum of all ranks is 28", timeout=ENDS_MS)


def test_use_of_a_running_job_is_shown_node_by_node(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("alice")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("busy")
    holds = "import time\nx = bytearray(100 << 20)\ntime.sleep(600)"
    page.get_by_label("Commands").fill(f"srun python3 -c '{holds}'")
    set_count(page, "Nodes", 2)
    page.get_by_label("Memory per node (GB)").fill("1")
    submit(page)
    use = page.get_by_role("region", name="Use now")
    for node in site.nodes[:2]:
        expect(use.get_by_role("group", name=node)).to_contain_text(re.compile(r"\d\.\d of 1 core"), timeout=ENDS_MS)
        expect(use.get_by_role("group", name=node)).to_contain_text("of 1 GB")
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Cancel 1 job").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cancelled", timeout=ENDS_MS)
    expect(page.get_by_role("heading", name="Efficiency")).to_be_visible()


#: How many elements are smaller than what is in them.
CUT = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length"


def test_array_of_a_thousand_is_one_row_and_half_of_it_is_cancelled(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("dave")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("sweep")
    page.get_by_label("Commands").fill("sleep 600")
    page.get_by_label("Memory per node (GB)").fill("1")
    page.get_by_role("button", name="Array, dependencies, files and more").click()
    page.get_by_label("Job array").fill("0-999")
    page.get_by_label("Most at once").fill("4")
    expect(editor(page)).to_contain_text("--array=0-999%4")
    number = submit(page)
    page.goto("/services/portal/jobs")
    rows = page.get_by_role("table", name="My jobs").get_by_role("row")
    expect(rows).to_have_count(2)  # the heads, and the one
    expect(rows.last).to_contain_text("996 waiting", timeout=ENDS_MS)
    rows.last.get_by_role("button", name="Show the tasks of sweep").click()
    tasks = page.get_by_role("region", name="Tasks: sweep")
    expect(tasks.get_by_role("listitem")).to_have_count(100)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert tasks.get_by_role("listitem").evaluate_all(CUT) == 0, f"cut, or over each other, at {width} px"
    tasks.get_by_label("Select tasks by number").fill("500-999")
    tasks.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("region", name="Selected jobs").get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel 1 job").click()
    expect(rows.nth(1)).to_contain_text("500 cancelled", timeout=ENDS_MS)
    assert len(site.run("squeue", "--noheader", "--array", f"--jobs={number}").splitlines()) == 500


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

    number = submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)
    result = site.run("scontrol", "--oneliner", "show", "job", number)
    assert "JobName=pasted " in result
    assert " NumNodes=2 " in result
    assert " Nice=5 " in result


def test_a_script_of_my_home_is_chosen_submitted_from_its_folder_and_begun_with_again(
    site: DemoSite, open_page: OpenPage
) -> None:
    folder = f"{INSIDE}/home/alice/old scripts"
    site.run("mkdir", "-p", folder, user="alice")
    text = "#!/bin/bash\n#SBATCH --job-name=from-home --nodes=2\n#SBATCH --mem=50M\n#SBATCH --nice=7\npwd\n"
    site.run("tee", f"{folder}/train.sh", user="alice", stdin=text)
    site.run("dd", "if=/dev/urandom", f"of={folder}/weights.bin", "bs=1k", "count=4", user="alice")
    page = open_page("alice")
    new_job(page)

    def choose(name: str) -> None:
        page.get_by_role("button", name="A file in my home folder").click()
        entries = page.get_by_role("dialog").get_by_role("list", name="Files and folders")
        entries.get_by_role("button", name="old scripts").click()
        entries.get_by_role("button", name=name).click()

    choose("weights.bin")
    expect(page.get_by_role("alert")).to_contain_text("weights.bin")
    expect(page.get_by_label("Name", exact=True)).to_have_value("job")
    choose("train.sh")
    expect(page.get_by_text("Started from ~/old scripts/train.sh.")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("from-home")
    expect(page.get_by_role("spinbutton", name="Nodes")).to_have_value("2")
    expect(page.get_by_role("region", name="This job")).to_contain_text("Submitted from ~/old scripts.")
    number = submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)
    expect(output(page)).to_contain_text(folder)

    new_job(page)
    page.get_by_role("button", name="One of my jobs").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Filter jobs").fill(number)
    dialog.get_by_role("button", name=re.compile(rf"from-home {number}")).click()
    expect(page.get_by_text(f"Started from job {number}.")).to_be_visible()
    expect(editor(page)).to_contain_text("--nice=7")
    page.get_by_role("button", name="One node fewer").click()
    expect(editor(page)).to_contain_text("--nodes=1")
    again = submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)
    result = site.run("scontrol", "--oneliner", "show", "job", again)
    assert " NumNodes=1 " in result
    assert " Nice=7 " in result
    assert f" WorkDir={folder} " in result


def test_many_jobs_are_held_released_shortened_requeued_and_cancelled_at_once(
    site: DemoSite, open_page: OpenPage
) -> None:
    alice = Person.of(site, "alice")
    later = {name: api_job(alice, name, "--begin=now+2hours", "--time=90") for name in ("many-1", "many-2")}
    running = api_job(alice, "many-3", "--time=60")
    alice.close()
    page = open_page("alice")
    page.goto("/services/portal/jobs?q=many-")
    table = page.get_by_role("table", name="My jobs")
    bar = page.get_by_role("region", name="Selected jobs")
    dialog = page.get_by_role("dialog")

    def row(name: str) -> Locator:
        return table.get_by_role("row").filter(has_text=name)

    def all_at_once(action: str) -> None:
        if not bar.is_visible():
            table.get_by_label("Select all").check()
        expect(bar).to_contain_text("3 selected")
        bar.get_by_role("button", name=action, exact=True).click()

    expect(row("many-3")).to_contain_text("Running", timeout=ENDS_MS)
    for name in later:
        expect(row(name)).to_contain_text("Waiting")

    all_at_once("Hold")
    expect(dialog.get_by_role("listitem")).to_have_text([re.compile(name) for name in reversed(later)])
    expect(dialog).to_contain_text("1 selected job is left as it is")
    dialog.get_by_role("button", name="Hold 2 jobs").click()
    for name in later:
        expect(row(name)).to_contain_text("Held")

    all_at_once("Release")
    dialog.get_by_role("button", name="Release 2 jobs").click()
    for name in later:
        expect(row(name)).to_contain_text("Waiting")

    all_at_once("Shorten time limit")
    dialog.get_by_label("New time limit (minutes)").fill("75")
    dialog.get_by_role("button", name="Shorten 3 jobs").click()
    expect(dialog.get_by_role("alert").get_by_role("listitem")).to_have_text([re.compile("many-3.*not extend it")])
    expect(dialog).to_contain_text("It worked for 2 other jobs.")
    dialog.get_by_role("button", name="Close").last.click()
    for number, limit in ((running, "01:00:00"), *((number, "01:15:00") for number in later.values())):
        assert f" TimeLimit={limit} " in site.run("scontrol", "--oneliner", "show", "job", number)

    all_at_once("Requeue")
    dialog.get_by_role("button", name="Requeue 1 job").click()
    expect(dialog).to_have_count(0)
    result = ("scontrol", "--oneliner", "show", "job", running)
    site.wait_for(lambda: " Restarts=1 " in site.run(*result), "the job to be put back into the queue")

    all_at_once("Cancel")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    dialog.get_by_role("button", name="Cancel 3 jobs").click()
    expect(page.get_by_text("No job matches “many-”.")).to_be_visible(timeout=ENDS_MS)


def test_out_of_memory_is_told_in_words_and_more_is_filled_in(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("bob")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("greedy")
    page.get_by_label("Commands").fill(GREEDY)
    page.get_by_label("Memory per node (GB)").fill("0.2")
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Out of memory", timeout=ENDS_MS)
    expect(page.get_by_text("It ran out of memory: ").first).to_be_visible()
    page.get_by_role("button", name="Submit again with 410 MB").click()
    expect(page.get_by_text("Memory per node: 205 MB → 410 MB")).to_be_visible()
    expect(page.get_by_label("Memory per node (GB)")).to_have_value("0.4")


@pytest.mark.slow
def test_time_limit_is_told_in_words_and_more_is_filled_in(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("bob")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("slow")
    page.get_by_label("Commands").fill("sleep 600")
    page.get_by_role("textbox", name="Other", exact=True).fill("1m")
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Time limit reached", timeout=2 * ENDS_MS)
    expect(page.get_by_text("It reached its time limit of 1 min.").first).to_be_visible()
    page.get_by_role("button", name="Submit again with 2 min").click()
    expect(page.get_by_text("Time limit: 1 min → 2 min")).to_be_visible()
    expect(editor(page)).to_contain_text("--time=00:02:00")


def test_nothing_typed_is_lost_while_slurmctld_is_down(site: DemoSite, open_page: OpenPage) -> None:
    page = open_page("carol")
    new_job(page)
    page.get_by_label("Name", exact=True).fill("patient")
    page.get_by_label("Commands").fill("hostname")
    expect(editor(page)).to_contain_text("--job-name=patient")
    site.kill("slurmctld")
    try:
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.get_by_role("alert").first).to_contain_text("Could not submit the job", timeout=60_000)
        expect(page.get_by_label("Commands")).to_have_value("hostname")
        page.reload()
        expect(page.get_by_label("Name", exact=True)).to_have_value("patient")
    finally:
        site.start("slurmctld")
    expect(page.get_by_text("Slurm has not answered")).to_have_count(0, timeout=60_000)
    submit(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Finished", timeout=ENDS_MS)
