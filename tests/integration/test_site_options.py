"""What Slurm can be asked for besides sizes: parts of GPUs, features, licences, WCKeys, whole nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.demo_site import DemoSite
from tests.integration.test_demo_site import OPENS_GPUS
from tests.person import Person


def start(person: Person, **resources: Any) -> dict[str, Any]:
    small = {"walltime_s": 600, "memory_mib": 1024, "cpus": 1}
    return person.api("POST", "/sessions", json={"app": "jupyterlab", "resources": small | resources}).json()


def state_of(person: Person, session: dict[str, Any]) -> dict[str, Any]:
    return person.api("GET", f"/sessions/{session['id']}").json()


def job_of(site: DemoSite, session: dict[str, Any]) -> str:
    return site.run("scontrol", "--detail", "--oneliner", "show", "job", str(session["job_id"]))


def runs(site: DemoSite, person: Person, session: dict[str, Any]) -> dict[str, Any]:
    def running() -> dict[str, Any] | None:
        found = state_of(person, session)
        return found if found["started_at"] is not None else None

    return site.wait_for(running, "the session to run", timeout_s=60)


@pytest.fixture
def alice(person: Callable[[str], Person], site: DemoSite) -> Any:
    alice = person("alice")
    yield alice
    for session in alice.api("GET", "/sessions").json()["items"]:
        alice.api("DELETE", f"/sessions/{session['id']}")


def test_form_offers_what_the_site_has(alice: Person) -> None:
    options = alice.api("GET", "/options").json()
    assert [each["name"] for each in options["licenses"]] == ["matlab"]
    assert options["wckeys"] == [], "the portal's account is no operator, and slurmdbd lists them to those alone"
    sxm2 = next(each for each in options["partitions"] if each["name"] == "sxm2")
    assert sxm2["features"] == [{"name": "nvme", "nodes": 2}]
    assert sxm2["gpus"][0]["shards_per_gpu"] == 2
    assert sxm2["gpus"][0]["mps_per_gpu"] == 100


@pytest.mark.parametrize(
    ("asked", "tracked", "node"),
    [({"shards": 1}, "gres/shard=1", -1), ({"mps_percent": 50}, "gres/mps=50", -2)],
    ids=["shards", "mps"],
)
def test_two_sessions_with_half_a_gpu_each_share_one(
    site: DemoSite, alice: Person, asked: dict[str, int], tracked: str, node: int
) -> None:
    first, second = (runs(site, alice, start(alice, **asked)) for _ in range(2))
    assert first["node"] == second["node"] == site.nodes[node]
    assert first["resources"] | asked == first["resources"]
    assert (first["resources"]["gpus"], first["resources"]["cpus"]) == (0, 1)
    for session in (first, second):
        assert tracked in job_of(site, session)

    def gpus() -> str:
        return alice.api("GET", f"/cluster/nodes/{site.nodes[node]}").json()["gpus"]

    site.wait_for(lambda: gpus().count("%") == 1, "one GPU to be drawn as shared by both", timeout_s=60)

    def third() -> str:
        return alice.api("POST", "/sessions/check", json={"app": "jupyterlab", "resources": asked}).json()["starts"]

    site.wait_for(lambda: third() == "now", "room for a third on the node's other GPUs", timeout_s=60)


@pytest.mark.parametrize(
    ("asked", "sees"),
    [
        ({"shards": 1}, {"CUDA_VISIBLE_DEVICES": "0"}),
        ({"mps_percent": 50}, {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE": "50"}),
    ],
    ids=["shards", "mps"],
)
def test_session_with_half_a_gpu_sees_its_part_and_can_open_one_gpu(
    person: Callable[[str], Person], asked: dict[str, int], sees: dict[str, str]
) -> None:
    kernel = person("alice").ready(memory_mib=1024, **asked).kernel()
    environment = kernel.value("dict(__import__('os').environ)")
    assert sees.items() <= environment.items()
    if "proctrack/cgroup" in (person("alice").site.folder / "slurm" / "etc" / "slurm.conf").read_text():
        assert sorted(kernel.run(OPENS_GPUS).split()) == ["ENXIO", "EPERM", "EPERM", "EPERM"]


def test_licence_that_is_used_up_is_waited_for_and_said(site: DemoSite, alice: Person) -> None:
    runs(site, alice, start(alice, gpus=0, licenses="matlab:2"))
    second = start(alice, gpus=0, licenses="matlab")

    def reason() -> str | None:
        return state_of(alice, second)["reason"]

    assert site.wait_for(lambda: reason() == "Waiting for a free licence.", "the reason", timeout_s=60)


def test_features_choose_the_node_and_a_wckey_arrives_in_accounting(site: DemoSite, alice: Person) -> None:
    session = runs(site, alice, start(alice, gpus=1, constraint="v100&nvme", wckey="thesis"))
    assert session["node"] in site.nodes[:2]

    def wckey() -> str:
        return site.run("sacct", "--noheader", "--parsable2", "-X", f"--jobs={session['job_id']}", "--format=WCKey")

    assert site.wait_for(lambda: wckey().strip() == "thesis", "accounting to know the WCKey")


def test_features_that_no_node_has_are_refused_beforehand(alice: Person) -> None:
    body = {"app": "jupyterlab", "resources": {"constraint": "nvme&a100"}}
    check = alice.api("POST", "/sessions/check", json=body).json()
    assert [problem["message"] for problem in check["problems"]] == [
        "No node of “sxm2” has the feature “a100”. There are: nvme, sxm2, v100."
    ]


def test_whole_node_has_all_gpus_and_nobody_else(site: DemoSite, alice: Person) -> None:
    body = {"app": "jupyterlab", "resources": {"exclusive": True, "walltime_s": 600, "memory_mib": 1024}}
    session = runs(site, alice, alice.api("POST", "/sessions", json=body).json())
    assert session["resources"]["gpus"] == 4
    assert "OverSubscribe=NO" in job_of(site, session)


@pytest.fixture
def whole(site: DemoSite) -> Iterator[str]:
    """A partition of one node that Slurm gives to one job at a time."""
    name = "whole"
    wanted = (f"PartitionName={name}", f"Nodes={site.nodes[0]}", "OverSubscribe=EXCLUSIVE", "MaxTime=60", "State=UP")
    site.run("scontrol", "create", *wanted)
    site.restart("portal")
    yield name
    site.tidy()
    site.run("scontrol", "delete", f"PartitionName={name}")
    site.restart("portal")


def test_session_in_a_partition_of_whole_nodes_gets_all_gpus_and_the_next_one_waits(
    site: DemoSite, alice: Person, person: Callable[[str], Person], whole: str
) -> None:
    def offered() -> list[dict[str, Any]]:
        partitions = alice.api("GET", "/options").json()["partitions"]
        return [each for each in partitions if each["name"] == whole]

    (partition,) = site.wait_for(offered, "the partition to be read", timeout_s=60)
    assert partition["whole_nodes"] is True
    body = {"app": "jupyterlab", "resources": {"partition": whole, "gpus": 1}}
    (problem,) = alice.api("POST", "/sessions/check", json=body).json()["problems"]
    assert problem["message"] == (f"A whole node of “{whole}” has all its GPUs: ask for 4, or leave the number out.")

    first = runs(site, alice, start(alice, partition=whole))
    assert (first["node"], first["resources"]["gpus"], first["resources"]["exclusive"]) == (site.nodes[0], 4, True)
    assert "gres/gpu=4" in job_of(site, first)

    bob = person("bob")
    second = start(bob, partition=whole)
    waits = site.wait_for(lambda: state_of(bob, second)["queue"], "the second session to wait", timeout_s=60)
    assert (waits["position"], waits["of"]) == (1, 1)
    alice.api("DELETE", f"/sessions/{first['id']}")
    assert runs(site, bob, second)["node"] == site.nodes[0]


def test_job_in_a_partition_of_whole_nodes_counts_all_their_gpus(site: DemoSite, alice: Person, whole: str) -> None:
    script = f"#!/bin/sh\n#SBATCH --partition={whole} --gres=gpu:1 --time=10 --output=/dev/null\nsleep 60\n"
    job = alice.api("POST", "/jobs", json={"script": script, "workdir": "/"}).json()
    assert job["gpus"] == 4
