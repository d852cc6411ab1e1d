"""The wiring of administrators' operations on the cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from portal.db.engine import UnitOfWork
from portal.events.bus import Bus
from portal.messages.service import Messages
from portal.operate.news import News
from portal.operate.node_history import NodeHistory
from portal.operate.service import Operations
from portal.operate.sessions import SessionOperations
from portal.sessions.room import SessionRoom
from portal.settings import Settings
from portal.slurm.commands import SlurmCommands
from portal.slurm.operator import Operator
from portal.slurm.shared import Shared
from portal.slurm.types import Reservation
from portal.slurm.watcher import Watcher


@dataclass(frozen=True)
class OperateRoom:
    service: Operations
    sessions: SessionOperations
    news: News
    node_history: NodeHistory
    reservations: Shared[list[Reservation]]


def operate_room(
    *,
    settings: Settings,
    work: UnitOfWork,
    bus: Bus,
    slurm: SlurmCommands,
    watcher: Watcher,
    messages: Messages,
    sessions: SessionRoom,
    now: Callable[[], datetime],
) -> OperateRoom:
    service = Operations(Operator(settings.slurm, slurm.door, slurm.calls), watcher, messages, sessions.store)
    return OperateRoom(
        service=service,
        sessions=SessionOperations(
            operations=service,
            store=sessions.store,
            service=sessions.service,
            asks=sessions.asks,
            messages=messages,
            watcher=watcher,
            policy=settings.policy,
            now=now,
        ),
        news=News(watcher, bus),
        node_history=NodeHistory(work, watcher, now, settings.cluster.node_history_days),
        reservations=Shared(slurm.reservations, slurm.budget),
    )
