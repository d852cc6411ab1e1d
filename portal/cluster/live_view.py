"""Nodes and jobs as one user may see them, built from the stream's board and the newest snapshot."""

from __future__ import annotations

from datetime import datetime

from portal.cluster.board import letters, state_of
from portal.cluster.live_schemas import ClusterJobDetail, ClusterJobOut, NodeDetail, NodeJobOut, PlaceOut
from portal.cluster.queue import SortedQueue
from portal.cluster.schemas import GpuPoolOut
from portal.cluster.stream import ClusterStream
from portal.cluster.visibility import Viewer, Visibility
from portal.placement.view import gpu_pools
from portal.slurm import hostlist
from portal.slurm.jobs import Job
from portal.slurm.nodes import Node
from portal.slurm.reasons import explain
from portal.slurm.snapshot import Snapshot


def job_out(job: Job, viewer: Viewer, line: SortedQueue, snapshot: Snapshot) -> ClusterJobOut:
    return ClusterJobOut(**_job(job, viewer, line, snapshot))


def job_detail(job: Job, viewer: Viewer, line: SortedQueue, stream: ClusterStream) -> ClusterJobDetail:
    cells = stream.board.cells
    places = [
        PlaceOut(node=name, gpus=list(gpus), sure=job.id not in cells[name].guessed)
        for name in hostlist.expand(job.nodes)
        if name in cells and (gpus := cells[name].held_by(job.id))
    ]
    return ClusterJobDetail(**_job(job, viewer, line, stream.snapshot), places=places)


def _job(job: Job, viewer: Viewer, line: SortedQueue, snapshot: Snapshot) -> dict[str, object]:
    whose, what = viewer.sees(job, Visibility.USERS), viewer.sees(job, Visibility.JOBS)
    position, of = line.places.get(job.id, (None, None))
    waits = job.state.waits
    return {
        "id": job.id,
        "name": job.name if what else None,
        "user": job.user if whose else None,
        "account": job.account if whose else None,
        "mine": job.user == viewer.username,
        "partition": job.partition,
        "qos": job.qos,
        "state": job.state.value,
        "reason": explain(job.reason, job) if waits or job.state.is_over else "",
        "reason_code": job.reason,
        "node_list": job.nodes,
        "nodes": job.node_count,
        "gpus": job.gpus,
        "gpu_type": job.gpu_type,
        "shards": job.shards,
        "mps_percent": job.mps_percent,
        "cpus": job.cpus,
        "memory_mib": job.memory_mib,
        "priority": job.priority,
        "position": position,
        "line": of,
        "submitted_at": job.submitted_at,
        "started_at": None if waits else job.started_at,
        "expected_start": _future(job.started_at, snapshot) if waits else None,
        "ends_at": None if waits else job.ends_at,
        "time_limit_s": job.time_limit_s,
        "array_job_id": job.array_job_id,
        "array_tasks": job.array_tasks,
        "reservation": job.reservation,
    }


def _future(start: datetime | None, snapshot: Snapshot) -> datetime | None:
    """Return Slurm's estimate, unless it has already passed."""
    return None if start is None or (snapshot.jobs_as_of is not None and start <= snapshot.jobs_as_of) else start


def node_detail(node: Node, viewer: Viewer, line: SortedQueue, stream: ClusterStream) -> NodeDetail:
    cells = stream.board.cells[node.name]
    drawn = letters(cells)
    jobs = [
        NodeJobOut(
            letter=drawn[held[0]] if held else None,
            gpus=list(held),
            sure=job.id not in cells.guessed,
            job=job_out(job, viewer, line, stream.snapshot),
        )
        for job in line.on(node.name)
        for held in [cells.held_by(job.id)]
    ]
    return NodeDetail(
        name=node.name,
        kind=stream.board.kind_of(node),
        state=state_of(node),
        gpus=drawn,
        cpus=node.cpus_allocated,
        memory_mib=node.memory_allocated_mib,
        reason=node.reason,
        partitions=list(node.partitions),
        features=list(node.features),
        pools=[GpuPoolOut.model_validate(pool) for pool in gpu_pools([node])],
        slurm_state="+".join([node.state.value, *sorted(node.flags)]),
        reservation=_reservation_of(node, stream.snapshot) if viewer.reservations else "",
        cpus_total=node.cpus,
        memory_total_mib=node.memory_mib,
        load=node.load,
        version=node.version,
        jobs=jobs,
        as_of=stream.snapshot.nodes_as_of,
    )


def _reservation_of(node: Node, snapshot: Snapshot) -> str:
    """Return the name of the reservation that has started on the node, if any."""
    if not node.in_reservation:
        return ""
    begun = (
        reservation
        for reservation in snapshot.reservations
        if reservation.state == "ACTIVE" and node.name in hostlist.expand(reservation.nodes)
    )
    return next((reservation.name for reservation in begun), "")


def mine(stream: ClusterStream, username: str, line: SortedQueue) -> dict[str, list[int]]:
    """Return which GPUs are the user's, by node."""
    indexes: dict[str, list[int]] = {}
    for job in line.running_of(username):
        for name in hostlist.expand(job.nodes):
            if name in stream.board.cells and (gpus := stream.board.cells[name].held_by(job.id)):
                indexes.setdefault(name, []).extend(gpus)
    return indexes
