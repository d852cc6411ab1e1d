"""Limits in three layers: the user's own, the most generous group's, the site's; and what each refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portal.errors import PolicyRefused
from portal.policy.limits import limits_for
from portal.policy.request import ResourceRequest
from portal.policy.view import ClusterView, GpuPool, LimitRule, UserView
from portal.settings import GroupLimit, Policy
from tests.unit.policy.resolving import resolve
from tests.unit.policy.test_resolve import ALICE, CLUSTER, partition

SITE = Policy(max_gpus=8, max_sessions=10)


def user(*rules: LimitRule, groups: tuple[str, ...] = ("students",), **held: object) -> UserView:
    return replace(ALICE, groups=frozenset(groups), rules=rules, **held)  # type: ignore[arg-type]  # fields of the view


def refused(ask: ResourceRequest, who: UserView, cluster: ClusterView = CLUSTER) -> dict[str, str]:
    with pytest.raises(PolicyRefused) as caught:
        resolve(ask, who, cluster, SITE)
    return {field.field: field.message for field in caught.value.fields}


def test_the_users_own_rule_holds_over_groups_and_site_field_by_field() -> None:
    limits = limits_for(
        user(LimitRule("user", "alice", max_gpus=1), LimitRule("group", "students", max_gpus=4, max_sessions=2)), SITE
    )
    assert (limits.max_gpus, limits.max_sessions, limits.max_walltime_s) == (1, 2, SITE.max_walltime_s)


def test_of_groups_the_most_generous_holds_and_a_set_rule_lies_over_the_configured_one() -> None:
    policy = Policy(limits=[GroupLimit(group="students", max_gpus=1, max_sessions=3, partitions=["debug"])])
    both = user(LimitRule("group", "vision", max_gpus=6), groups=("students", "vision"))
    assert limits_for(both, policy).max_gpus == 6
    assert limits_for(both, policy).partitions is None, "the other group limits none"
    over = limits_for(user(LimitRule("group", "Students", max_gpus=2)), policy)
    assert (over.max_gpus, over.max_sessions, over.partitions) == (2, 3, frozenset({"debug"}))


def test_gpu_hours_of_the_month_count_what_is_promised() -> None:
    rule = LimitRule("group", "students", max_gpu_hours=100)
    ask = ResourceRequest(partition="sxm2", gpus=2, walltime_s=8 * 3600)
    assert resolve(ask, user(rule, gpu_hours_used=84.0), CLUSTER, SITE).gpus == 2
    text = refused(ask, user(rule, gpu_hours_used=84.5))["resources.gpus"]
    assert "100 GPU-hours per month; 84.5 are used" in text
    assert "could use 16.0" in text
    assert resolve(replace_gpus(ask, 0), user(rule, gpu_hours_used=500.0), CLUSTER, SITE).gpus == 0


def replace_gpus(ask: ResourceRequest, gpus: int) -> ResourceRequest:
    return ask.model_copy(update={"gpus": gpus})


def test_gpu_types_that_are_not_yours_are_refused_and_the_one_that_is_left_is_chosen() -> None:
    pools = (GpuPool("a100", 4, 4, 0, 0, 4, 4), GpuPool("v100", 16, 16, 0, 0, 4, 4))
    cluster = ClusterView({"sxm2": partition("sxm2", gpus=pools)})
    mine = user(LimitRule("user", "alice", gpu_types=frozenset({"v100"})))
    assert resolve(ResourceRequest(gpus=1), mine, cluster, SITE).gpu_type == "v100"
    assert "Yours: v100" in refused(ResourceRequest(gpus=1, gpu_type="a100"), mine, cluster)["resources.gpu_type"]
    none = user(LimitRule("user", "alice", gpu_types=frozenset({"h100"})))
    assert "You may not use" in refused(ResourceRequest(gpus=1), none, cluster)["resources.gpu_type"]
    assert resolve(ResourceRequest(gpus=0), none, cluster, SITE).gpu_type is None


def test_a_limit_of_nothing_is_a_limit() -> None:
    assert "resources.gpus" in refused(ResourceRequest(gpus=1), user(LimitRule("user", "alice", max_gpus=0)))
    assert "resources.partition" in refused(
        ResourceRequest(gpus=0), user(LimitRule("user", "alice", partitions=frozenset()))
    )
