"""The snapshot as pages see it, and the task that notifies them of changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from portal.cluster.schemas import (
    AccountOut,
    AvailabilityOut,
    CpuCounts,
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
    snapshot: Snapshot, refusal: Callable[[PartitionView], str | None] = lambda one: one.reason
) -> AvailabilityOut:
    """Return what is free; `refusal` returns why a partition cannot be used."""
    return AvailabilityOut(
        as_of=snapshot.nodes_as_of,
        partitions=[_partition(one, refusal(one)) for one in cluster_view(snapshot).partitions.values()],
        gpus=[GpuPoolOut.model_validate(pool) for pool in gpu_pools(snapshot.nodes)],
    )


def accounts_of(snapshot: Snapshot, username: str) -> list[AccountOut]:
    """Return a user's accounts, each with the QOS of all its associations; some may apply to one partition only."""
    mine: dict[str, list[Association]] = defaultdict(list)
    for one in snapshot.associations:
        if one.user == username:
            mine[one.account].append(one)
    return [
        AccountOut(
            name=name,
            default=any(one.is_default for one in held),
            qos=list(dict.fromkeys(qos for one in held for qos in one.qos)),
            default_qos=next((one.default_qos for one in held if one.default_qos), None),
        )
        for name, held in mine.items()
    ]


def _partition(one: PartitionView, refusal: str | None) -> PartitionOut:
    return PartitionOut(
        name=one.name,
        default=one.default,
        available=refusal is None,
        reason=refusal,
        max_walltime_s=one.max_walltime_s,
        default_walltime_s=one.default_walltime_s,
        nodes=NodeCounts(total=one.nodes_total, up=one.nodes_up),
        per_node=PerNode(gpus=one.node_gpus, cpus=one.node_cpus, memory_mib=one.node_memory_mib),
        gpus=[GpuPoolOut.model_validate(pool) for pool in one.gpus],
        cpus=CpuCounts(total=one.cpus_total, free=one.cpus_free),
    )


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
            self._bus.publish(Event(kind, data))
