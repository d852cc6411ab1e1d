"""Keeps each node's history from the watcher's snapshots: a row when its service state or the reason changes.

How busy a node is changes all day and is not kept. While Slurm does not answer, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.exc import SQLAlchemyError

from portal.cluster.board import state_of
from portal.db.engine import UnitOfWork
from portal.operate.models import NodeStateRecord
from portal.slurm.nodes import Node
from portal.slurm.snapshot import Snapshot
from portal.slurm.watcher import Watcher

log = structlog.get_logger(__name__)

IN_SERVICE = "up"
GONE = "gone"
FORGET_EVERY = timedelta(hours=1)
REASON_CHARS = 500
#: How long after an administrator's action a change of the node counts as theirs.
ACTION_COUNTS = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Action:
    """An administrator drained the node with a reason, or resumed it (no reason)."""

    actor: str
    reason: str
    at: datetime


class NodeHistory:
    def __init__(self, work: UnitOfWork, watcher: Watcher, now: Callable[[], datetime], keep_days: int) -> None:
        self._work = work
        self._watcher = watcher
        self._now = now
        self._keep = timedelta(days=keep_days)
        self._known: dict[str, tuple[str, str]] | None = None
        self._forgotten_at: datetime | None = None
        self._actions: dict[str, Action] = {}
        self._actors: dict[str, tuple[str, str | None]] = {}
        """The last reason of each node, and who gave it."""

    def expect(self, nodes: Iterable[str], actor: str, reason: str = "") -> None:
        """Note that `actor` drains the nodes with this reason, or resumes them: Slurm itself sees only its own user."""
        self._actions |= dict.fromkeys(nodes, Action(actor, reason, self._now()))

    async def run(self) -> None:
        """Follow the watcher forever; what could not be written is written with the next snapshot."""
        last: object = None
        async for snapshot in self._watcher.subscribe():
            if snapshot.nodes is last or snapshot.nodes_as_of is None:
                continue
            try:
                await self.take(snapshot)
                await self.forget_old()
            except SQLAlchemyError as error:
                log.warning("nodes.history_lost", error=str(error)[:200])
            else:
                last = snapshot.nodes

    async def take(self, snapshot: Snapshot) -> None:
        """Write what differs from the last record, whichever portal wrote that."""
        if self._known is None:
            self._known = await self._last()
        now = {node.name: in_words(node) for node in snapshot.nodes}
        now |= dict.fromkeys(self._known.keys() - now.keys(), (GONE, ""))
        news = {name: state for name, state in now.items() if self._known.get(name) != state}
        if news:
            named = {node.name: node.reason_by for node in snapshot.nodes}
            actors = {name: self._actor(name, reason, named.get(name)) for name, (_, reason) in news.items()}
            at = snapshot.nodes_as_of or self._now()
            async with self._work() as db:
                db.add_all(
                    NodeStateRecord(node=name, at=at, state=state, reason=reason, actor=actors[name])
                    for name, (state, reason) in news.items()
                )
            self._known = now
            for name, (_, reason) in news.items():
                self._actors[name] = (reason, actors[name])
                self._actions.pop(name, None)

    def _actor(self, node: str, reason: str, named: str | None) -> str | None:
        """Return who made the change: the administrator who acted through the portal, or the user that Slurm names."""
        action = self._actions.get(node)
        if action is not None and action.reason == reason and self._now() - action.at < ACTION_COUNTS:
            return action.actor
        if not reason:
            return None
        last_reason, actor = self._actors.get(node, ("", None))
        return (
            actor if last_reason == reason else named or None
        )  # a draining node becomes drained later, for the same reason

    async def of(self, node: str, limit: int) -> Sequence[NodeStateRecord]:
        """Return a node's records, newest first."""
        query = (
            select(NodeStateRecord).where(NodeStateRecord.node == node).order_by(NodeStateRecord.id.desc()).limit(limit)
        )
        async with self._work() as db:
            return (await db.scalars(query)).all()

    async def _last(self) -> dict[str, tuple[str, str]]:
        newest = select(func.max(NodeStateRecord.id)).group_by(NodeStateRecord.node)
        async with self._work() as db:
            records = await db.scalars(select(NodeStateRecord).where(NodeStateRecord.id.in_(newest)))
            found = list(records)
        self._actors = {record.node: (record.reason, record.actor) for record in found}
        return {record.node: (record.state, record.reason) for record in found}

    async def forget_old(self) -> None:
        """Delete old records at intervals, but never a node's newest one: it holds until the next."""
        now = self._now()
        if self._forgotten_at is not None and now - self._forgotten_at < FORGET_EVERY:
            return
        self._forgotten_at = now
        newest = select(func.max(NodeStateRecord.id)).group_by(NodeStateRecord.node)
        old = NodeStateRecord.at < now - self._keep
        async with self._work() as db:
            await db.execute(delete(NodeStateRecord).where(old, NodeStateRecord.id.not_in(newest)))


def in_words(node: Node) -> tuple[str, str]:
    """Return a node's state as stored, and its reason; `up` however busy it is."""
    word = state_of(node)
    state = IN_SERVICE if word in ("idle", "mixed", "full", "asleep", "reserved") else word
    # Slurm keeps an old reason on some nodes that are back in service.
    return state, "" if state == IN_SERVICE else node.reason[:REASON_CHARS]
