"""The wiring of administrators' operations on the cluster."""

from __future__ import annotations

from dataclasses import dataclass

from portal.base import Base
from portal.messages.service import Messages
from portal.operate.node_history import NodeHistory
from portal.operate.notifier import ChangeNotifier
from portal.operate.service import Operations, Troubles
from portal.operate.sessions import SessionOperations
from portal.placement.policy_views import PolicyViews
from portal.sessions.wiring import SessionServices
from portal.slurm.nodes import Reservation
from portal.slurm.operator import Operator
from portal.slurm.shared import Shared


@dataclass(frozen=True)
class OperationServices:
    service: Operations
    sessions: SessionOperations
    notifier: ChangeNotifier
    node_history: NodeHistory
    reservations: Shared[list[Reservation]]


def wire_operations(
    base: Base,
    messages: Messages,
    sessions: SessionServices,
    operator: Operator,
    views: PolicyViews,
    troubles: Troubles,
) -> OperationServices:
    settings, slurm, watcher, now = base.settings, base.slurm, base.watcher, base.now
    history = NodeHistory(base.work, watcher, now, settings.cluster.node_history_days)
    service = Operations(operator, watcher, messages, sessions.store, history, troubles)
    return OperationServices(
        service=service,
        sessions=SessionOperations(
            operations=service,
            store=sessions.store,
            service=sessions.service,
            views=views,
            messages=messages,
            limits=sessions.limits,
            policy=settings.policy,
            now=now,
        ),
        notifier=ChangeNotifier(watcher, base.bus),
        node_history=history,
        reservations=Shared(slurm.reservations, slurm.budget),
    )
