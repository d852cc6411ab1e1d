"""What is free for anybody, as the form of a new session and the header tell it."""

from __future__ import annotations

from portal.cluster.shown import availability
from portal.slurm.nodes import GpuCount, Node, NodeState, Partition
from portal.slurm.snapshot import Snapshot

NODES = tuple(
    Node(name, state, flags=flags, partitions=("sxm2",), cpus=40, cpus_allocated=8, gpus=(GpuCount("v100", 4, used),))
    for name, state, flags, used in (
        ("node001", NodeState.MIXED, frozenset[str](), 3),
        ("node002", NodeState.MIXED, frozenset({"RESERVED"}), 2),
        ("node003", NodeState.IDLE, frozenset({"MAINTENANCE", "RESERVED"}), 0),
        ("node004", NodeState.IDLE, frozenset({"DRAIN"}), 0),
    )
)


def test_reserved_gpus_are_neither_free_nor_out_of_service() -> None:
    shown = availability(Snapshot(nodes=NODES, partitions=(Partition("sxm2"),)))
    [whole], [partition] = shown.gpus, shown.partitions
    assert partition.gpus == [whole]
    assert (whole.total, whole.free, whole.reserved, whole.down) == (16, 1, 2, 8)
    assert whole.most_free_on_a_node == 1, "nobody gets two at once, though two are idle on the reserved node"
    assert (partition.cpus.total, partition.cpus.free) == (160, 32)
    assert partition.nodes.up == 2, "a reserved node is up"
