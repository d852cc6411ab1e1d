"""Which nodes a reservation of so many GPUs takes: whole ones, since Slurm reserves no GPUs of a node.

Slurm 22.05 says "TRES type 'gres/gpu' not supported with reservations".
"""

from __future__ import annotations

from collections.abc import Iterable

from portal.errors import FieldProblem, InvalidRequest
from portal.slurm.types import Node, NodeState

AWAY = (NodeState.DOWN, NodeState.ERROR, NodeState.UNKNOWN, NodeState.FUTURE)


def nodes_with(nodes: Iterable[Node], gpus: int, gpu_type: str | None) -> tuple[str, ...]:
    """Return nodes that have `gpus` together, the least used first. Raises InvalidRequest when there are fewer."""
    having = [(node, count) for node in nodes if node.state not in AWAY and (count := _count(node, gpu_type))]
    having.sort(key=lambda one: (not one[0].available, "RESERVED" in one[0].flags, _used(one[0]), one[0].name))
    chosen: list[str] = []
    found = 0
    for node, count in having:
        if found >= gpus:
            break
        chosen.append(node.name)
        found += count
    if found < gpus:
        kind = f" of the type “{gpu_type}”" if gpu_type else ""
        text = f"There are {found} GPUs{kind} on nodes that are up; ask for fewer."
        raise InvalidRequest(text, fields=[FieldProblem("gpus", text)])
    return tuple(chosen)


def _count(node: Node, gpu_type: str | None) -> int:
    return sum(gpu.total for gpu in node.gpus if gpu_type is None or gpu.type == gpu_type)


def _used(node: Node) -> int:
    return sum(gpu.allocated for gpu in node.gpus)
