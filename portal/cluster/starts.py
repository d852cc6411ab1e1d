"""Guesses whether a session would start at once, from the picture alone: no call to Slurm.

A guess for the form, not a promise: priorities, reservations to come and limits of Slurm can make it wrong.
"""

from __future__ import annotations

from typing import Literal

from portal.policy import words
from portal.policy.ask import Resources
from portal.slurm.types import Node, Picture, Reach

Starts = Literal["now", "later", "unknown"]

#: Why a job waits that would start if there were room: others stand behind it. One that is held, depends on another or
#: is over a limit lets them pass.
_IN_LINE = frozenset({"", "Priority", "Resources"})


def starts(resources: Resources, picture: Picture) -> tuple[Starts, str]:
    if picture.state is not Reach.UP:
        return "unknown", "Slurm does not answer now"
    nodes = [
        node for node in picture.nodes if resources.partition in node.partitions and _open(node, resources, picture)
    ]
    if sum(_has_room(node, resources) for node in nodes) < resources.nodes:
        return "later", _waits_for(resources, nodes, picture)
    ahead = sum(
        job.state.waits and job.partition == resources.partition and job.reason in _IN_LINE
        for job in picture.jobs.values()
    )
    if ahead:
        return "later", f"may wait: {ahead} job{'s' if ahead > 1 else ''} in line before it"
    return "now", "starts now"


def _open(node: Node, resources: Resources, picture: Picture) -> bool:
    """Whether Slurm places the job here: within its reservation, or where there is none."""
    if resources.reservation is None:
        return node.available and not node.reserved
    return node.reserved and picture.reservations.get(node.name) == resources.reservation


def _has_room(node: Node, resources: Resources) -> bool:
    gpus = sum(gpu.free for gpu in node.gpus if resources.gpu_type in (None, gpu.type))
    return (
        gpus >= resources.gpus
        and node.cpus - node.cpus_allocated >= resources.cpus
        and node.memory_mib - node.memory_allocated_mib >= resources.memory_mib
    )


def _waits_for(resources: Resources, nodes: list[Node], picture: Picture) -> str:
    if not nodes and resources.reservation is not None:
        return f"waits: no node of “{resources.partition}” takes jobs of “{resources.reservation}” now"
    if not nodes and any(node.reserved and resources.partition in node.partitions for node in picture.nodes):
        return f"waits: the nodes of “{resources.partition}” are reserved now"
    if not nodes:
        return f"waits: no node of “{resources.partition}” takes jobs now"
    free = max((sum(gpu.free for gpu in node.gpus) for node in nodes), default=0)
    if resources.gpus > free:
        kind = resources.gpu_type.upper() if resources.gpu_type else "GPU"
        return f"waits for {resources.gpus} free {kind}{'s' if resources.gpus > 1 else ''} on one node"
    return f"waits for a node with {resources.cpus} free cores and {words.memory(resources.memory_mib)} free"
