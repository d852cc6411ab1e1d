"""What keeps a running session from ending later, from the snapshot alone: reservations, and jobs that wait."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from portal.placement.reserved import find, is_over
from portal.placement.starts import IN_LINE
from portal.policy.request import Resources
from portal.slurm.hostlist import expand
from portal.slurm.jobs import Job
from portal.slurm.snapshot import Snapshot


def waiting_for(held: Resources, owner: str, nodes: Collection[str], snapshot: Snapshot) -> int:
    """Count other users' pending jobs that could start on the session's nodes if it ended.

    For a session with GPUs those that want GPUs of its type, or of any; else all of these partitions.
    """
    partitions = {name for node in snapshot.nodes if node.name in nodes for name in node.partitions}

    def wants_it(job: Job) -> bool:
        return (
            job.state.waits
            and job.user != owner
            and job.reason in IN_LINE
            and bool(partitions & set(job.partitions))
            and (
                not held.gpus_counted
                or (job.gpus > 0 and (None in (job.gpu_type, held.gpu_type) or job.gpu_type == held.gpu_type))
            )
        )

    return sum(map(wants_it, snapshot.jobs.values()))


def reserved_from(
    held: Resources, nodes: Collection[str], snapshot: Snapshot, now: datetime
) -> tuple[datetime, str] | None:
    """Return when the session's nodes are no longer its own, and the name of the reservation that says so.

    That is the begin of another reservation with one of its nodes, or the end of the one it runs in.
    """
    mine = set(nodes)
    others = (
        reservation
        for reservation in snapshot.reservations
        if reservation.name != held.reservation and not is_over(reservation, now)
    )
    ends = [(other.starts_at or now, other.name) for other in others if mine & set(expand(other.nodes))]
    named = find(snapshot, held.reservation) if held.reservation else None
    if named is not None and named.ends_at is not None and "FLEX" not in named.flags:
        ends.append((named.ends_at, named.name))
    return min(ends, default=None)
