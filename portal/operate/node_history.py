"""Keeps each node's history from the watcher's snapshots: a row when its service state or the reason changes.

How busy a node is changes all day and is not kept. While Slurm does not answer, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


class NodeHistory:
    def __init__(self, work: UnitOfWork, watcher: Watcher, now: Callable[[], datetime], keep_days: int) -> None:
        self._work = work
        self._watcher = watcher
        self._now = now
        self._keep = timedelta(days=keep_days)
        self._known: dict[str, tuple[str, str]] | None = None
        self._forgotten_at: datetime | None = None

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
            at = snapshot.nodes_as_of or self._now()
            async with self._work() as db:
                db.add_all(
                    NodeStateRecord(node=name, at=at, state=state, reason=reason)
                    for name, (state, reason) in news.items()
                )
            self._known = now

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
            return {record.node: (record.state, record.reason) for record in records}

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
