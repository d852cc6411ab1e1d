"""The cluster as policy and the form see it, built from the watcher's snapshot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from portal.placement.gpu_memory import memory_gb
from portal.policy.view import ClusterView, GpuPool, NodeKind, PartitionView
from portal.shared_gres import SharedGres
from portal.slurm.nodes import Node, Partition
from portal.slurm.snapshot import Snapshot

CLOSED = {
    "DOWN": "The partition “{name}” is down: the administrators have closed it.",
    "DRAIN": "The partition “{name}” is draining: it takes no new jobs.",
    "INACTIVE": "The partition “{name}” is inactive: it takes no jobs.",
}


def cluster_view(snapshot: Snapshot) -> ClusterView:
    nodes_of: dict[str, list[Node]] = defaultdict(list)
    for node in snapshot.nodes:
        for name in node.partitions:
            nodes_of[name].append(node)
    known = snapshot.version is not None  # both are read together
    return ClusterView(
        {
            partition.name: _partition(partition, nodes_of[partition.name])
            for partition in snapshot.partitions
            if not partition.hidden
        },
        licenses={each.name: each.total for each in snapshot.licenses} if known else None,
    )


def _partition(partition: Partition, nodes: list[Node]) -> PartitionView:
    up = [node for node in nodes if node.available]
    anybodys = [node for node in up if not node.reserved]
    reason = CLOSED.get(partition.state, "").format(name=partition.name) or None
    return PartitionView(
        name=partition.name,
        default=partition.default,
        available=reason is None,
        reason=reason,
        max_walltime_s=partition.max_walltime_s,
        default_walltime_s=partition.default_walltime_s,
        nodes_total=len(nodes),
        nodes_up=len(up),
        node_gpus=max((sum(gpu.total for gpu in node.gpus) for node in nodes), default=0),
        node_cpus=_least(partition.max_cpus_per_node, max((node.cpus for node in nodes), default=0)),
        node_memory_mib=_least(partition.max_memory_per_node_mib, max((node.memory_mib for node in nodes), default=0)),
        cpus_total=sum(node.cpus for node in nodes),
        cpus_free=sum(max(node.cpus - node.cpus_allocated, 0) for node in anybodys),
        gpus=gpu_pools(nodes),
        allow_accounts=partition.allow_accounts,
        allow_groups=partition.allow_groups,
        allow_qos=partition.allow_qos,
        kinds=_kinds(nodes),
        whole_nodes=partition.oversubscribe == "EXCLUSIVE",
    )


def _kinds(nodes: Iterable[Node]) -> tuple[NodeKind, ...]:
    """Count nodes by their features, including those that Slurm can still activate, and by their GPUs."""
    counts = Counter(
        (frozenset((*node.features, *node.other_features)), sum(gpu.total for gpu in node.gpus)) for node in nodes
    )
    return tuple(NodeKind(features, gpus, count) for (features, gpus), count in counts.items())


def _least(limit: int | None, value: int) -> int:
    return value if limit is None else min(limit, value)


def gpu_pools(nodes: Iterable[Node]) -> tuple[GpuPool, ...]:
    """Count GPUs by type over `nodes`. Those on unavailable nodes count as down, reserved ones separately."""
    pools: dict[str, list[tuple[Node, int, int]]] = defaultdict(list)
    parts: dict[tuple[str, SharedGres], int] = defaultdict(int)
    for node in nodes:
        for gpu in node.gpus:
            pools[gpu.type].append((node, gpu.total, gpu.free))
            for each in gpu.parts:
                parts[gpu.type, each.gres] = max(parts[gpu.type, each.gres], each.per_gpu)
    return tuple(
        GpuPool(
            type=kind,
            memory_gb=memory_gb(kind),
            total=sum(total for _, total, _ in counts),
            free=sum(free for node, _, free in counts if node.available and not node.reserved),
            reserved=sum(free for node, _, free in counts if node.reserved),
            down=sum(free for node, _, free in counts if not node.available),
            most_on_a_node=max(total for _, total, _ in counts),
            most_free_on_a_node=max(
                (free for node, _, free in counts if node.available and not node.reserved), default=0
            ),
            shards_per_gpu=parts[kind, "shard"],
            mps_per_gpu=parts[kind, "mps"],
        )
        for kind, counts in sorted(pools.items())
    )
