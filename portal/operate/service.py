"""Administrators' operations on nodes, reservations and all users' jobs. Affected users are notified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import structlog

from portal.errors import FieldProblem, InvalidRequest, NotFound
from portal.messages.service import Messages
from portal.operate.node_health import findings
from portal.operate.node_history import NodeHistory
from portal.operate.node_schemas import Finding
from portal.operate.schemas import (
    AffectedJob,
    Drain,
    JobResult,
    JobsAction,
    NodeRow,
    QueueRow,
    QueueRows,
    ReservationOut,
    ReservationPatch,
)
from portal.policy.closures import clock
from portal.sessions.store import SessionStore
from portal.slurm.client import session_of
from portal.slurm.hostlist import expand
from portal.slurm.jobs import Job
from portal.slurm.nodes import Node, Reservation
from portal.slurm.operator import JobAction, Operator, ReservationChange, ReservationSpec
from portal.slurm.reasons import explain
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger()

Troubles = Callable[[str], Awaitable[Iterable[tuple[str, bool]]]]

DRAINING = frozenset({"DRAIN", "DRAINING", "DRAINED"})


class Operations:
    def __init__(
        self,
        operator: Operator,
        watcher: Watcher,
        messages: Messages,
        store: SessionStore,
        history: NodeHistory,
        troubles: Troubles,
    ) -> None:
        """`troubles` tells what sessions and jobs have reported of a node's GPUs, and whether the hardware is bad."""
        self._troubles = troubles
        self._operator = operator
        self._watcher = watcher
        self._messages = messages
        self._store = store
        self._history = history

    # --- nodes ---

    async def nodes(self) -> list[NodeRow]:
        """Return every node with its jobs and their owners, without a call of Slurm."""
        snapshot, names = self._watcher.snapshot, await self._names()
        on = _jobs_by_node(snapshot)
        return [_row(node, on.get(node.name, []), names) for node in snapshot.nodes]

    async def _names(self) -> dict[str, str]:
        """Return the names of active sessions by id: their jobs have generated names."""
        return {session.id: session.name for session in await self._store.active()}

    async def node(self, name: str) -> tuple[NodeRow, Node]:
        """Return one node, together with Slurm's record of it. Raises NotFound."""
        self._known([name])
        node = next(node for node in self._watcher.snapshot.nodes if node.name == name)
        return _row(node, _jobs_by_node(self._watcher.snapshot).get(name, []), await self._names()), node

    async def findings(self, node: Node) -> list[Finding]:
        """Return what an administrator should know about a node, the worst first."""
        told = [Finding(level="bad" if bad else "warn", text=text) for text, bad in await self._troubles(node.name)]
        return sorted([*findings(node), *told], key=lambda finding: finding.level != "bad")

    async def drain(self, actor: str, asked: Drain) -> list[str]:
        """Drain nodes and notify the owners of their jobs; return who was notified. Raises NotFound, SlurmRefused …"""
        self._known(asked.nodes)
        until = f"; until {clock(asked.deadline)}" if asked.deadline else ""
        reason = f"{asked.reason}{until}"
        self._history.expect(asked.nodes, actor, reason)
        await self._operator.drain(actor, asked.nodes, reason)
        notified = await self._tell(actor, asked)
        await self._watcher.reread("nodes")
        return notified

    async def resume(self, actor: str, nodes: Sequence[str]) -> None:
        self._known(nodes)
        self._history.expect(nodes, actor)
        await self._operator.resume(actor, nodes)
        await self._messages.nodes_are_back(nodes)
        await self._watcher.reread("nodes")

    def _known(self, nodes: Iterable[str]) -> None:
        known = {node.name for node in self._watcher.snapshot.nodes}
        if unknown := [name for name in nodes if name not in known]:
            raise NotFound(f"There is no node {unknown[0]}.")

    async def _tell(self, actor: str, asked: Drain) -> list[str]:
        """Send the owner of every job on the nodes one message, and add a line to each session there."""
        on, names = _jobs_by_node(self._watcher.snapshot), await self._names()
        owned: dict[str, list[tuple[Job, str]]] = defaultdict(list)
        for node in sorted(asked.nodes):
            for job in on.get(node, ()):
                owned[job.user].append((job, node))
        for user, jobs in owned.items():
            sessions = {id_: names[id_] for job, _ in jobs if (id_ := session_of(job.name)) in names}
            batch = sorted(f"{job.id} on {node}" for job, node in jobs if session_of(job.name) not in sessions)
            there = list(dict.fromkeys(node for _, node in jobs))
            text = _drain_text(", ".join(there), asked, _goes_on(list(sessions.values()), batch))[:900]
            await self._messages.send(user, text, author=actor, session_ids=list(sessions), nodes=there)
        return sorted(owned)

    # --- reservations ---

    async def reserve(self, actor: str, spec: ReservationSpec) -> None:
        self._known(spec.nodes)
        await self._operator.reserve(actor, spec)
        await self._reread()

    async def change_reservation(self, actor: str, reservation: Reservation, asked: ReservationPatch) -> None:
        """Change a reservation. Raises NotFound for an unknown node, InvalidRequest if nobody could use it."""
        self._known(asked.nodes or ())
        users = reservation.users if asked.users is None else asked.users
        accounts = reservation.accounts if asked.accounts is None else asked.accounts
        if not users and not accounts and not reservation.groups:
            raise InvalidRequest(
                "Nobody could use the reservation.",
                fields=[FieldProblem("users", "Name the users or accounts that it is for.")],
            )
        lists = {"nodes": asked.nodes, "users": asked.users, "accounts": asked.accounts}
        change = ReservationChange(
            starts_at=asked.starts_at,
            ends_at=asked.ends_at,
            **{key: None if value is None else tuple(value) for key, value in lists.items()},
        )
        await self._operator.change_reservation(actor, reservation.name, change)
        await self._reread()

    async def unreserve(self, actor: str, name: str) -> None:
        await self._operator.unreserve(actor, name)
        await self._reread()

    async def _reread(self) -> None:
        await self._watcher.reread("nodes")
        await self._watcher.reread("reservations")

    # --- jobs ---

    async def queue(self, *, state: str, query: str, limit: int) -> QueueRows:
        """Return pending and running jobs of all users, running ones first, that match `query` in any word."""
        snapshot, names = self._watcher.snapshot, await self._names()
        wanted = [
            job
            for job in snapshot.jobs.values()
            if not job.state.is_over and _fits(job, state, query.casefold(), _name(job, names))
        ]
        wanted.sort(key=lambda job: (job.state.waits, -job.priority if job.state.waits else 0, job.id))
        return QueueRows(
            items=[_queue_row(job, names) for job in wanted[:limit]], total=len(wanted), as_of=snapshot.jobs_as_of
        )

    async def jobs(self, actor: str, asked: JobsAction) -> list[JobResult]:
        results = await self._operator.jobs(actor, asked.jobs, asked.action, asked.value)
        self._watcher.kick()
        return [JobResult(id=job, ok=not message, message=message) for job, message in results.items()]

    async def time_limit(self, actor: str, job_id: int, walltime_s: int) -> JobResult:
        asked = JobsAction(jobs=[str(job_id)], action=JobAction.TIME_LIMIT, walltime_s=walltime_s)
        return (await self.jobs(actor, asked))[0]


def reservation_out(reservation: Reservation) -> ReservationOut:
    values = {name: getattr(reservation, name) for name in ReservationOut.model_fields if name != "node_names"}
    lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
    return ReservationOut(**values | lists, node_names=list(expand(reservation.nodes)))


def _goes_on(sessions: Sequence[str], jobs: Sequence[str]) -> str:
    if not jobs:
        return "Your session continues" if len(sessions) == 1 else f"Your sessions continue: {', '.join(sessions)}"
    if not sessions:
        return f"Your {'job continues' if len(jobs) == 1 else 'jobs continue'}: {', '.join(jobs)}"
    return f"What you run there continues: {', '.join([*sessions, *jobs])}"


def _drain_text(where: str, asked: Drain, goes_on: str) -> str:
    wish = f" Please finish by {clock(asked.deadline)}." if asked.deadline else ""
    return f"{where} is being drained: {asked.reason}. {goes_on}.{wish} {asked.message}".strip()


def _jobs_by_node(snapshot: Snapshot) -> dict[str, list[Job]]:
    on: dict[str, list[Job]] = defaultdict(list)
    for job in snapshot.jobs.values():
        if job.nodes and not job.state.is_over:
            for name in expand(job.nodes):
                on[name].append(job)
    return on


def _name(job: Job, names: Mapping[str, str]) -> str:
    return names.get(session_of(job.name) or "", job.name)


def _fits(job: Job, state: str, query: str, name: str) -> bool:
    if state != "all" and (state == "waiting") != job.state.waits:
        return False
    words = (str(job.id), name, job.name, job.user, job.account, job.partition, job.qos, job.nodes, job.state.value)
    return not query or any(query in word.casefold() for word in words)


def _queue_row(job: Job, names: Mapping[str, str]) -> QueueRow:
    return QueueRow(
        id=str(job.id),
        name=_name(job, names),
        user=job.user,
        account=job.account,
        partition=job.partition,
        qos=job.qos,
        state=job.state.value,
        reason=explain(job.reason, job) if job.state.waits else "",
        nodes=job.nodes,
        gpus=job.gpus,
        cpus=job.cpus,
        priority=job.priority,
        time_limit_s=job.time_limit_s,
        submitted_at=job.submitted_at,
        started_at=job.started_at,
        ends_at=job.ends_at,
        session_id=session_of(job.name),
    )


def _row(node: Node, jobs: list[Job], names: Mapping[str, str]) -> NodeRow:
    return NodeRow(
        name=node.name,
        state="+".join([node.state.value, *sorted(node.flags)]),
        available=node.available,
        draining=bool(node.flags & DRAINING),
        reason=node.reason,
        partitions=list(node.partitions),
        gpus_total=sum(gpu.total for gpu in node.gpus),
        gpus_allocated=sum(gpu.allocated for gpu in node.gpus),
        gpu_types=[gpu.type for gpu in node.gpus if gpu.type],
        cpus=node.cpus,
        cpus_allocated=node.cpus_allocated,
        memory_mib=node.memory_mib,
        memory_allocated_mib=node.memory_allocated_mib,
        load=node.load,
        jobs=[
            AffectedJob(
                id=job.id,
                user=job.user,
                name=_name(job, names),
                session_id=session_of(job.name),
                gpus=job.gpus,
                ends_at=job.ends_at,
            )
            for job in jobs
        ],
    )
