"""How jobs end: the explanation, the correction filled in, and what holds while Slurm is down."""

from __future__ import annotations

import pytest

from tests.integration.jobs.batch import ended, job, output, script, submit
from tests.person import Person


def test_out_of_memory_is_told_and_the_correction_is_filled_in(alice: Person) -> None:
    job_id = submit(alice, script("python3 -c 'x = bytearray(300 << 20); print(len(x))'", "--job-name=hungry"))
    done = ended(alice, job_id)
    assert done["end"]["code"] == "oom"
    assert done["end"]["text"].startswith("It ran out of memory: it used all of its 50 MB")
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
