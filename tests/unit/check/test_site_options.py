"""What `portal check` says of features, licences, WCKeys and shards."""

from __future__ import annotations

from portal.check.findings import Mark
from portal.check.site_options import site_options
from portal.policy.view import GpuPool, NodeKind, PartitionView
from portal.slurm.nodes import License


def partition(*kinds: NodeKind, **parts: int) -> PartitionView:
    return PartitionView(
        name="sxm2",
        default=True,
        available=True,
        reason=None,
        max_walltime_s=None,
        default_walltime_s=None,
        nodes_total=4,
        nodes_up=4,
        node_gpus=4,
        node_cpus=40,
        node_memory_mib=384_000,
        cpus_total=160,
        cpus_free=160,
        gpus=(GpuPool("v100", 16, 16, 0, 0, 4, 4, **parts),),
        kinds=kinds,
    )


def test_what_the_site_has_is_named_in_plain_words() -> None:
    nodes = (NodeKind(frozenset({"v100", "nvme"}), 4, 2), NodeKind(frozenset({"v100"}), 4, 2))
    licenses = [License("matlab", 2, 1), License("ansys", 30, 0)]
    keys = {"alice": ("thesis", "course"), "bob": ("course",)}
    findings = site_options([partition(*nodes, shards_per_gpu=2, mps_per_gpu=100)], licenses, keys, tracked=True)
    assert [finding.text for finding in findings] == [
        "features to choose nodes by: nvme",  # all of them have v100
        "licences: ansys (30), matlab (2)",
        "parts of GPUs: 2 shards for each V100, V100 by MPS",
        "WCKeys: course, thesis",
    ]
    assert {finding.mark for finding in findings} == {Mark.GOOD}


def test_mps_that_is_not_counted_in_percent_is_named() -> None:
    (finding,) = site_options([partition(mps_per_gpu=50)], [], None, tracked=False)
    assert finding.text == (
        "parts of GPUs: V100 by MPS in job scripts only, since Slurm counts mps:50 for a GPU, not mps:100"
    )


def test_nothing_is_said_of_what_the_site_lacks() -> None:
    assert site_options([partition(NodeKind(frozenset({"v100"}), 4, 4))], [], None, tracked=False) == []


def test_wckeys_that_only_operators_may_list_come_with_the_command_that_helps() -> None:
    (finding,) = site_options([partition()], [], None, tracked=True)
    assert finding.text.endswith("sacctmgr modify user portal set AdminLevel=Operator")
    (finding,) = site_options([partition()], [], {}, tracked=True)
    assert finding.text == "WCKeys: tracked, but nobody has one"
