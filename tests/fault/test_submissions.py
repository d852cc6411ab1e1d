"""A batch job is submitted once and known, whoever is killed while it is being submitted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from uuid import uuid4

import httpx2

from tests.demo_site import DemoSite
from tests.person import Person

#: With the grace after which a submission that never reached Slurm is given up.
SETTLED_S = 300


def test_a_job_is_submitted_once_though_the_portal_is_killed_while_it_asks_slurm(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    body = {"script": "#!/bin/bash\n#SBATCH --job-name=once\n#SBATCH --time=5\nsleep 200\n"}
    key = {"Idempotency-Key": uuid4().hex}

    def submit() -> httpx2.Response | None:
        try:
            return alice.api("POST", "/jobs", json=body, headers=key)
        except httpx2.TransportError:
            return None

    def being_asked() -> bool:
        return bool(site.run("pgrep", "-f", "sbatch --propagate", check=False).split())

    site.pause("slurmctld")
    try:
        lost = threading.Thread(target=submit)
        lost.start()
        site.wait_for(being_asked, "the portal to ask Slurm")
        site.kill("portal")
    finally:
        site.start("slurmctld")
    site.start("portal")
    lost.join(timeout=60)

    def made() -> str | None:
        answer = submit()
        return answer.json()["id"] if answer is not None and answer.status_code == 202 else None

    job_id = site.wait_for(made, "the same request to be answered with its job", SETTLED_S, every_s=2)
    assert [job["id"] for job in site.jobs() if job["name"] == "once"] == [job_id]
    assert alice.api("GET", f"/jobs/{job_id}").json()["script"] == body["script"]
    assert alice.api("GET", "/jobs/submissions").json()["items"] == []
