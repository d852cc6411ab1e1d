"""Whether a session would start at once, as the picture of the cluster tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.cluster.starts import starts
from portal.policy.ask import Resources
from portal.slurm.types import GpuCount, Job, JobState, Node, NodeState, Picture, Reach

ASK = Resources(
    partition="sxm2",
    account=None,
    qos=None,
    reservation=None,
    nodes=1,
    gpus=2,
    gpu_type=None,
    cpus=16,
    memory_mib=98_304,
    walltime_s=3600,
)
NODE = Node(
    "node001",
    NodeState.MIXED,
    partitions=("sxm2", "debug"),
    cpus=40,
    memory_mib=384_000,
    gpus=(GpuCount("v100", 4, 2),),
)
PICTURE = Picture(state=Reach.UP, nodes=(NODE,))


def with_waiting(*reasons: str, partition: str = "sxm2") -> Picture:
    jobs = [
        Job(number, "train", "bob", "", partition, "", JobState.PENDING, reason=reason)
        for number, reason in enumerate(reasons, 1)
    ]
    return replace(PICTURE, jobs={job.id: job for job in jobs})


def test_a_session_starts_now_where_there_is_room() -> None:
    assert starts(ASK, PICTURE) == ("now", "starts now")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gpus": (GpuCount("v100", 4, 3),)}, "2 free GPUs on one node"),
        ({"gpus": (GpuCount("v100", 4, 0),), "cpus_allocated": 30}, "16 free cores"),
        ({"memory_allocated_mib": 300_000}, "96 GB free"),
        ({"partitions": ("debug",)}, "no node of “sxm2”"),
        ({"flags": frozenset({"DRAIN"})}, "no node of “sxm2”"),
    ],
)
def test_a_session_waits_for_what_is_missing(change: dict[str, object], words: str) -> None:
    when, text = starts(ASK, replace(PICTURE, nodes=(replace(NODE, **change),)))
    assert when == "later"
    assert words in text


def test_a_reserved_node_has_room_for_its_reservations_sessions_alone() -> None:
    reserved = replace(NODE, flags=frozenset({"RESERVED"}))
    picture = replace(PICTURE, nodes=(reserved,), reservations={"node001": "school"})
    assert starts(ASK, picture) == ("later", "waits: the nodes of “sxm2” are reserved now")
    inside = ASK.model_copy(update={"reservation": "school"})
    assert starts(inside, picture) == ("now", "starts now")
    other = ASK.model_copy(update={"reservation": "exam"})
    assert starts(other, picture) == ("later", "waits: no node of “sxm2” takes jobs of “exam” now")
    assert starts(inside, PICTURE)[0] == "later", "jobs of a reservation run on its nodes only"
    beside = replace(NODE, name="node002", gpus=(GpuCount("v100", 4, 3),))
    assert starts(ASK, replace(PICTURE, nodes=(reserved, beside))) == ("later", "waits for 2 free GPUs on one node")


def test_another_type_of_gpu_is_no_room() -> None:
    assert starts(ASK.model_copy(update={"gpu_type": "a100"}), PICTURE)[0] == "later"


def test_jobs_in_line_come_first() -> None:
    assert starts(ASK, with_waiting("Resources", "Priority", "")) == ("later", "may wait: 3 jobs in line before it")


@pytest.mark.parametrize("reason", ["JobHeldUser", "Dependency", "BeginTime", "QOSMaxGRESPerUser"])
def test_jobs_that_could_not_start_anyway_let_others_pass(reason: str) -> None:
    assert starts(ASK, with_waiting(reason))[0] == "now"


def test_the_line_of_another_partition_is_another_line() -> None:
    assert starts(ASK, with_waiting("Resources", partition="debug"))[0] == "now"


def test_nothing_is_known_while_slurm_does_not_answer() -> None:
    assert starts(ASK, replace(PICTURE, state=Reach.DOWN))[0] == "unknown"
