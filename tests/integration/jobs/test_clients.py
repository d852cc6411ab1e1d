"""Batch jobs from elsewhere: the stream of an open page, the command line, a notebook."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.demo_site import API, INSIDE
from tests.integration.jobs.batch import ended, script, submit
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
                states += [item["state"] for item in data["items"] if item["id"] == job_id]
            if states and states[-1] == "COMPLETED":
                break
        assert states[0] == "PENDING"
        theirs_id = submit(bob, script("true"))
        seen: set[str] = set()  # the stream begins with what has just changed, of earlier tests too
        for kind, data in frames(theirs):
            if kind == "jobs":
                seen.update(item["id"] for item in data["items"])
            if theirs_id in seen:
                break
        assert job_id not in seen


Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def portal(alice: Person) -> Command:
    """`portal jobs …` in a shell of alice's."""

    def run(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = [f"PORTAL_URL={alice.site.url}", f"PORTAL_TOKEN={alice.token}"]
        return alice.site.process("env", *environment, "portal", "jobs", *words, user="alice", stdin=stdin)

    return run


def test_command_line_submits_follows_and_does_again(portal: Command) -> None:
    text = script("echo one; sleep 1; echo two")
    assert "start" in portal("check", "-", stdin=text).stdout
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


def test_command_line_says_in_one_sentence_what_is_no_job_of_mine(
    alice: Person, person: Callable[[str], Person], portal: Command
) -> None:
    done = submit(alice, script("echo over"))
    ended(alice, done)
    array = submit(alice, script("true", "--array=3-5", "--begin=now+1hour"))
    elsewhere = alice.site.run("sbatch", "--parsable", "--chdir=/tmp", "--begin=now+1hour", "--time=5", "--mem=50M",
                               "--wrap=true", user="alice").strip()  # fmt: skip
    theirs = submit(person("bob"), script("true", "--begin=now+1hour"))
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{elsewhere}").status_code == 200, "the job to be seen")

    def refused(*words: str) -> str:
        result = portal(*words)
        assert result.returncode == 1, (words, result.stdout, result.stderr)
        stdout = (result.stdout + result.stderr).strip()
        assert "Traceback" not in stdout
        assert len(stdout.splitlines()) <= 2, stdout
        return stdout

    for command in ("cancel", "again", "tail", "show"):
        assert refused(command, "../sessions").startswith("“../sessions” is not a job number.")
    for unknown in ("987654321", theirs):
        for command in ("again", "tail", "show"):
            assert refused(command, unknown).startswith(f"There is no job {unknown}.")
        assert f"You have no job {unknown}" in refused("cancel", unknown)
    assert refused("cancel", done) == f"{done}: It had already ended."
    assert f"Use: `portal jobs again {array}`." in refused("again", f"{array}_4")
    assert f"Job {done} is not an array." in refused("tail", f"{done}_4")
    assert f"Job {done} is not an array." in refused("show", f"{done}_4")
    assert f"Job {array} has no task 6." in refused("tail", f"{array}_6", "--follow")
    assert f"Job {array} has no task 6." in refused("show", f"{array}_6")
    assert f"Name a task of 3-5, as in {array}_3." in refused("tail", array)
    assert "it was not submitted through the portal" in refused("again", elsewhere)
    waits = portal("tail", f"{array}_4")
    assert (waits.returncode, waits.stdout) == (0, "")
    assert f"Nothing has been written to {INSIDE}/home/alice/slurm-{array}_4.out yet." in " ".join(waits.stderr.split())
    assert alice.api("GET", f"/jobs/{done[0]}_{done[1:] or 0}").status_code == 422, "no number of another job"


def test_task_of_an_array_is_shown_alone(alice: Person, person: Callable[[str], Person], portal: Command) -> None:
    array = submit(alice, script("test $SLURM_ARRAY_TASK_ID = 1 || exit 3", "--array=1-2,40%2"))
    waits = submit(alice, script("true", "--array=1-3", "--begin=now+1hour"))
    ended(alice, array)

    def told(task: int) -> dict[str, Any]:
        return dict(alice.api("GET", f"/jobs/{array}/tasks/{task}").json())

    alice.site.wait_for(lambda: told(2)["state"] == "FAILED", "the task that failed to be shown")
    assert [told(task)["state"] for task in (1, 2, 40)] == ["COMPLETED", "FAILED", "FAILED"]
    assert (told(2)["exit_code"], told(2)["end"]["text"]) == (3, "Its script ended with exit code 3.")
    assert told(2)["stdout"].endswith(f"/slurm-{array}_2.out")
    shown = portal("show", f"{array}_2")
    assert shown.returncode == 0, shown.stderr
    for part in (f"{array}_2 ", "failed", "exit code 3", f"slurm-{array}_2.out", " node0"):
        assert part in shown.stdout, shown.stdout
    assert json.loads(portal("show", f"{array}_1", "--json").stdout)["state"] == "COMPLETED"
    assert "pending" in portal("show", f"{waits}_3").stdout
    assert person("bob").api("GET", f"/jobs/{array}/tasks/2").status_code == 404
    alice.api("POST", "/jobs/actions", json={"ids": [waits], "action": "cancel"})


def test_notebook_of_a_session_submits_code_and_hears_how_it_ended(alice: Person) -> None:
    kernel = alice.ready(gpus=0, cpus=1, memory_mib=2048, walltime_s=1800).kernel()
    result = kernel.run(
        "import portal_jobs\n"
        "def answer(six, seven):\n    import os\n    return six * seven, os.getcwd()\n"
        "job = portal_jobs.submit_function(answer, 6, 7, memory_mib_per_node=200)\n"
        "job.follow().wait(); print(job)"
    )
    assert f"(42, '{INSIDE}/home/alice')\n" in result
    assert "'answer': It finished." in result
    text = kernel.run(
        "try:\n    portal_jobs.run('true', partition='nosuch')\n"
        "except portal_jobs.PortalError as error:\n    print(error)"
    )
    assert "partition: There is no partition" in text
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
    result = kernel.run(
        "%load_ext portal_jobs\n"
        "magic = get_ipython().run_line_magic\n"
        "job = magic('portal_submit', '\"by magic.ipynb\" -p epochs 20 --memory-gb 1 --hours 0.2')\n"
        "print(job)"
    )
    assert "It finished." in result, result
    job_id = result.split("Submitted job ")[1].split(".")[0]
    executed = alice.site.run("cat", f"{INSIDE}/home/alice/by magic-{job_id}.ipynb", user="alice")
    assert "20 !" in executed
