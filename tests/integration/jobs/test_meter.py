"""The meter of batch jobs on a real Slurm: with the job from its first to its last second, and never in its way."""

from __future__ import annotations

from typing import Any

from tests.integration.jobs.batch import ended, job, output, script, submit
from tests.person import Person
from tests.standins.nvml import door_python, reporting_gpus

BODY = 'echo "child: [$!]"; wait; sleep 12; echo done'


def gpus(who: Person, job_id: str) -> list[dict[str, Any]]:
    answer = who.api("GET", f"/jobs/{job_id}/gpus")
    answer.raise_for_status()
    return list(answer.json()["items"])


def test_gpus_of_a_job_are_metered_until_it_ends(alice: Person) -> None:
    with reporting_gpus(alice.site, "full"):
        job_id = submit(alice, script(BODY, "--gres=gpu:2", "--job-name=metered"))
        alice.site.wait_for(lambda: gpus(alice, job_id), "a first report", timeout_s=60)
        ended(alice, job_id)
    results = gpus(alice, job_id)
    assert [value["index"] for value in results] == [0, 1]
    for value in results:
        assert value["measured_s"] > 9  # of 12: more than the report after five seconds
        assert value["percent"] > 90
        assert value["energy_wh"] > 0.5
        assert value["memory_peak_mib"] > 500
    done = job(alice, job_id)
    assert done["script"] == script(BODY, "--gres=gpu:2", "--job-name=metered")
    assert output(alice, job_id)["text"] == "child: []\ndone\n"

    def reported() -> bool:
        rows = alice.api("GET", "/usage", params={"by": "month"}).json()["total"]
        return bool(rows["energy_kwh"] > 0 and rows["gpu_hours_used"] > 0)

    alice.site.wait_for(reported, "Usage to show it", timeout_s=120)


def test_job_whose_meter_cannot_start_is_none_the_worse(alice: Person) -> None:
    with door_python(alice.site, "/nowhere/python"):
        job_id = submit(alice, script("nosuchcommand\necho done", "--gres=gpu:1"))
        assert ended(alice, job_id)["end"]["code"] == "finished"
    shown = output(alice, job_id)["text"]
    assert "line 4: nosuchcommand" in shown
    assert shown.endswith("done\n")
    assert gpus(alice, job_id) == []


def test_job_without_gpus_has_no_meter(alice: Person) -> None:
    job_id = submit(alice, script("sleep 2"))
    ended(alice, job_id)
    steps = alice.site.run("sacct", "-nX", "-j", job_id, "--format=JobID").split()
    assert steps == [job_id]
    assert "portal-meter" not in alice.site.run("sacct", "-n", "-j", job_id, "--format=JobName")
