"""Batch jobs from elsewhere: the stream of an open page, the command line, a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.demo_site import API, INSIDE
from tests.integration.jobs.batch import script, submit
from tests.person import Person, frames


def test_open_pages_hear_of_my_jobs_and_of_nobody_elses(alice: Person, person: Callable[[str], Person]) -> None:
    bob = person("bob")
    with (
        bob.web.stream("GET", f"{API}/events", timeout=60) as theirs,
        alice.web.stream("GET", f"{API}/events", timeout=60) as mine,
    ):
        job_id = submit(alice, script("sleep 2"))
        states = []
        for kind, data in frames(mine):
            if kind == "jobs":
                states += [one["state"] for one in data["items"] if one["id"] == job_id]
            if states and states[-1] == "COMPLETED":
                break
        assert states[0] == "PENDING"
        theirs_id = submit(bob, script("true"))
        seen: set[str] = set()  # the stream begins with what has just changed, of earlier tests too
        for kind, data in frames(theirs):
            if kind == "jobs":
                seen.update(one["id"] for one in data["items"])
            if theirs_id in seen:
                break
        assert job_id not in seen


def test_command_line_submits_follows_and_does_again(alice: Person) -> None:
    def portal(*words: str, stdin: str | None = None) -> Any:
        environment = [f"PORTAL_URL={alice.site.url}", f"PORTAL_TOKEN={alice.token}"]
        return alice.site.process("env", *environment, "portal", "jobs", *words, user="alice", stdin=stdin)

    text = script("echo one; sleep 1; echo two")
    assert "It would start" in portal("check", "-", stdin=text).stdout
    done = portal("submit", "-", "--follow", stdin=text)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("one\ntwo\n")
    job_id = done.stdout.split("Submitted job ")[1].split(".")[0]
    assert portal("tail", job_id).stdout == "one\ntwo\n"
    assert "It finished." in portal("show", job_id).stdout
    assert json.loads(portal("list", "--all", "--json", "--query", job_id).stdout)[0]["id"] == job_id
    again = json.loads(portal("again", job_id, "--json").stdout)["id"]
    assert "Cancelled." in portal("cancel", again).stdout or "ended" in portal("cancel", again).stdout
    refused = portal("submit", "-", stdin=script("true", "--partition=nosuch"))
    assert refused.returncode == 1
    assert "partition: There is no partition “nosuch”" in refused.stderr


def test_notebook_of_a_session_submits_code_and_hears_how_it_ended(alice: Person) -> None:
    kernel = alice.ready(gpus=0, cpus=1, memory_mib=2048, walltime_s=1800).kernel()
    told = kernel.run(
        "import portal_jobs\n"
        "def answer(six, seven):\n    import os\n    return six * seven, os.getcwd()\n"
        "job = portal_jobs.submit_function(answer, 6, 7, memory_mib_per_node=200)\n"
        "job.follow().wait(); print(job)"
    )
    assert f"(42, '{INSIDE}/home/alice')\n" in told
    assert "'answer': It finished." in told
    said = kernel.run(
        "try:\n    portal_jobs.run('true', partition='nosuch')\n"
        "except portal_jobs.PortalError as error:\n    print(error)"
    )
    assert "partition: There is no partition" in said
    loaded = kernel.run("%load_ext portal_jobs\n%portal_submit --nodes many")
    assert "usage: portal_submit" in loaded
    followed = kernel.run("%%portal_submit --memory-gb 0.2 --name cell\nprint('from', 'a cell')")
    assert "Submitted job " in followed
    assert "from a cell\n" in followed


@pytest.mark.slow
def test_notebook_submits_itself_by_magic_and_is_executed_with_its_parameters(alice: Person) -> None:
    kernel = alice.ready(gpus=0, cpus=1, memory_mib=2048, walltime_s=1800).kernel()
    kernel.run(
        "import nbformat\nfrom nbformat.v4 import new_code_cell, new_notebook\n"
        "tagged = new_code_cell('epochs = 1', metadata={'tags': ['parameters']})\n"
        "nbformat.write(new_notebook(cells=[tagged, new_code_cell('print(epochs, chr(33))')]), 'by magic.ipynb')"
    )
    told = kernel.run(
        "%load_ext portal_jobs\n"
        "magic = get_ipython().run_line_magic\n"
        "job = magic('portal_submit', '\"by magic.ipynb\" -p epochs 20 --memory-gb 1 --hours 0.2')\n"
        "print(job)"
    )
    assert "It finished." in told, told
    job_id = told.split("Submitted job ")[1].split(".")[0]
    executed = alice.site.run("cat", f"{INSIDE}/home/alice/by magic-{job_id}.ipynb", user="alice")
    assert "20 !" in executed
