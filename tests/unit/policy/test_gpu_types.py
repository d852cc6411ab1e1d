"""GPUs asked for by the memory that each must have: whole ones and MIG instances."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.errors import PolicyRefused
from portal.policy.request import ResourceRequest
from portal.policy.view import ClusterView, GpuPool, LimitRule, UserView
from portal.settings import Policy
from tests.unit.policy.resolving import resolve
from tests.unit.policy.test_resolve import ALICE, partition


def pool(gpu_type: str, memory_gb: int | None, on_a_node: int = 4) -> GpuPool:
    return GpuPool(gpu_type, on_a_node, on_a_node, 0, 0, on_a_node, on_a_node, memory_gb=memory_gb)


MIXED = (
    pool("v100", 16),
    pool("a100", 40),
    pool("a100_1g.10gb", 10, on_a_node=7),
    pool("a100_3g.40gb", 40, on_a_node=2),
    pool("homemade", None),
)
CLUSTER = ClusterView({"old": partition("old", default=True), "new": partition("new", gpus=MIXED)})


def type_of(user: UserView = ALICE, **ask: object) -> tuple[str, str | None]:
    got = resolve(ResourceRequest(**ask), user, CLUSTER, Policy())
    return got.partition, got.gpu_type


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        ({"gpu_memory_gb": 10}, "a100_1g.10gb"),
        ({"gpu_memory_gb": 10, "gpu_type": "a100"}, "a100_1g.10gb"),
        ({"gpu_memory_gb": 10, "gpu_type": "v100"}, "v100"),
        ({"gpu_memory_gb": 11}, "v100"),
        ({"gpu_memory_gb": 17, "gpus": 2}, "a100"),
        ({"gpu_memory_gb": 17, "gpus": 3}, "a100"),
        ({"gpu_memory_gb": 17, "gpu_type": "a100_3g.40gb"}, "a100_3g.40gb"),
    ],
)
def test_memory_finds_the_smallest_gpu_that_has_it(ask: dict[str, object], found: str) -> None:
    assert type_of(partition="new", **ask) == ("new", found)


@pytest.mark.parametrize("usual", ["", "old"])
def test_memory_finds_the_partition_too_unless_one_is_named(usual: str) -> None:
    old = partition("old", default=True, gpus=(pool("v100", 16),))
    cluster = ClusterView({"new": partition("new", gpus=MIXED), "old": old})
    policy = Policy(default_partition=usual)
    found = {gb: resolve(ResourceRequest(gpu_memory_gb=gb), ALICE, cluster, policy) for gb in (10, 40)}
    assert {gb: (got.partition, got.gpu_type) for gb, got in found.items()} == {
        10: ("old", "v100"),
        40: ("new", "a100"),
    }


def test_memory_counts_only_types_that_the_user_may_use() -> None:
    user = replace(ALICE, rules=(LimitRule("user", "alice", gpu_types=frozenset({"a100"})),))
    assert type_of(user, partition="new", gpu_memory_gb=10) == ("new", "a100")


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (
            {"gpu_memory_gb": 80},
            "No node of “new” has GPUs with 80 GB or more. Yours here: v100 (16 GB), a100 (40 GB),"
            " a100_1g.10gb (10 GB), a100_3g.40gb (40 GB).",
        ),
        ({"gpu_memory_gb": 17, "gpu_type": "v100"}, "No node of “new” has V100 GPUs with 17 GB or more. Yours here:"),
        ({"gpu_memory_gb": 10, "gpus": 8}, "No node of “new” has 8 GPUs with 10 GB or more. Yours here:"),
    ],
)
def test_memory_that_no_gpu_has_is_refused_with_what_there_is(ask: dict[str, object], why: str) -> None:
    with pytest.raises(PolicyRefused) as refused:
        type_of(partition="new", **ask)
    found = {problem.field: problem.message for problem in refused.value.fields}
    assert found["resources.gpu_memory_gb"].startswith(why)
