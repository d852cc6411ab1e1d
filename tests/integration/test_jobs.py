"""Batch jobs on a real Slurm: composed, checked, submitted, watched, read, ended in every way, done again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.demo_site import API, INSIDE, DemoSite
from tests.person import Person, frames

SMALL = "#SBATCH --mem=50M --time=5 --cpus-per-task=1"


def script(body: str, *directives: str) -> str:
    return "\n".join(["#!/bin/bash", SMALL, *(f"#SBATCH {one}" for one in directives), body, ""])


@pytest.fixture
def alice(site: DemoSite, person: Callable[[str], Person]) -> Person:
    site.wait_for(lambda: person("alice").api("GET", "/site").json()["slurm"]["state"] == "up", "Slurm to be seen")
    return person("alice")


def submit(who: Person, text: str, **more: Any) -> str:
    response = who.api("POST", "/jobs", json={"script": text, **more})
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


def job(who: Person, job_id: str) -> dict[str, Any]:
    response = who.api("GET", f"/jobs/{job_id}")
    response.raise_for_status()
    return dict(response.json())


def ended(who: Person, job_id: str, timeout_s: float = 60) -> dict[str, Any]:
    """Wait until the job is over and accounting has said what it used."""

    def over() -> dict[str, Any] | None:
        found = job(who, job_id)
        return found if found["end"] and found["usage"] else None

    return who.site.wait_for(over, f"job {job_id} to end", timeout_s) or {}


def output(who: Person, job_id: str, **where: Any) -> dict[str, Any]:
    response = who.api("GET", f"/jobs/{job_id}/output", params=where)
    response.raise_for_status()
    return dict(response.json())


def act(who: Person, action: str, *ids: str, **more: Any) -> list[dict[str, Any]]:
    response = who.api("POST", "/jobs/actions", json={"ids": list(ids), "action": action, **more})
    response.raise_for_status()
    return list(response.json()["results"])


def follow(who: Person, job_id: str, **where: Any) -> Iterator[tuple[str, Any]]:
    with who.web.stream("GET", f"{API}/jobs/{job_id}/output/follow", params=where, timeout=60) as response:
        assert response.status_code == 200
        for kind, data in frames(response):
            if kind in ("piece", "end"):
                yield kind, data
            if kind == "end":
                return


# --- the way of a good job ---


def test_two_node_job_goes_from_the_form_to_its_output_and_again(alice: Person) -> None:
    presets = {one["name"]: one for one in alice.api("GET", "/jobs/presets").json()["items"]}
    form = presets["torchrun"]["form"] | {
        "name": "two nodes",
        "cpus_per_task": 1,
        "memory_mib_per_node": 50,
        "walltime_s": 300,
        "env": [{"name": "GREETING", "value": "it's a $HOME"}],
        "command": "srun bash -c 'echo \"$SLURM_PROCID of $SLURM_NTASKS on $SLURMD_NODENAME: $GREETING\"'",
    }
    text = alice.api("POST", "/jobs/compose", json={"form": form}).json()["script"]
    parsed = alice.api("POST", "/jobs/parse", json={"script": text}).json()
    assert (parsed["form"], parsed["complete"]) == (form, True)
    checked = alice.api("POST", "/jobs/check", json={"script": text}).json()
    assert (checked["ok"], checked["problems"]) == (True, [])
    assert checked["starts_at"]
    job_id = submit(alice, text)
    told = "".join(data.get("text", "") for _, data in follow(alice, job_id))
    lines = sorted(told.splitlines())
    assert [line.split(" on ")[0] for line in lines] == [f"{rank} of 4" for rank in range(4)]
    assert len({line.split(" on ")[1].split(":")[0] for line in lines}) == 2
    assert all(line.endswith("it's a $HOME") for line in lines)
    done = ended(alice, job_id)
    assert (done["state"], done["end"]["code"], done["nodes"], done["name"]) == (
        "COMPLETED",
        "finished",
        2,
        "two nodes",
    )
    assert done["efficiency"]["memory_percent"] is not None or done["usage"]["cpu_s"] is not None
    again = alice.api("GET", f"/jobs/{job_id}/again").json()
    assert (again["script"], again["corrections"]) == (text, [])
    assert ended(alice, submit(alice, again["script"], workdir=again["workdir"]))["end"]["code"] == "finished"


def test_job_runs_as_its_user_in_the_folder_it_was_submitted_from_with_a_closed_environment(alice: Person) -> None:
    alice.site.run("mkdir", "-p", f"{INSIDE}/home/alice/work here", user="alice")
    job_id = submit(
        alice, script("id -un; pwd; env", "--output=out-%x-%j.txt", "--job-name=env"), workdir="~/work here"
    )
    ended(alice, job_id)
    shown = output(alice, job_id)
    assert shown["path"] == f"{INSIDE}/home/alice/work here/out-env-{job_id}.txt"
    who, where, *env = shown["text"].splitlines()
    assert (who, where) == ("alice", f"{INSIDE}/home/alice/work here")
    assert not [line for line in env if line.startswith(("SUDO_", "PORTAL_", "PYTHON", "DSP_"))]


def test_jobs_of_the_terminal_are_there_too_with_their_output(alice: Person) -> None:
    said = alice.site.run("sbatch", "--parsable", f"--chdir={INSIDE}/home/alice", "--time=5", "--mem=50M",
                          "--wrap=echo from the terminal", user="alice")  # fmt: skip
    job_id = said.strip()
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}").status_code == 200, "the job to be seen")
    assert not job(alice, job_id)["from_portal"]
    ended(alice, job_id)
    assert output(alice, job_id)["text"] == "from the terminal\n"
    listed = alice.api("GET", "/jobs", params={"state": "ended", "query": job_id}).json()["items"]
    assert [one["id"] for one in listed] == [job_id]


# --- arrays ---


def test_array_of_a_thousand_tasks_is_one_row_and_half_of_it_can_be_cancelled(alice: Person) -> None:
    text = script('echo "task $SLURM_ARRAY_TASK_ID"; sleep 30', "--array=0-999%4", "--output=task-%A-%3a.out")
    job_id = submit(alice, text)

    def array() -> dict[str, Any]:
        return dict(job(alice, job_id)["array"] or {})

    alice.site.wait_for(lambda: array().get("running") == 4, "four tasks to run")
    assert array() == {
        "total": 1000, "pending": 996, "running": 4, "done": 0, "failed": 0, "cancelled": 0, "range": "0-999",
    }  # fmt: skip
    rows = alice.api("GET", "/jobs", params={"state": "active"}).json()["items"]
    assert [one["id"] for one in rows] == [job_id]
    page = alice.api("GET", f"/jobs/{job_id}/tasks", params={"limit": 3, "after": 2}).json()
    assert ([one["id"] for one in page["items"]], page["next"]) == ([f"{job_id}_{n}" for n in (3, 4, 5)], 5)
    assert [one["state"] for one in page["items"]] == ["RUNNING", "PENDING", "PENDING"]
    alice.site.wait_for(lambda: output(alice, job_id, task=2)["text"] == "task 2\n", "the task's output")
    assert output(alice, job_id, task=2)["path"].endswith(f"/task-{job_id}-002.out")
    assert output(alice, job_id, task=900)["size"] == 0
    assert act(alice, "cancel", f"{job_id}_[500-999]")[0]["ok"]
    alice.site.wait_for(lambda: array()["cancelled"] == 500, "half of it to be cancelled")
    assert array()["pending"] == 496
    assert act(alice, "cancel", job_id)[0]["ok"]
    alice.site.wait_for(lambda: job(alice, job_id)["end"], "the rest to end")
    assert job(alice, job_id)["end"]["code"] == "cancelled"


# --- ends ---


def test_out_of_memory_is_told_and_the_correction_is_filled_in(alice: Person) -> None:
    job_id = submit(alice, script("python3 -c 'x = bytearray(300 << 20); print(len(x))'", "--job-name=hungry"))
    done = ended(alice, job_id)
    assert done["end"]["code"] == "oom"
    assert done["end"]["text"].startswith("It ran out of memory: 50 MB asked for")
    again = alice.api("GET", f"/jobs/{job_id}/again").json()
    (correction,) = again["corrections"]
    assert (correction["field"], correction["from"], correction["to"]) == ("memory_mib_per_node", 50, 100)
    assert "--mem=100M" in again["script"]


def test_failed_jobs_say_why(alice: Person) -> None:
    missing, failing = (submit(alice, script(body)) for body in ("nosuchcommand", "echo last words >&2; exit 3"))
    assert "was not found" in ended(alice, missing)["end"]["text"]
    assert ended(alice, failing)["end"]["text"] == "Its script ended with exit code 3."
    assert output(alice, failing, file="stderr")["text"] == "last words\n"


@pytest.mark.slow
def test_time_limit_is_told_and_the_correction_is_filled_in(alice: Person) -> None:
    job_id = submit(alice, script("sleep 300", "--time=1"))
    assert ended(alice, job_id, timeout_s=150)["end"]["text"] == "It reached its time limit of 1 min."
    (correction,) = alice.api("GET", f"/jobs/{job_id}/again").json()["corrections"]
    assert (correction["field"], correction["to"]) == ("walltime_s", 120)


def test_held_jobs_wait_until_they_are_released_and_limits_go_down_only(alice: Person) -> None:
    job_id = submit(alice, script("sleep 60", "--hold"))
    alice.site.wait_for(lambda: job(alice, job_id)["reason_code"] == "JobHeldUser", "the job to be held")
    assert job(alice, job_id)["actions"] == ["cancel", "release", "time_limit"]
    assert act(alice, "time_limit", job_id, walltime_s=120)[0]["ok"]
    assert act(alice, "release", job_id)[0]["ok"]
    alice.site.wait_for(lambda: job(alice, job_id)["state"] == "RUNNING", "the job to run")
    refused = act(alice, "time_limit", job_id, walltime_s=7200)[0]
    assert (refused["ok"], "shorten" in refused["message"]) == (False, True), refused
    assert act(alice, "cancel", job_id, "999999")[1]["message"] == "It had ended already."
    done = alice.site.wait_for(lambda: (found := job(alice, job_id))["end"] and found, "the job to end")
    assert done
    assert done["end"]["code"] == "cancelled"


# --- hostile input ---


@pytest.mark.parametrize(
    "directive",
    [
        "--array=0-99999999",
        "--array=$(touch /tmp/portal-pwned)",
        "--dependency=afterok:$(id)",
        "--job-name=dsp-abcdefghijkl",
        "--partition=nosuch;id",
        "--uid=0",
    ],
)
def test_odd_directives_are_refused_in_words_and_run_nothing(alice: Person, directive: str) -> None:
    text = script("true", directive)
    checked = alice.api("POST", "/jobs/check", json={"script": text}).json()
    assert not checked["ok"], checked
    assert checked["problems"][0]["message"]
    refused = alice.api("POST", "/jobs", json={"script": text})
    assert refused.status_code == 422, refused.text
    assert alice.site.process("test", "-e", "/tmp/portal-pwned").returncode == 1
    assert alice.site.jobs() == []


def test_hostile_names_are_names(alice: Person) -> None:
    name = "-x; $(touch /tmp/portal-pwned) & 日本"
    refused = alice.api("POST", "/jobs/compose", json={"form": {"name": name, "command": "true"}})
    assert refused.status_code == 422
    said = alice.site.run("sbatch", "--parsable", f"--chdir={INSIDE}/home/alice", "--time=5", "--mem=50M",
                          f"--job-name={name}", "--output=%x.out", "--wrap=true", user="alice")  # fmt: skip
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{said.strip()}").status_code == 200, "the job to be seen")
    assert job(alice, said.strip())["name"] == name
    assert alice.site.process("test", "-e", "/tmp/portal-pwned").returncode == 1


def test_output_leads_to_nothing_its_owner_could_not_read(alice: Person, person: Callable[[str], Person]) -> None:
    bob = person("bob")
    for target in ("/etc/shadow", f"{INSIDE}/portal/secrets/hub_key", f"{INSIDE}/home/bob/private"):
        alice.site.run("ln", "-sfn", target, f"{INSIDE}/home/alice/leak.out", user="alice")
        job_id = submit(alice, script("true", "--output=leak.out", "--begin=now+1hour"))
        answer = alice.api("GET", f"/jobs/{job_id}/output")
        assert answer.status_code == 403 or (answer.json()["text"], answer.json()["size"]) == ("", 0), answer.text
        assert bob.api("GET", f"/jobs/{job_id}/output").status_code == 404
        assert bob.api("GET", f"/jobs/{job_id}").status_code == 404
        assert "does not allow" in act(bob, "cancel", job_id)[0]["message"]
        act(alice, "cancel", job_id)


def test_environment_and_scripts_stay_what_they_are(alice: Person) -> None:
    form = {
        "name": "quotes",
        "memory_mib_per_node": 50,
        "walltime_s": 300,
        "command": 'printf \'%s\\n\' "$A" "$B"',
        "env": [{"name": "A", "value": "$(id) `id` \\ \" '"}, {"name": "B", "value": "#SBATCH --nodes=3"}],
    }
    text = alice.api("POST", "/jobs/compose", json={"form": form}).json()["script"]
    job_id = submit(alice, text)
    ended(alice, job_id)
    assert output(alice, job_id)["text"] == "$(id) `id` \\ \" '\n#SBATCH --nodes=3\n"
    refused = alice.api(
        "POST", "/jobs/compose", json={"form": form | {"env": [{"name": "LD_PRELOAD\nX", "value": ""}]}}
    )
    assert refused.status_code == 422


# --- when things are away ---


def test_slurmctld_down_is_said_and_nothing_is_lost(alice: Person) -> None:
    text = script("true")
    job_id = submit(alice, text)
    ended(alice, job_id)
    alice.site.kill("slurmctld")
    try:
        alice.site.wait_for(
            lambda: alice.api("GET", "/site").json()["slurm"]["state"] == "down", "the portal to notice", timeout_s=60
        )
        for path in ("/jobs", "/jobs/check"):
            refused = alice.api("POST", path, json={"script": text})
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "slurm_unavailable")
        assert job(alice, job_id)["script"] == text
        assert output(alice, job_id)["size"] == 0
    finally:
        alice.site.start("slurmctld")


# --- the page's stream, and the command line ---


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
        seen = next(data for kind, data in frames(theirs) if kind == "jobs")
        assert [one["id"] for one in seen["items"]] == [theirs_id]


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
        "job = portal_jobs.submit_code('import os; print(6 * 7, os.getcwd())', memory_mib_per_node=200, name='cell')\n"
        "job.follow().wait(); print(job)"
    )
    assert f"42 {INSIDE}/home/alice\n" in told
    assert "'cell': It finished." in told
    said = kernel.run(
        "try:\n    portal_jobs.run('true', partition='nosuch')\n"
        "except portal_jobs.PortalError as error:\n    print(error)"
    )
    assert "partition: There is no partition" in said
    loaded = kernel.run("%load_ext portal_jobs\n%portal_submit --nodes many")
    assert "usage: portal_submit" in loaded


# --- real use, and the presets as they come ---


def test_use_of_a_running_job_is_told_node_by_node_while_somebody_looks(
    alice: Person, person: Callable[[str], Person]
) -> None:
    busy = "python3 -c 'x = bytearray(80 << 20)\nwhile True: pass'"
    job_id = submit(alice, script(f"srun {busy}", "--nodes=2", "--ntasks-per-node=1", "--mem=300M"))

    def use() -> dict[str, Any]:
        response = alice.api("GET", f"/jobs/{job_id}/use")
        response.raise_for_status()
        return dict(response.json())

    def steps() -> list[str]:
        return [line for line in alice.site.run("squeue", "--noheader", "--steps").splitlines() if "portal-u" in line]

    def both() -> list[dict[str, Any]]:
        found = list(use()["nodes"])
        return found if len(found) == 2 and all(one["cpu_percent"] > 5 for one in found) else []

    nodes = alice.site.wait_for(both, "both nodes to tell", 60, every_s=1)
    assert all(80 < one["memory_mib"] <= one["memory_asked_mib"] == 300 for one in nodes), nodes
    assert len(steps()) == 1
    assert person("bob").api("GET", f"/jobs/{job_id}/use").status_code == 404
    alice.site.wait_for(lambda: not steps(), "the step to end when nobody looks", 60, every_s=1)
    assert job(alice, job_id)["state"] == "RUNNING"
    act(alice, "cancel", job_id)
    assert ended(alice, job_id)["end"]["text"] == "You cancelled it."
    assert use()["state"] == "idle"


def preset(who: Person, name: str, **changes: Any) -> str:
    """Submit a preset as the page offers it."""
    offered = {one["name"]: one for one in who.api("GET", "/jobs/presets").json()["items"]}[name]
    assert offered["caution"] is None, offered["caution"]
    text = who.api("POST", "/jobs/compose", json={"form": offered["form"] | changes}).json()["script"]
    checked = who.api("POST", "/jobs/check", json={"script": text}).json()
    assert (checked["ok"], checked["cautions"]) == (True, [])
    return submit(who, text)


def test_presets_run_as_they_are(alice: Person) -> None:
    notebook, bandwidth = preset(alice, "notebook"), preset(alice, "bandwidth")
    sweep = preset(alice, "sweep", array={"range": "0-11:5", "at_once": 3})
    for job_id in (notebook, bandwidth, sweep):
        done = ended(alice, job_id, timeout_s=120)
        assert done["end"]["code"] == "finished", output(alice, job_id)["text"]
    assert f"saved as example-{notebook}.ipynb" in output(alice, notebook)["text"]
    executed = alice.site.run("cat", f"{INSIDE}/home/alice/example-{notebook}.ipynb", user="alice")
    assert "epoch 9" in executed
    assert "Gbit/s" in output(alice, bandwidth)["text"]
    assert "learning rate 0.1, batch size 32: loss" in output(alice, sweep, task=5)["text"]


def test_preset_whose_software_is_not_here_says_so_before_it_is_submitted(alice: Person) -> None:
    form = {"name": "torch", "command": "srun torchrun train.py", "environment": "base"}
    text = alice.api("POST", "/jobs/compose", json={"form": form}).json()["script"]
    checked = alice.api("POST", "/jobs/check", json={"script": text}).json()
    assert checked["ok"]
    assert checked["cautions"] == [
        "It uses PyTorch, which “Python 3” does not have. Choose an environment or load modules that bring it."
    ]
