"""Jobs that Slurm has forgotten: shown, searched, read and done again from what the portal keeps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.integration.jobs.batch import act, ended, job, output, script, submit
from tests.person import Person

CONF = f"{INSIDE}/slurm/etc/slurm.conf"
PURGED_S = 150


def remember(site: DemoSite, seconds: int) -> None:
    """Set for how long slurmctld keeps jobs that have ended; it looks once a minute."""
    site.run("sed", "-i", f"s/^MinJobAge=.*/MinJobAge={seconds}/", CONF)
    site.run("scontrol", "reconfigure")


@pytest.fixture
def forgetful(site: DemoSite) -> Iterator[DemoSite]:
    remember(site, 2)
    yield site
    remember(site, 300)


@pytest.mark.slow
def test_job_that_slurm_has_forgotten_is_shown_searched_and_submitted_again(alice: Person, forgetful: DemoSite) -> None:
    text = script("echo of yore", "--job-name=remembered")
    mine = submit(alice, text)
    array = submit(alice, script("echo task $SLURM_ARRAY_TASK_ID; exit $SLURM_ARRAY_TASK_ID", "--array=0-1"))
    home = f"{INSIDE}/home/alice"
    result = forgetful.run("sbatch", "--parsable", f"--chdir={home}", "--time=5", "--mem=50M", "--job-name=elsewhere",
                         "--wrap=echo from the terminal", user="alice")  # fmt: skip
    elsewhere = result.strip()
    forgetful.wait_for(lambda: alice.api("GET", f"/jobs/{elsewhere}").status_code == 200, "the job to be seen")
    before = {name: ended(alice, name) for name in (mine, array, elsewhere)}

    def forgotten() -> bool:
        return all(forgetful.process("scontrol", "show", "job", name).returncode for name in before)

    forgetful.wait_for(forgotten, "slurmctld to forget them", PURGED_S, every_s=2)
    for name, known in before.items():
        now = job(alice, name)
        assert {key: now[key] for key in ("end", "usage", "script", "workdir")} == {
            key: known[key] for key in ("end", "usage", "script", "workdir")
        }
        assert now["actions"] == []
    assert output(alice, mine)["text"] == "of yore\n"
    assert output(alice, array, task=1)["text"] == "task 1\n"
    tasks = alice.api("GET", f"/jobs/{array}/tasks").json()["items"]
    assert [(task["id"], task["state"]) for task in tasks] == [(f"{array}_0", "COMPLETED"), (f"{array}_1", "FAILED")]
    for words, value in (("remembered", mine), ("of yore", mine), (elsewhere, elsewhere), ("elsewhere", elsewhere)):
        listed = alice.api("GET", "/jobs", params={"state": "ended", "query": words}).json()["items"]
        assert value in [value["id"] for value in listed], words
    assert [(value["changed"], value["message"]) for value in act(alice, "cancel", mine, elsewhere)] == [
        (False, "It had already ended.")
    ] * 2
    again = alice.api("GET", f"/jobs/{mine}/again").json()
    assert (again["script"], again["workdir"]) == (text, home)
    once_more = submit(alice, again["script"], workdir=again["workdir"])
    assert ended(alice, once_more)["end"]["code"] == "finished"
    form = alice.api("GET", f"/jobs/{elsewhere}/again").json()["form"]
    assert (form["name"], form["command"], form["walltime_s"]) == ("elsewhere", "", 300)
