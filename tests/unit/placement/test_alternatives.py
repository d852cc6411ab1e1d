"""What would start now instead of a request that waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.placement.alternatives import MOST, MOST_TRIES, alternatives
from portal.placement.starts import starts
from portal.placement.view import cluster_view
from portal.policy.request import ResourceRequest
from portal.policy.resolve import consider
from portal.policy.view import LimitRule, UserView
from portal.settings import Policy
from portal.slurm.jobs import Job, JobState
from portal.slurm.nodes import GpuCount, GpuParts, Node, NodeState, Partition, Reservation
from portal.slurm.snapshot import Association, Reach, Snapshot

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ALICE = UserView("alice", accounts=("physics",), default_account="physics")
SXM2, DEBUG = Partition("sxm2", default=True), Partition("debug", max_walltime_s=1800, priority_tier=10)


def node(name: str, *partitions: str, gpu: str = "v100", used: int = 0) -> Node:
    return Node(
        name,
        NodeState.MIXED,
        partitions=partitions,
        cpus=40,
        memory_mib=384_000,
        gpus=(GpuCount(gpu, 4, used),),
    )


def site(*nodes: Node, **parts: Any) -> Snapshot:
    known = {"partitions": (SXM2, DEBUG), "state": Reach.UP, "reservations_as_of": NOW} | parts
    return Snapshot(nodes=nodes, **known)


def offered(snapshot: Snapshot, user: UserView = ALICE, policy: Policy | None = None, **ask: Any) -> list[str]:
    """Return the texts, after a look that each is allowed and would start now."""
    wanted, policy, cluster = ResourceRequest(**ask), policy or Policy(), cluster_view(snapshot)
    asked, _ = consider(wanted, user, cluster, policy)
    assert asked is not None
    results = alternatives(
        wanted,
        asked,
        complete=lambda request: request,
        user=user,
        cluster=cluster,
        policy=policy,
        snapshot=snapshot,
        now=NOW,
    )
    assert len(results) <= MOST
    for alternative in results:
        given = ResourceRequest(
            partition=alternative.resources.partition,
            gpus=alternative.resources.gpus,
            gpu_type=alternative.resources.gpu_type,
            shards=alternative.resources.shards or None,
            mps_percent=alternative.resources.mps_percent or None,
            walltime_s=alternative.resources.walltime_s,
        )
        assert consider(given, user, cluster, policy) == (alternative.resources, [])
        assert starts(alternative.resources, snapshot, user, NOW)[0] == "now"
    return [alternative.text for alternative in results]


def test_fewer_gpus_are_offered_as_many_as_are_free_on_one_node() -> None:
    assert offered(site(node("a", "sxm2", used=2), node("b", "sxm2", used=3)), gpus=4) == ["2 × V100 instead of 4"]
    assert offered(site(node("a", "sxm2", used=4)), gpus=4) == [], "none is free"


def test_a_shorter_session_is_offered_before_a_reservation() -> None:
    coming = Reservation("school", "INACTIVE", NOW + timedelta(hours=5), NOW + timedelta(hours=9), nodes="a")
    snapshot = site(node("a", "sxm2"), reservations=(coming,))
    assert offered(snapshot, gpus=1) == ["4 h instead of 8 h"]


def test_another_type_and_another_partition_are_offered() -> None:
    nodes = node("a", "sxm2", used=4), node("b", "sxm2", gpu="a100"), node("c", "debug")
    assert offered(site(*nodes), gpus=1, gpu_type="v100") == ["1 × A100", "debug, 30 min"]


def test_two_changes_are_offered_only_where_one_is_not_enough() -> None:
    assert offered(site(node("a", "sxm2", used=4), node("c", "debug", used=2)), gpus=4) == ["debug, 2 × V100, 30 min"]


def test_only_what_the_user_may_have_is_offered() -> None:
    nodes = node("a", "sxm2", used=4), node("b", "sxm2", gpu="a100"), node("c", "debug")
    limited = replace(ALICE, rules=(LimitRule("user", "alice", partitions=frozenset({"sxm2"})),))
    assert offered(site(*nodes), limited, gpus=1, gpu_type="v100") == ["1 × A100"]
    neither = replace(
        ALICE,
        rules=(LimitRule("user", "alice", partitions=frozenset({"sxm2"}), gpu_types=frozenset({"v100"})),),
    )
    assert offered(site(*nodes), neither, gpus=1, gpu_type="v100") == []
    full = replace(ALICE, gpus_in_use=7)
    assert offered(site(node("a", "sxm2")), full, gpus=4) == ["1 × V100 instead of 4"], "the limit is 8"


@pytest.mark.parametrize(
    ("partition", "taken"),
    [
        ({}, True),
        ({"deny_accounts": frozenset({"physics"})}, False),
        ({"allow_accounts": frozenset({"vision"})}, False),
        ({"allow_qos": frozenset({"high"})}, False),
        ({"allow_qos": frozenset({"normal"})}, True),
        ({"deny_qos": frozenset({"normal"})}, False),
        ({"state": "DRAIN"}, False),
        ({"hidden": True}, False),
    ],
)
def test_a_partition_that_slurm_would_refuse_is_not_offered(partition: dict[str, Any], taken: bool) -> None:
    mine = Association("alice", "physics", qos=("normal",), default_qos="normal", is_default=True)
    snapshot = site(
        node("a", "sxm2", used=4),
        node("c", "debug"),
        partitions=(SXM2, replace(DEBUG, **partition)),
        associations=(mine,),
    )
    assert bool(offered(snapshot, gpus=1)) is taken
    elsewhere = replace(snapshot, associations=(replace(mine, partition="sxm2"),))
    assert offered(elsewhere, gpus=1) == [], "the account is for another partition"


def test_nothing_is_offered_behind_others_in_the_queue() -> None:
    waiting = Job(1, "train", "bob", "", "sxm2,debug", "", JobState.PENDING, reason="Resources")
    snapshot = site(node("a", "sxm2", used=2), jobs={1: waiting})
    assert offered(snapshot, gpus=4) == []


def test_a_partition_that_shares_nodes_with_the_queue_is_offered_only_if_slurm_prefers_it() -> None:
    waiting = Job(1, "train", "bob", "", "sxm2", "", JobState.PENDING, reason="Resources")
    both = node("a", "sxm2", "debug", used=2)
    assert offered(site(both, jobs={1: waiting}), gpus=2) == ["debug, 30 min"]
    same = site(both, jobs={1: waiting}, partitions=(SXM2, replace(DEBUG, priority_tier=1)))
    assert offered(same, gpus=2) == []


def test_a_large_site_is_tried_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"p{number}" for number in range(200)]
    tried = []
    monkeypatch.setattr("portal.placement.alternatives.starts", lambda *_: tried.append(1) or ("later", ""))
    nodes = [node(f"n{name}", name, used=4) for name in names]
    parts = tuple(Partition(name, default=name == "p0") for name in names)
    assert offered(site(*nodes, partitions=parts), gpus=4) == []
    assert 0 < len(tried) <= MOST_TRIES


@pytest.mark.parametrize(
    ("parts", "texts"),
    [
        (GpuParts("shard", 2, 1, (0,)), ["1 shard of a V100"]),
        (GpuParts("shard", 2, 2, (0,)), []),
        (GpuParts("shard", 2, None, (0,)), []),
        (GpuParts("mps", 100, 40, (0,)), ["50 % of a V100"]),
        (GpuParts("mps", 100, 60, (0,)), []),
    ],
)
def test_half_a_gpu_is_offered_where_a_shared_one_has_room(parts: GpuParts, texts: list[str]) -> None:
    shared = GpuCount("v100", 4, 4, (0, 1, 2, 3), shared=(0,), parts=(parts,))
    snapshot = site(replace(node("a", "sxm2"), gpus=(shared,)))
    assert offered(snapshot, gpus=1) == texts
    assert offered(snapshot, gpus=2) == [], "a part of a GPU is no help to a request for several"
