"""The cluster in a few numbers: how much there is, is in use, is reserved, and is unusable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime

from portal.slurm.nodes import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What remains is free. What a drained or reserved node still runs is in use; the rest of the node is down or
    reserved.
    """

    gpus: int = 0
    gpus_used: float = 0
    gpus_reserved: float = 0
    gpus_down: float = 0
    cpus: int = 0
    cpus_used: float = 0
    cpus_reserved: float = 0
    cpus_down: float = 0
    memory_mib: int = 0
    memory_used_mib: float = 0
    memory_reserved_mib: float = 0
    memory_down_mib: float = 0
    jobs_running: float = 0
    jobs_waiting: float = 0


NAMES = tuple(field.name for field in fields(Totals))
_WHOLE = {"gpus", "cpus", "memory_mib"}


def totals_of(nodes: Iterable[Node], *, running: int, waiting: int) -> Totals:
    sums: dict[str, int] = defaultdict(int)
    for node in nodes:
        gpus, used = sum(gpu.total for gpu in node.gpus), sum(gpu.allocated for gpu in node.gpus)
        rest = "reserved" if node.reserved else "down"
        counted = (
            ("gpus", "gpus_used", f"gpus_{rest}", gpus, used),
            ("cpus", "cpus_used", f"cpus_{rest}", node.cpus, node.cpus_allocated),
            ("memory_mib", "memory_used_mib", f"memory_{rest}_mib", node.memory_mib, node.memory_allocated_mib),
        )
        for all_, taken, kept, total, allocated in counted:
            sums[all_] += total
            sums[taken] += allocated
            sums[kept] += max(0, total - allocated) if node.reserved or not node.available else 0
    return Totals(**sums, jobs_running=running, jobs_waiting=waiting)


def mean(items: Iterable[Totals]) -> Totals:
    """Return the mean; for totals (not for use) the maximum, since a cluster has whole GPUs."""
    rows = [asdict(totals) for totals in items]
    return Totals(
        **{
            name: max(row[name] for row in rows) if name in _WHOLE else sum(row[name] for row in rows) / len(rows)
            for name in NAMES
        }
    )


def bucket(at: datetime, step_s: int) -> datetime:
    """Return the start of the step that contains a moment."""
    return datetime.fromtimestamp(at.timestamp() // step_s * step_s, UTC)


def thin(items: Iterable[tuple[datetime, Totals]], step_s: int) -> list[tuple[datetime, Totals]]:
    """Return one mean for each step with samples."""
    steps: dict[datetime, list[Totals]] = defaultdict(list)
    for at, totals in items:
        steps[bucket(at, step_s)].append(totals)
    return [(at, mean(steps[at])) for at in sorted(steps)]
