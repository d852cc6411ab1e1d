"""The live snapshot on a real Slurm: jobs that start, nodes that drain, a controller that is away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.demo_site import API, DemoSite
from tests.person import Person, frames

HOSTILE = "</script><img src=x onerror=alert(1)>"


def row(person: Person, name: str) -> dict[str, Any]:
    nodes = person.api("GET", "/cluster").json()["nodes"]
    return next(node for node in nodes if node["name"] == name)


def submit(site: DemoSite, user: str, *options: str) -> str:
    common = ("--parsable", "--mem=1G", "--chdir=/", "--output=/dev/null", "--wrap=exec sleep 900")
    return site.run("sbatch", *options, *common, user=user).strip()


@pytest.fixture
def drained(site: DemoSite) -> Any:
    name = site.nodes[-1]
    site.run("scontrol", "update", f"nodename={name}", "state=drain", "reason=fan 2 <b>is</b> loud")
    yield name
    site.run("scontrol", "update", f"nodename={name}", "state=resume")


def test_a_job_that_starts_is_told_as_a_difference_with_whose_it_is(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice, bob = person("alice"), person("bob")
    with alice.web.stream("GET", f"{API}/cluster/events", timeout=60) as stream:
        frame = (frame for frame in frames(stream) if frame[0] != "live")
        kind, snapshot = next(frame)
        assert (kind, len(snapshot["nodes"])) == ("picture", len(site.nodes))
        node = site.nodes[0]
        job = submit(site, "alice", "--gres=gpu:2", f"--nodelist={node}", f"--job-name={HOSTILE}")
        version, changed, mine = snapshot["version"], None, None
        for kind, data in frame:
            if kind == "change":
                assert data["since"] == version
                version = data["version"]
                changed = next((value for value in data["nodes"] if value["name"] == node), changed)
            if kind == "mine":
                mine = data["nodes"].get(node, mine)
            if changed is not None and mine is not None and changed["gpus"].count(".") == 2:
                break
    assert len(mine) == 2

    def listed() -> list[tuple[str, bool]]:
        # The first page of all jobs may be too short.
        items = alice.api("GET", "/cluster/jobs", params={"query": job}).json()["items"]
        return [(value["name"], value["mine"]) for value in items if value["id"] == int(job)]

    assert site.wait_for(listed, "the job to be listed") == [(HOSTILE, True)]

    def placed() -> Any:
        seen = bob.api("GET", f"/cluster/jobs/{job}").json()
        return seen["places"] and seen

    seen = site.wait_for(placed, "the job's nodes to be listed")
    assert (seen["user"], seen["mine"], seen["places"][0]["node"]) == ("alice", False, node)


def test_which_gpu_is_whose_is_what_slurm_says(site: DemoSite, person: Callable[[str], Person]) -> None:
    node = site.nodes[1]
    jobs = [submit(site, user, "--gres=gpu:1", f"--nodelist={node}") for user in ("alice", "bob", "carol")]
    alice = person("alice")

    def sure() -> dict[int, list[int]] | None:
        detail = alice.api("GET", f"/cluster/nodes/{node}").json()
        if len(detail["jobs"]) < 3 or not all(job["sure"] for job in detail["jobs"]):
            return None
        return {job["job"]["id"]: job["gpus"] for job in detail["jobs"]}

    held = site.wait_for(sure, "every GPU's holder to be known", timeout_s=90)
    for job in jobs:
        result = site.run("scontrol", "--detail", "--oneliner", "show", "job", job)
        assert f"(IDX:{held[int(job)][0]})" in result


def test_drained_node_is_shown_with_its_reason(site: DemoSite, person: Callable[[str], Person], drained: str) -> None:
    alice = person("alice")
    site.wait_for(lambda: row(alice, drained)["state"] == "drained", "the node to be shown as drained", timeout_s=60)
    assert row(alice, drained)["reason"] == "fan 2 <b>is</b> loud"


def test_while_slurmctld_is_down_the_snapshot_stays_and_says_since_when(
    site: DemoSite, person: Callable[[str], Person]
) -> None:
    alice = person("alice")
    before = alice.api("GET", "/cluster").json()
    site.kill("slurmctld")
    slurm = site.wait_for(
        lambda: (slurm := alice.api("GET", "/site").json()["slurm"])["state"] == "down" and slurm,
        "the portal to notice",
        timeout_s=60,
    )
    assert slurm["since"] >= slurm["as_of"]
    during = alice.api("GET", "/cluster").json()
    assert [node["name"] for node in during["nodes"]] == [node["name"] for node in before["nodes"]]
    site.start("slurmctld")
    site.wait_for(lambda: alice.api("GET", "/site").json()["slurm"]["state"] == "up", "Slurm to be back", timeout_s=60)
