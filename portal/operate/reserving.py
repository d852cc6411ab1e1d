"""Which nodes a reservation of a number of GPUs takes: whole nodes, since Slurm cannot reserve single GPUs.

Slurm 22.05 says "TRES type 'gres/gpu' not supported with reservations".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from portal.errors import FieldProblem, InvalidRequest
from portal.policy import formatting
from portal.slurm.hostlist import expand
from portal.slurm.nodes import Node, NodeState, Reservation

AWAY = (NodeState.DOWN, NodeState.ERROR, NodeState.UNKNOWN, NodeState.FUTURE)


def taken(reservations: Iterable[Reservation], starts_at: datetime, minutes: int) -> set[str]:
    """Return the nodes that are reserved at any time within `minutes` from `starts_at`."""
    ends_at = starts_at + timedelta(minutes=minutes)
    return {
        name
        for reservation in reservations
        if (reservation.starts_at is None or reservation.starts_at < ends_at)
        and (reservation.ends_at is None or reservation.ends_at > starts_at)
        for name in expand(reservation.nodes)
    }


def nodes_with(
    nodes: Iterable[Node], gpus: int, gpu_type: str | None, reserved: Collection[str] = ()
) -> tuple[str, ...]:
    """Return nodes with `gpus` in total that are not reserved at that time, least used first.

    Raises InvalidRequest if there are fewer.
    """
    usable = [node for node in nodes if node.state not in AWAY and node.name not in reserved]
    having = [(node, count) for node in usable if (count := _count(node, gpu_type))]
    having.sort(key=lambda reservation: (not reservation[0].available, _used(reservation[0]), reservation[0].name))
    chosen: list[str] = []
    total = 0
    for node, count in having:
        if total >= gpus:
            break
        chosen.append(node.name)
        total += count
    if total < gpus:
        kind = f" of the type “{gpu_type}”" if gpu_type else ""
        free = "up and not reserved then" if reserved else "up"
        there = f"There {'is' if total == 1 else 'are'} {formatting.plural(total, 'GPU')}"
        text = f"{there}{kind} on nodes that are {free}; ask for fewer."
        raise InvalidRequest(text, fields=[FieldProblem("gpus", text)])
    return tuple(chosen)


def _count(node: Node, gpu_type: str | None) -> int:
    return sum(gpu.total for gpu in node.gpus if gpu_type is None or gpu.type == gpu_type)


def _used(node: Node) -> int:
    return sum(gpu.allocated for gpu in node.gpus)
