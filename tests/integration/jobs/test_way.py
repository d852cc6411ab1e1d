"""A good job on its way: from the form to its output, from the terminal, and done again."""

from __future__ import annotations

from tests.demo_site import INSIDE
from tests.integration.jobs.batch import ended, follow, job, output, script, submit
from tests.person import Person


def test_two_node_job_goes_from_the_form_to_its_output_and_again(alice: Person) -> None:
    presets = {item["name"]: item for item in alice.api("GET", "/jobs/presets").json()["items"]}
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
    value = "".join(data.get("text", "") for _, data in follow(alice, job_id))
    lines = sorted(value.splitlines())
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
    result = alice.site.run("sbatch", "--parsable", f"--chdir={INSIDE}/home/alice", "--time=5", "--mem=50M",
                          "--job-name=typed-by-hand", "--wrap=echo from the terminal", user="alice")  # fmt: skip
    job_id = result.strip()
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}").status_code == 200, "the job to be seen")
    assert not job(alice, job_id)["from_portal"]
    ended(alice, job_id)
    assert output(alice, job_id)["text"] == "from the terminal\n"

    def listed(words: str) -> list[str]:
        answer = alice.api("GET", "/jobs", params={"state": "ended", "query": words}).json()
        return [item["id"] for item in answer["items"]]

    assert listed("typed-by") == [job_id]
    assert job_id in listed(job_id)  # on a fresh site it is a digit, which others have somewhere, too


def test_array_of_the_terminal_is_there_with_the_output_of_each_task(alice: Person) -> None:
    result = alice.site.run("sbatch", "--parsable", f"--chdir={INSIDE}/home/alice", "--time=5", "--mem=50M",
                          "--array=0-1", "--wrap=echo task $SLURM_ARRAY_TASK_ID", user="alice")  # fmt: skip
    job_id = result.strip()
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}").status_code == 200, "the array to be seen")
    ended(alice, job_id)
    assert [output(alice, job_id, task=task)["text"] for task in (0, 1)] == ["task 0\n", "task 1\n"]


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
