"""Whether a session would start at once, as the snapshot of the cluster tells."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from portal.placement import starts as guess
from portal.placement.reserved import open_to, refusal
from portal.policy.request import Resources
from portal.policy.view import UserView
from portal.shared_gres import SharedGres
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import GpuCount, GpuParts, License, Node, NodeState, Partition, Reservation
from portal.slurm.snapshot import Reach, Snapshot

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
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
SNAPSHOT = Snapshot(state=Reach.UP, nodes=(NODE,), reservations_as_of=NOW)
ALICE = UserView("alice", groups=frozenset({"vision"}), accounts=("physics", "vision"), default_account="physics")
SCHOOL = Reservation(
    "school",
    "ACTIVE",
    starts_at=NOW - timedelta(hours=1),
    ends_at=NOW + timedelta(hours=2),
    nodes="node001",
    node_count=1,
    cpus=40,
    users=("bob",),
)
INSIDE = ASK.model_copy(update={"reservation": "school"})


def starts(ask: Resources, snapshot: Snapshot) -> tuple[str, str]:
    return guess.starts(ask, snapshot, ALICE, NOW)


def reserved(**change: object) -> Snapshot:
    return replace(SNAPSHOT, reservations=(replace(SCHOOL, **change),))


def with_waiting(*reasons: str, partition: str = "sxm2") -> Snapshot:
    jobs = [
        Job(number, "train", "bob", "", partition, "", JobState.PENDING, reason=reason)
        for number, reason in enumerate(reasons, 1)
    ]
    return replace(SNAPSHOT, jobs={job.id: job for job in jobs})


def test_a_session_starts_now_where_there_is_room() -> None:
    assert starts(ASK, SNAPSHOT) == ("now", "starts now")


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
    when, text = starts(ASK, replace(SNAPSHOT, nodes=(replace(NODE, **change),)))
    assert when == "later"
    assert words in text


def test_a_reserved_node_has_room_for_its_reservations_sessions_alone() -> None:
    snapshot = reserved(users=("alice",))
    assert starts(ASK, snapshot) == ("later", "would wait: the nodes of “sxm2” are reserved now"), (
        "not even for its own user"
    )
    assert starts(INSIDE, snapshot) == ("now", "starts now")
    beside = replace(NODE, name="node002", gpus=(GpuCount("v100", 4, 3),))
    assert starts(ASK, replace(snapshot, nodes=(NODE, beside))) == ("later", "would wait for 2 free GPUs on one node")
    elsewhere = replace(snapshot, nodes=(replace(NODE, name="node002"),))
    assert starts(INSIDE, elsewhere)[0] == "later", "jobs of a reservation run on its nodes only"
    made_since = replace(SNAPSHOT, nodes=(replace(NODE, flags=frozenset({"RESERVED"})),))
    assert starts(ASK, made_since)[0] == "later", "the node says so before the reservations are read again"


@pytest.mark.parametrize(
    ("let_in", "account", "fits"),
    [
        ({"users": ("bob",)}, None, False),
        ({"users": ("bob", "alice")}, None, True),
        ({"users": ("-alice",)}, None, False),
        ({"users": ("-bob",)}, None, True),
        ({"users": (), "groups": ("vision",)}, None, True),
        ({"users": (), "groups": ("-vision",)}, None, False),
        ({"users": (), "accounts": ("physics",)}, None, True),
        ({"users": (), "accounts": ("-physics",)}, None, False),
        ({"users": (), "accounts": ("-physics",)}, "vision", True),
        ({"users": (), "accounts": ("school",)}, None, None),
        ({"users": ("bob",), "accounts": ("physics",)}, None, False),
        ({"users": ("alice",), "accounts": ("physics",)}, None, True),
    ],
)
def test_a_reservation_lets_in_whom_it_names(let_in: dict[str, object], account: str | None, fits: bool | None) -> None:
    snapshot, ask = reserved(**let_in), INSIDE.model_copy(update={"account": account})
    refused = refusal(ask, snapshot, ALICE)
    assert starts(ask, snapshot)[0] == ("now" if fits else "unknown")
    assert (refused is not None) == (fits is False)
    if fits is None:
        assert starts(ask, snapshot)[1] == "Slurm decides: “school” is for the account “school” and its subaccounts"


@pytest.mark.parametrize(
    ("change", "offered"),
    [
        ({"users": ("alice",)}, True),
        ({"users": ("bob",)}, False),
        ({"users": (), "accounts": ("vision",)}, True),
        ({"users": (), "accounts": ("biology",)}, False),
        ({"users": ("alice",), "starts_at": NOW + timedelta(hours=1)}, True),
        ({"users": ("alice",), "ends_at": NOW - timedelta(hours=1)}, False),
    ],
)
def test_the_form_offers_the_reservations_that_a_user_may_use(change: dict[str, object], offered: bool) -> None:
    assert [item.name for item in open_to(reserved(**change), ALICE, NOW)] == ["school"] * offered


def test_a_reservation_that_is_not_there_is_refused() -> None:
    assert "no reservation “school”" in (refusal(INSIDE, SNAPSHOT, ALICE) or "")
    assert starts(INSIDE, SNAPSHOT) == ("unknown", "Slurm would refuse it")
    assert "is not for you" in (refusal(INSIDE, reserved(), ALICE) or "")
    unread = replace(SNAPSHOT, reservations_as_of=None)
    assert refusal(INSIDE, unread, ALICE) is None
    assert starts(ASK, unread) == ("unknown", "it is unknown which nodes are reserved")


def test_a_reservation_to_come_keeps_out_what_would_run_into_it() -> None:
    coming = {"starts_at": NOW + timedelta(minutes=30), "state": "INACTIVE"}
    assert starts(ASK, reserved(**coming)) == (
        "later",
        "would wait: nodes are reserved in 30 min, before it ends; a shorter session may start now",
    )
    assert starts(ASK.model_copy(update={"walltime_s": 1740}), reserved(**coming))[0] == "now"
    mine = reserved(users=("alice",), **coming)
    assert starts(INSIDE, mine) == ("later", "would wait: the reservation “school” starts in 30 min")
    flexible = reserved(users=("alice",), flags=("FLEX",), **coming)
    assert starts(INSIDE, flexible)[0] == "now", "its jobs may begin before it"
    assert starts(ASK, reserved(ends_at=NOW))[0] == "now", "one that is over keeps out nobody"


def test_flags_of_reservations_count_as_slurm_counts_them() -> None:
    assert starts(ASK, reserved(users=("alice",), flags=("MAGNETIC",)))[0] == "now", "it draws in whom it is for"
    assert starts(ASK, reserved(flags=("MAGNETIC",)))[0] == "later"
    half_in = replace(reserved(users=("alice",), flags=("MAGNETIC",)), nodes=(NODE, replace(NODE, name="node002")))
    assert starts(ASK.model_copy(update={"nodes": 2}), half_in)[0] == "later", "all of it in there, or none"
    assert starts(ASK, reserved(cpus=4))[0] == "unknown", "the other cores are anybody's; which, is not told"
    maintained = replace(NODE, flags=frozenset({"MAINTENANCE", "RESERVED"}))
    theirs = replace(reserved(users=("alice",), flags=("MAINT",)), nodes=(maintained,))
    assert starts(INSIDE, theirs)[0] == "now"
    assert starts(ASK, theirs)[0] == "later"
    upkeep = replace(SCHOOL, name="upkeep", flags=("MAINT",))
    both = replace(SNAPSHOT, reservations=(replace(SCHOOL, users=("alice",)), upkeep))
    assert starts(INSIDE, both)[0] == "later", "one for maintenance stands above the others"


def test_another_type_of_gpu_is_no_room() -> None:
    assert starts(ASK.model_copy(update={"gpu_type": "a100"}), SNAPSHOT)[0] == "later"


def test_jobs_in_line_come_first() -> None:
    assert starts(ASK, with_waiting("Resources", "Priority", "")) == (
        "later",
        "may wait: 3 jobs ahead in the queue",
    )


@pytest.mark.parametrize("reason", ["JobHeldUser", "Dependency", "BeginTime", "QOSMaxGRESPerUser"])
def test_jobs_that_could_not_start_anyway_let_others_pass(reason: str) -> None:
    assert starts(ASK, with_waiting(reason))[0] == "now"


def test_the_line_of_another_partition_counts_if_it_waits_for_the_same_nodes() -> None:
    apart = replace(with_waiting("Resources", partition="debug"), nodes=(replace(NODE, partitions=("sxm2",)),))
    assert starts(ASK, apart)[0] == "now"
    assert starts(ASK, with_waiting("Resources", partition="debug"))[0] == "later"
    assert starts(ASK, with_waiting("Resources", partition="gone,sxm2"))[0] == "later", "it takes either"
    preferred = (Partition("sxm2", priority_tier=2), Partition("debug"))
    assert starts(ASK, replace(with_waiting("Resources", partition="debug"), partitions=preferred))[0] == "now"


def test_nothing_is_known_while_slurm_does_not_answer() -> None:
    assert starts(ASK, replace(SNAPSHOT, state=Reach.DOWN))[0] == "unknown"


def shared(gres: SharedGres, per_gpu: int, used: int | None) -> tuple[GpuCount, ...]:
    return (GpuCount("v100", 4, 4, (0, 1, 2, 3), shared=(0,), parts=(GpuParts(gres, per_gpu, used, (0,)),)),)


SHARED = shared("shard", 2, 1)
FEATURED = replace(NODE, features=("v100", "nvme"), other_features=("flat",))


def node(**change: object) -> Snapshot:
    return replace(SNAPSHOT, nodes=(replace(FEATURED, **change),), version="22.05.8")


@pytest.mark.parametrize(
    ("change", "snapshot", "when"),
    [
        ({"constraint": "v100&nvme"}, node(), "now"),
        ({"constraint": "a100"}, node(), "later"),
        ({"constraint": "flat"}, node(), "unknown"),  # Slurm would have to reboot the node
        ({"gpus": 0, "shards": 1}, node(gpus=SHARED), "now"),
        ({"gpus": 0, "shards": 2}, node(gpus=SHARED), "later"),
        ({"gpus": 0, "shards": 1}, node(gpus=shared("shard", 2, 2)), "later"),
        ({"gpus": 0, "shards": 1}, node(gpus=shared("shard", 2, None)), "unknown"),
        ({"gpus": 0, "mps_percent": 40}, node(gpus=shared("mps", 100, 60)), "now"),
        ({"gpus": 0, "mps_percent": 50}, node(gpus=shared("mps", 100, 60)), "later"),
        ({"gpus": 0, "mps_percent": 1}, node(gpus=SHARED), "later"),  # shards are no room for MPS
        ({"gpus": 1}, node(gpus=SHARED), "later"),  # a GPU that is shared is not free as a whole
        ({"exclusive": True, "gpus": 2}, node(), "later"),
        ({"exclusive": True, "gpus": 2}, node(gpus=(GpuCount("v100", 4, 0),)), "now"),
        ({"exclusive": True, "gpus": 2}, node(gpus=(GpuCount("v100", 4, 0),), cpus_allocated=1), "later"),
        ({"licenses": "matlab:1"}, replace(node(), licenses=(License("matlab", 2, 1),)), "now"),
        ({"licenses": "matlab:2"}, replace(node(), licenses=(License("matlab", 2, 1),)), "later"),
        ({"licenses": "matlab:1"}, replace(node(), licenses=(License("matlab", 2, 1, 1),)), "later"),
        ({"licenses": "matlab:1"}, replace(node(), version=None), "unknown"),
    ],
)
def test_what_a_site_has_besides_sizes_counts(change: dict[str, object], snapshot: Snapshot, when: str) -> None:
    assert starts(ASK.model_copy(update=change), snapshot)[0] == when


def test_node_with_jobs_of_others_has_no_room_where_a_partition_keeps_users_apart() -> None:
    theirs = Job(1, "train", "bob", "", "sxm2", "", JobState.RUNNING, nodes="node001")
    apart = replace(SNAPSHOT, partitions=(Partition("sxm2", exclusive_user=True),))
    assert starts(ASK, replace(apart, jobs={1: theirs}))[0] == "later"
    assert starts(ASK, replace(apart, jobs={1: replace(theirs, user="alice")}))[0] == "now"


def test_cores_that_a_partition_shares_are_slurms_to_judge() -> None:
    full = replace(NODE, cpus_allocated=40)
    shares = replace(SNAPSHOT, nodes=(full,), partitions=(Partition("sxm2", oversubscribe="FORCE:4"),))
    assert starts(ASK, shares)[0] == "unknown"
    assert starts(ASK, replace(shares, partitions=(Partition("sxm2"),)))[0] == "later"
