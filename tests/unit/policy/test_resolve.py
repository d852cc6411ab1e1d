"""Policy: what is filled in, what is refused, and that the sentence stands at the right field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from portal.errors import PolicyRefused
from portal.policy import formatting
from portal.policy.request import ResourceRequest, SessionRequest
from portal.policy.resolve import consider
from portal.policy.view import ClusterView, GpuPool, PartitionView, UserView
from portal.settings import GroupLimit, Policy
from tests.unit.policy.resolving import resolve

ALICE = UserView("alice", groups=frozenset({"portal-users"}), accounts=("physics",), default_account="physics")


def partition(name: str, **changes: object) -> PartitionView:
    values: dict[str, object] = {
        "name": name,
        "default": False,
        "available": True,
        "reason": None,
        "max_walltime_s": 172_800,
        "default_walltime_s": 3600,
        "nodes_total": 4,
        "nodes_up": 4,
        "node_gpus": 4,
        "node_cpus": 40,
        "node_memory_mib": 384_000,
        "cpus_total": 160,
        "cpus_free": 160,
        "gpus": (GpuPool("v100", 16, 16, 0, 0, 4, 4),),
    }
    return PartitionView(**(values | changes))  # type: ignore[arg-type]  # the values above fit


CLUSTER = ClusterView({"debug": partition("debug", default=True, max_walltime_s=1800), "sxm2": partition("sxm2")})


def refused(ask: ResourceRequest, user: UserView = ALICE, policy: Policy | None = None, cluster: ClusterView = CLUSTER):
    with pytest.raises(PolicyRefused) as caught:
        resolve(ask, user, cluster, policy or Policy())
    return {field.field: field.message for field in caught.value.fields}


def test_resolve_fills_the_ratio_when_only_gpus_are_named() -> None:
    got = resolve(ResourceRequest(gpus=2, partition="sxm2"), ALICE, CLUSTER, Policy())
    assert (got.cpus, got.memory_mib, got.walltime_s, got.gpu_type) == (16, 98_304, 28_800, "v100")
    assert got.account == "physics"


def test_resolve_takes_slurms_default_partition_and_its_time_when_none_is_named() -> None:
    got = resolve(ResourceRequest(), ALICE, CLUSTER, Policy())
    assert (got.partition, got.gpus, got.walltime_s) == ("debug", 1, 1800)


def test_resolve_gives_a_small_share_when_no_gpu_is_wanted() -> None:
    got = resolve(ResourceRequest(gpus=0, partition="sxm2"), ALICE, CLUSTER, Policy())
    assert (got.gpus, got.gpu_type, got.cpus, got.memory_mib) == (0, None, 2, 8_192)


def test_resolve_keeps_what_was_asked_for_beyond_the_ratio() -> None:
    got = resolve(ResourceRequest(gpus=1, cpus=20, memory_mib=1000, partition="sxm2"), ALICE, CLUSTER, Policy())
    assert (got.cpus, got.memory_mib) == (20, 1000)


@pytest.mark.parametrize(
    ("ask", "field", "part"),
    [
        (ResourceRequest(partition="nowhere"), "resources.partition", "debug, sxm2"),
        (ResourceRequest(partition="sxm2", gpus=9), "resources.gpus", "at most 4 on one node"),
        (ResourceRequest(partition="sxm2", gpus=1, gpu_type="a100"), "resources.gpu_type", "It has: v100"),
        (ResourceRequest(partition="sxm2", cpus=41), "resources.cpus", "has 40"),
        (ResourceRequest(partition="sxm2", memory_mib=400_000), "resources.memory_mib", "Ask for less"),
        (ResourceRequest(partition="debug", walltime_s=3600), "resources.walltime_s", "30 min at most"),
        (ResourceRequest(partition="sxm2", walltime_s=259_200), "resources.walltime_s", "2 days at most"),
        (ResourceRequest(partition="sxm2", nodes=2), "resources.nodes", "at most 1 node"),
        (ResourceRequest(partition="sxm2", account="vision"), "resources.account", "Yours: physics"),
    ],
)
def test_resolve_refuses_with_a_sentence_at_the_field(ask: ResourceRequest, field: str, part: str) -> None:
    assert part in refused(ask)[field]


def test_resolve_counts_what_the_user_holds_already() -> None:
    user = UserView("alice", gpus_in_use=6)
    assert "6 are in use" in refused(ResourceRequest(partition="sxm2", gpus=4), user)["resources.gpus"]
    assert resolve(ResourceRequest(partition="sxm2", gpus=2), user, CLUSTER, Policy()).gpus == 2


def test_resolve_refuses_one_session_too_many() -> None:
    assert "Stop one first" in refused(ResourceRequest(), UserView("alice", sessions_in_use=10))["sessions"]


def test_the_most_generous_group_holds() -> None:
    policy = Policy(
        limits=[
            GroupLimit(group="students", max_gpus=1, partitions=["debug"]),
            GroupLimit(group="portal-users", max_gpus=2, partitions=["sxm2"]),
        ]
    )
    student = UserView("alice", groups=frozenset({"students"}))
    both = UserView("alice", groups=frozenset({"students", "portal-users"}))
    assert "1 GPU at once" in refused(ResourceRequest(partition="debug", gpus=2), student, policy)["resources.gpus"]
    assert "may not use" in refused(ResourceRequest(partition="sxm2", gpus=1), student, policy)["resources.partition"]
    assert resolve(ResourceRequest(partition="sxm2", gpus=2), both, CLUSTER, policy).gpus == 2


def test_a_closed_partition_is_refused_with_its_reason() -> None:
    closed = ClusterView({"sxm2": partition("sxm2", available=False, reason="Down for cooling work.")})
    assert refused(ResourceRequest(partition="sxm2"), cluster=closed) == {
        "resources.partition": "Down for cooling work."
    }


def test_consider_tells_every_problem_at_once() -> None:
    _, problems = consider(ResourceRequest(partition="sxm2", gpus=9, cpus=99), ALICE, CLUSTER, Policy())
    assert {problem.field for problem in problems} >= {"resources.gpus", "resources.cpus"}


@given(
    gpus=st.none() | st.integers(0, 20),
    cpus=st.none() | st.integers(1, 200),
    memory=st.none() | st.integers(1, 10**6),
    time=st.none() | st.integers(60, 10**6),
    used=st.integers(0, 20),
)
def test_nothing_beyond_a_node_or_a_limit_is_ever_granted(gpus, cpus, memory, time, used) -> None:
    ask = ResourceRequest(gpus=gpus, cpus=cpus, memory_mib=memory, walltime_s=time, partition="sxm2")
    policy = Policy()
    got, problems = consider(ask, UserView("alice", gpus_in_use=used), CLUSTER, policy)
    assert got is not None
    if problems:
        assert all(problem.message.endswith(".") for problem in problems)
        return
    assert got.gpus <= 4
    assert got.gpus == 0 or got.gpus + used <= policy.max_gpus
    assert got.cpus <= 40
    assert got.memory_mib <= 384_000
    assert got.walltime_s <= policy.max_walltime_s


@pytest.mark.parametrize("hostile", ["a\nb", "a b", "--uid=0", "a;b", "$(id)", "a\x00", "", "ä", "a,b", "../a", "a\n"])
def test_names_that_could_mean_something_else_are_no_names(hostile: str) -> None:
    with pytest.raises(ValidationError):
        ResourceRequest(partition=hostile)


@pytest.mark.parametrize("hostile", ["a\nb", "tab\there", "\x1b[31m", "x" * 61, "right\u202eleft", "line\u2028"])
def test_a_session_name_with_control_characters_is_refused(hostile: str) -> None:
    with pytest.raises(ValidationError):
        SessionRequest(app="jupyterlab", name=hostile)


def test_numbers_that_are_no_numbers_are_refused() -> None:
    for wrong in ({"walltime_s": 0}, {"gpus": -1}, {"gpus": "2"}, {"gpus": 1.5}, {"gpus": True}, {"extra": 1}):
        with pytest.raises(ValidationError):
            ResourceRequest.model_validate(wrong)


def test_words_say_resources_as_people_do() -> None:
    got = resolve(ResourceRequest(gpus=2, partition="sxm2"), ALICE, CLUSTER, Policy())
    assert formatting.summary(got) == "2 × V100, 16 cores, 96 GB for 8 h on sxm2"
    more = got.model_copy(update={"constraint": "v100&nvme", "licenses": "matlab:2,ansys"})
    assert formatting.summary(more) == ("2 × V100, 16 cores, 96 GB, v100, nvme, 2 × matlab, 1 × ansys for 8 h on sxm2")
    assert [formatting.duration(value) for value in (5400, 172_800, 86_400, 90)] == [
        "1 h 30 min",
        "2 days",
        "1 day",
        "1 min",
    ]
