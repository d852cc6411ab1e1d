"""Hostile input is refused with a message, or harmless."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.demo_site import INSIDE
from tests.integration.jobs.batch import act, job, script, submit
from tests.person import Person


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
    result = alice.site.run("sbatch", "--parsable", f"--chdir={INSIDE}/home/alice", "--time=5", "--mem=50M",
                          f"--job-name={name}", "--output=%x.out", "--wrap=true", user="alice")  # fmt: skip
    alice.site.wait_for(lambda: alice.api("GET", f"/jobs/{result.strip()}").status_code == 200, "the job to be seen")
    assert job(alice, result.strip())["name"] == name
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
        assert "You have no job" in act(bob, "cancel", job_id)[0]["message"]
        assert job(alice, job_id)["state"] == "PENDING"
        act(alice, "cancel", job_id)
