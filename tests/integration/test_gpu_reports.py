"""What GPUs report, on the real site: MIG instances, and errors in words. NVML is a stand-in that plays recordings.

It cannot show that a driver isolates instances, or how one reports an error: that was tried on an H100.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.demo_site import INSIDE, DemoSite
from tests.integration.jobs.batch import script, submit
from tests.person import Live, Person
from tests.standins.nvml import fail, reporting_gpus

ETC = f"{INSIDE}/slurm/etc"
SLICE = "h100_1g.10gb"
#: Reports come every 30 s.
REPORTED_S = 90


def gpus(live: Live) -> list[dict[str, Any]]:
    return list((live.now()["usage"] or {}).get("gpus", ()))


def measured(live: Live) -> list[dict[str, Any]]:
    """Wait for a report whose figures are of a whole interval."""

    def figures() -> list[dict[str, Any]]:
        found = gpus(live)
        return found if found and all(gpu.get("sm_percent") is not None for gpu in found) else []

    return live.site.wait_for(figures, "figures of the GPUs", REPORTED_S)


def problems_of_node(admin: Person, node: str) -> list[tuple[str, str]]:
    answer = admin.api("GET", f"/admin/nodes/{node}")
    answer.raise_for_status()
    return [(finding["level"], finding["text"]) for finding in answer.json()["findings"] if "Xid" in finding["text"]]


@pytest.fixture
def sliced(site: DemoSite) -> Iterator[str]:
    """A node whose first GPU is divided into MIG instances, as far as Slurm sees it; yields its name."""
    node = site.nodes[0]
    files = {name: site.run("cat", f"{ETC}/{name}") for name in ("slurm.conf", "gres.conf")}
    device = f"{INSIDE}/slurm/dev/nvidia"
    mine = f"NodeName={node} Name=gpu Type=v100 File={device}[0-3]"
    slices = f"NodeName={node} Name=gpu Type={SLICE} File={device}[0-3]"
    assert mine in files["gres.conf"]
    lines = [
        line.replace("gpu:v100:4", f"gpu:{SLICE}:4") if line.startswith(f"NodeName={node} ") else line
        for line in files["slurm.conf"].splitlines()
    ]
    _divide(site, node, {"slurm.conf": "\n".join(lines) + "\n", "gres.conf": files["gres.conf"].replace(mine, slices)})
    yield node
    _divide(site, node, files)


def _divide(site: DemoSite, node: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        site.run("tee", f"{ETC}/{name}", stdin=text)
    for service in ("slurmctld", node, "portal"):
        site.restart(service)
    site.run("scontrol", "update", f"nodename={node}", "state=resume", check=False)


def test_session_on_a_mig_instance_is_found_by_memory_and_shows_the_instances_use(
    site: DemoSite, person: Callable[[str], Person], sliced: str
) -> None:
    alice = person("alice")

    def offered() -> dict[str, Any] | None:
        pools = [pool for each in alice.api("GET", "/options").json()["partitions"] for pool in each["gpus"]]
        return next((pool for pool in pools if pool["type"] == SLICE), None)

    pool = site.wait_for(offered, "the form to offer the instances", 60)
    assert pool is not None
    assert pool["memory_gb"] == 10
    with reporting_gpus(site, "full", mig=tuple(f"MIG-{number}" for number in range(4))):
        live = alice.ready(gpus=1, gpu_type=SLICE)
        assert live.now()["node"] == sliced
        (gpu,) = measured(live)
        assert gpu["uuid"].startswith("MIG-")
        assert gpu["name"].endswith("MIG 1g.10gb")
        assert gpu["utilization"] > 90
        assert gpu["memory_total_mib"] == 9984
        assert 500 < gpu["memory_used_mib"] < 1000
        assert gpu["power_w"] is None, "a MIG instance has no power of its own"
        number = int(gpu["uuid"].removeprefix("MIG-"))
        fail(site, 13, gpu="parent", instance=number + 1)  # its neighbour's
        fail(site, 94, gpu="parent", instance=number)
        assert site.wait_for(lambda: gpus(live)[0]["xids"], "the instance's error", REPORTED_S) == [94]


def test_an_error_is_told_in_words_to_owner_and_administrator(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice, admin = person("alice"), person("admin")
    with reporting_gpus(site, "duty"):
        live = alice.ready(gpus=1)
        measured(live)
        job_id = submit(alice, script("sleep 300", "--gres=gpu:1", "--time=10"))
        site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}/gpus").json()["items"], "the job's meter", REPORTED_S)
        fail(site, 79)
        said = site.wait_for(lambda: live.now()["usage"]["gpu_problems"], "the owner to be told", REPORTED_S)
        assert said[0].startswith("GPU 0: Xid 79, the GPU has fallen off the bus. The hardware is at fault: save your")
        assert [text for event in live.events() if "Xid 79" in (text := event["message"])] == [said[0]]

        def of_job() -> list[str]:
            return list(alice.api("GET", f"/jobs/{job_id}/gpus").json()["items"][0]["problems"])

        assert site.wait_for(of_job, "the job's page to tell it", REPORTED_S + 60)[0] == said[0]

        session = live.now()
        found = site.wait_for(
            lambda: [
                text
                for text in problems_of_node(admin, session["node"])
                if f"job {session['job_id']} of alice" in text[1]
            ],
            "the administrator to be told",
            REPORTED_S + 60,
        )
        assert found[0][0] == "bad"
        assert "The hardware is at fault: drain the node" in found[0][1]
        assert f'portal_gpu_xid_errors_total{{node="{session["node"]}",xid="79"}}' in site.metrics()


def programs(site: DemoSite) -> Counter[str]:
    """Return how often the portal has started each program of Slurm."""
    found = re.findall(r"^portal_slurm_command_seconds_count(\S*) (\S+)$", site.metrics(), re.M)
    return Counter({labels: int(float(count)) for labels, count in found})


@pytest.mark.slow  # counts for two minutes
def test_measuring_gpus_starts_no_programs_of_slurm(site: DemoSite, person: Callable[[str], Person]) -> None:
    alice = person("alice")

    def in_a_minute() -> Counter[str]:
        before = programs(site)
        time.sleep(60)
        return programs(site) - before

    def begin() -> tuple[list[Live], str]:
        lives = [alice.ready(gpus=1) for _ in range(2)]
        job_id = submit(alice, script("sleep 300", "--gres=gpu:1", "--time=10"))
        site.wait_for(lambda: alice.api("GET", f"/jobs/{job_id}").json()["started_at"], "the job to start", 60)
        return lives, job_id

    begin()
    without = in_a_minute()
    site.tidy()
    with reporting_gpus(site, "full"):
        lives, job_id = begin()
        for live in lives:
            measured(live)
        with_reports = in_a_minute()
        assert alice.api("GET", f"/jobs/{job_id}/gpus").json()["items"]
    counts = without.total(), with_reports.total()
    print("Slurm programs in a minute: {} without reports of GPUs, {} with them".format(*counts))
    # Five reports and more come in a minute; without any, counts differ by some, such as sacct and early readings.
    assert counts[1] < counts[0] + 5, with_reports - without
