"""HTTP routes for administrators' operations: nodes, reservations, all users' jobs. Each is in the audit log, even if
refused.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import AdminUser
from portal.errors import NotFound
from portal.operate.dependencies import ClusterOperations, NodeStates, Reservations
from portal.operate.node_health import gpus_found
from portal.operate.node_schemas import NodeHealth, NodeStateOut
from portal.operate.reserving import nodes_with, taken
from portal.operate.schemas import (
    Drain,
    JobResults,
    JobsAction,
    NodeName,
    NodeRows,
    OperationResult,
    QueueRows,
    ReservationIn,
    ReservationList,
    ReservationPatch,
    Resume,
    Word,
)
from portal.operate.service import reservation_out
from portal.routing import Router
from portal.slurm.dependencies import SlurmWatcher
from portal.slurm.operator import ReservationSpec

router = Router(prefix="/admin", tags=["admin"])

HISTORY_AT_MOST = 100


@router.get("/nodes")
async def nodes(_: AdminUser, operations: ClusterOperations, watcher: SlurmWatcher) -> NodeRows:
    """List the nodes, with Slurm's report and the jobs on each."""
    return NodeRows(items=await operations.nodes(), as_of=watcher.snapshot.nodes_as_of)


@router.get("/nodes/{name}")
async def node_health(
    name: NodeName, _: AdminUser, operations: ClusterOperations, history: NodeStates, watcher: SlurmWatcher
) -> NodeHealth:
    """Return the health of a node: its problems, its resources, and its history."""
    row, node = await operations.node(name)
    states = await history.of(name, HISTORY_AT_MOST)
    latest = states[0] if states else None
    if latest is not None and latest.actor and latest.reason == node.reason:
        node = replace(node, reason_by=latest.actor)
    return NodeHealth(
        **row.model_dump(),
        findings=await operations.findings(node),
        gpus_found=gpus_found(node),
        gpus_drained=node.gpus_drained,
        memory_free_mib=node.memory_free_mib,
        slurmd_since=node.slurmd_since,
        boot_at=node.boot_at,
        busy_at=node.busy_at,
        reason_by=node.reason_by,
        reason_at=node.reason_at,
        version=node.version,
        features=list(node.features),
        as_of=watcher.snapshot.nodes_as_of,
        history=[NodeStateOut.model_validate(state) for state in states],
    )


@router.post("/nodes/drain", responses={404: {"description": "There is no such node."}})
async def drain(asked: Drain, admin: AdminUser, audit: AuditLog, operations: ClusterOperations) -> OperationResult:
    """Drain nodes and notify the owners of their jobs; running jobs continue."""
    detail = {"reason": asked.reason, "deadline": asked.deadline.isoformat() if asked.deadline else None}
    async with audit.noted(admin, "node.drain", ",".join(asked.nodes), **detail) as note:
        notified = await operations.drain(admin.username, asked)
        note.detail["told"] = notified
    return OperationResult(nodes=asked.nodes, told=notified)


@router.post("/nodes/resume", responses={404: {"description": "There is no such node."}})
async def resume(asked: Resume, admin: AdminUser, audit: AuditLog, operations: ClusterOperations) -> OperationResult:
    """Put nodes back into service."""
    async with audit.noted(admin, "node.resume", ",".join(asked.nodes)):
        await operations.resume(admin.username, asked.nodes)
    return OperationResult(nodes=asked.nodes, told=[])


@router.get("/reservations")
async def reservations(_: AdminUser, slurm_reservations: Reservations) -> ReservationList:
    """List Slurm's reservations."""
    return ReservationList(items=[reservation_out(reservation) for reservation in await slurm_reservations()])


@router.post("/reservations", status_code=201)
async def reserve(
    asked: ReservationIn,
    admin: AdminUser,
    audit: AuditLog,
    slurm_reservations: Reservations,
    watcher: SlurmWatcher,
    operations: ClusterOperations,
) -> ReservationList:
    """Reserve nodes, by name or by number of GPUs, for users or accounts; no other jobs are placed there meanwhile."""
    detail = asked.model_dump(mode="json", exclude={"name"})
    async with audit.noted(admin, "reservation.create", asked.name, **detail) as note:
        nodes = tuple(asked.nodes)
        if asked.gpus is not None:
            begins = asked.starts_at or datetime.now(UTC)
            reserved = taken(await slurm_reservations(), begins, asked.minutes)
            nodes = nodes_with(watcher.snapshot.nodes, asked.gpus, asked.gpu_type, reserved)
            note.detail["nodes"] = list(nodes)
        await operations.reserve(
            admin.username,
            ReservationSpec(
                name=asked.name,
                starts_at=asked.starts_at,
                minutes=asked.minutes,
                nodes=nodes,
                users=tuple(asked.users),
                accounts=tuple(asked.accounts),
                flags=tuple(asked.flags),
            ),
        )
    return await reservations(admin, slurm_reservations)


@router.patch("/reservations/{name}", responses={404: {"description": "There is no such reservation."}})
async def change_reservation(
    name: Word,
    asked: ReservationPatch,
    admin: AdminUser,
    audit: AuditLog,
    operations: ClusterOperations,
    slurm_reservations: Reservations,
) -> ReservationList:
    """Change a reservation's times, nodes, users or accounts. Running jobs continue."""
    async with audit.noted(admin, "reservation.change", name, **asked.model_dump(mode="json", exclude_none=True)):
        existing = next((item for item in await slurm_reservations() if item.name == name), None)
        if existing is None:
            raise NotFound(f"There is no reservation {name}.", hint="See the list of reservations.")
        await operations.change_reservation(admin.username, existing, asked)
    return await reservations(admin, slurm_reservations)


@router.delete("/reservations/{name}")
async def unreserve(
    name: str, admin: AdminUser, audit: AuditLog, operations: ClusterOperations, slurm_reservations: Reservations
) -> ReservationList:
    """Delete a reservation. Slurm refuses while jobs run in it."""
    async with audit.noted(admin, "reservation.delete", name):
        await operations.unreserve(admin.username, name)
    return await reservations(admin, slurm_reservations)


@router.get("/jobs")
async def jobs(
    _: AdminUser,
    operations: ClusterOperations,
    state: Literal["waiting", "running", "all"] = "all",
    query: Annotated[str, Query(max_length=100)] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
) -> QueueRows:
    """List pending and running jobs of all users."""
    return await operations.queue(state=state, query=query, limit=limit)


@router.post("/jobs/actions")
async def act_on_jobs(
    asked: JobsAction, admin: AdminUser, audit: AuditLog, operations: ClusterOperations
) -> JobResults:
    """Hold, release, requeue or cancel any user's jobs, or set their time limit or priority."""
    detail = {"walltime_s": asked.walltime_s, "priority": asked.priority}
    target = ",".join(asked.jobs)
    async with audit.noted(admin, f"job.{asked.action.value}", target, **detail) as note:
        results = await operations.jobs(admin.username, asked)
        note.detail["failed"] = {result.id: result.message for result in results if not result.ok}
    return JobResults(results=results)
