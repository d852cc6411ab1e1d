"""Whether a node has free what a session asks for, from the snapshot alone."""

from __future__ import annotations

from portal.placement.reserved import Open
from portal.policy.parts import GpuPart
from portal.policy.request import Resources
from portal.policy.site_options import features_of
from portal.policy.view import UserView
from portal.slurm.hostlist import expand
from portal.slurm.nodes import GpuCount, Node
from portal.slurm.snapshot import Snapshot


class Rooms:
    """The nodes' free resources as one request sees them."""

    def __init__(self, resources: Resources, snapshot: Snapshot, user: UserView) -> None:
        self._asked = resources
        self._features = features_of(resources.constraint) if resources.constraint else frozenset()
        partition = next((each for each in snapshot.partitions if each.name == resources.partition), None)
        self._shares_cores = partition is not None and partition.oversubscribe.startswith(("YES", "FORCE"))
        self._others_on = _nodes_of_others(snapshot, user) if partition and partition.exclusive_user else frozenset()

    def on(self, node: Node) -> Open:
        """Whether the node has room; MAYBE if that depends on what the portal does not know."""
        asked = self._asked
        gpus = [gpu for gpu in node.gpus if asked.gpu_type in (None, gpu.type)]
        if sum(gpu.free for gpu in gpus) < asked.gpus or node.name in self._others_on:
            return Open.NO
        if asked.exclusive and (node.cpus_allocated or any(gpu.allocated for gpu in node.gpus)):
            return Open.NO
        cores = node.cpus - node.cpus_allocated >= asked.cpus
        memory = node.memory_mib - node.memory_allocated_mib >= asked.memory_mib
        room = Open.YES if cores and memory else Open.MAYBE if self._shares_cores else Open.NO
        return min(room, self.has_features(node), _has_part(gpus, asked.part))

    def has_features(self, node: Node) -> Open:
        """MAYBE if Slurm would first have to activate one, for example by a reboot."""
        if self._features is None:
            return Open.MAYBE
        if self._features <= set(node.features):
            return Open.YES
        return Open.MAYBE if self._features <= {*node.features, *node.other_features} else Open.NO


def _has_part(gpus: list[GpuCount], part: GpuPart | None) -> Open:
    if part is None:
        return Open.YES
    left = [gpu.most(part.gres) for gpu in gpus]
    if any(surely >= part.count for surely, _ in left):
        return Open.YES
    return Open.MAYBE if any(at_best >= part.count for _, at_best in left) else Open.NO


def _nodes_of_others(snapshot: Snapshot, user: UserView) -> frozenset[str]:
    return frozenset(
        name
        for job in snapshot.jobs.values()
        if job.nodes and not job.state.waits and not job.state.is_over and job.user != user.username
        for name in expand(job.nodes)
    )
