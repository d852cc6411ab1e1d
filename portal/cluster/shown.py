"""The snapshot as pages see it, and the task that notifies them of changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from portal.cluster.schemas import (
    AccountOut,
    AvailabilityOut,
    CpuCounts,
    FeatureOut,
    GpuPoolOut,
    NodeCounts,
    PartitionOut,
    PerNode,
    SlurmOut,
)
from portal.events.bus import Bus, Event
from portal.placement.view import cluster_view, gpu_pools
from portal.policy.view import PartitionView
from portal.slurm.snapshot import Association, Snapshot
from portal.slurm.watcher import Watcher


def slurm_out(snapshot: Snapshot) -> SlurmOut:
    return SlurmOut(
        state=snapshot.state.value, since=snapshot.since, as_of=snapshot.jobs_as_of, message=snapshot.message
    )


def availability(
    snapshot: Snapshot, refusal: Callable[[PartitionView], str | None] = lambda partition: partition.reason
) -> AvailabilityOut:
    """Return what is free; `refusal` returns why a partition cannot be used."""
    return AvailabilityOut(
        as_of=snapshot.nodes_as_of,
        partitions=[
            _partition(partition, refusal(partition)) for partition in cluster_view(snapshot).partitions.values()
        ],
        gpus=[GpuPoolOut.model_validate(pool) for pool in gpu_pools(snapshot.nodes)],
    )


def accounts_of(snapshot: Snapshot, username: str) -> list[AccountOut]:
    """Return a user's accounts, each with the QOS of all its associations; some may apply to one partition only."""
    mine: dict[str, list[Association]] = defaultdict(list)
    for association in snapshot.associations:
        if association.user == username:
            mine[association.account].append(association)
    return [
        AccountOut(
            name=name,
            default=any(association.is_default for association in held),
            qos=list(dict.fromkeys(qos for association in held for qos in association.qos)),
            default_qos=next((association.default_qos for association in held if association.default_qos), None),
        )
        for name, held in mine.items()
    ]


def _partition(partition: PartitionView, refusal: str | None) -> PartitionOut:
    return PartitionOut(
        name=partition.name,
        default=partition.default,
        available=refusal is None,
        reason=refusal,
        max_walltime_s=partition.max_walltime_s,
        default_walltime_s=partition.default_walltime_s,
        nodes=NodeCounts(total=partition.nodes_total, up=partition.nodes_up),
        per_node=PerNode(gpus=partition.node_gpus, cpus=partition.node_cpus, memory_mib=partition.node_memory_mib),
        gpus=[GpuPoolOut.model_validate(pool) for pool in partition.gpus],
        cpus=CpuCounts(total=partition.cpus_total, free=partition.cpus_free),
        features=features(partition),
        whole_nodes=partition.whole_nodes,
    )


def features(partition: PartitionView) -> list[FeatureOut]:
    """Return the features that some of its nodes have, and not all."""
    counts = Counter[str]()
    for kind in partition.kinds:
        counts.update(dict.fromkeys(kind.features, kind.nodes))
    return [
        FeatureOut(name=name, nodes=nodes) for name, nodes in sorted(counts.items()) if nodes < partition.nodes_total
    ]


class Announcer:
    """Notifies open pages when availability or Slurm's state has changed; sends nothing for an unchanged snapshot."""

    def __init__(self, watcher: Watcher, bus: Bus) -> None:
        self._watcher = watcher
        self._bus = bus
        self._told: dict[str, str] = {}

    async def run(self) -> None:
        last = None
        async for snapshot in self._watcher.subscribe():
            if last is None or snapshot.nodes is not last.nodes or snapshot.partitions is not last.partitions:
                shown = availability(snapshot)
                self._tell("availability", shown.model_dump_json(exclude={"as_of"}), shown.model_dump_json())
            last = snapshot
            state = slurm_out(snapshot)
            self._tell("site", state.model_dump_json(exclude={"as_of"}), state.model_dump_json())

    def _tell(self, kind: str, essence: str, data: str) -> None:
        if self._told.get(kind) != essence:
            self._told[kind] = essence
            self._bus.publish(Event(kind, data, about=""))
