"""Writes and reads the audit: every action of a person or a token, allowed or refused, before it is done and after."""

from __future__ import annotations

from asyncio import CancelledError
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import structlog
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from portal.audit.models import AuditRecord
from portal.db import failure
from portal.db.engine import UnitOfWork
from portal.errors import PortalError

log = structlog.get_logger()

#: The result of an act whose outcome is not written: it goes on, or nobody knows how it ended.
UNKNOWN = "unknown"
#: Outcomes that wait for a database that does not answer; each is in the log as well.
LATE_AT_MOST = 1000


class Caller(Protocol):
    """Whose action it is, and from where."""

    @property
    def username(self) -> str: ...

    @property
    def address(self) -> str: ...


@dataclass
class Note:
    """A record that is still being made; what it is about may become known on the way."""

    target: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which records; `action` by how it begins, `target` by a part of it, `refused`: what did not end well."""

    actor: str = ""
    action: str = ""
    target: str = ""
    refused: bool = False
    since: datetime | None = None
    until: datetime | None = None


class Audit:
    def __init__(self, work: UnitOfWork, now: Callable[[], datetime]) -> None:
        self._work = work
        self._now = now
        self._late: deque[dict[str, Any]] = deque(maxlen=LATE_AT_MOST)

    async def record(
        self, *, actor: str, action: str, target: str, result: str = "ok", address: str = "", **detail: Any
    ) -> None:
        """Append one record; `result` is `ok` or the code of the error that ended it."""
        await self._write(self._made(actor, action, target, result, address, detail))

    def _made(
        self, actor: str, action: str, target: str, result: str, address: str, detail: dict[str, Any]
    ) -> dict[str, Any]:
        log.info("audit", actor=actor, action=action, target=target, result=result, address=address)
        return {
            "at": self._now(),
            "actor": actor[:255],
            "action": action,
            "target": target[:255],
            "result": result,
            "address": address[:64],
            "detail": dict(detail),
        }

    async def _write(self, made: dict[str, Any]) -> int:
        async with self._work() as session:
            session.add(record := AuditRecord(**made))
        return record.id

    async def _outcome(self, made: dict[str, Any]) -> None:
        """Write an outcome, now or with the next one: that it cannot be written is no failure of the act."""
        self._late.append(made)
        while self._late:
            one = self._late.popleft()
            try:
                await self._write(one)
            except IntegrityError:  # an earlier attempt was no failure: its answer was lost
                log.info("audit.outcome_known", intent=one["intent_id"])
            except failure.FAILURES as error:
                log.error("audit.outcome_late", intent=one["intent_id"], error=str(error)[:200])
                self._late.appendleft(one)
                return

    @asynccontextmanager
    async def noted(self, caller: Caller, action: str, target: str, **detail: Any) -> AsyncIterator[Note]:
        """Append the intent before the block, and the outcome when it ends; without one it is `unknown`."""
        who = caller.username, action
        intent_id = await self._write(self._made(*who, target, UNKNOWN, caller.address, detail))
        note, result = Note(target, detail), "ok"
        try:
            yield note
        except PortalError as error:
            result = error.code
            note.detail["message"] = error.message
            raise
        except (*failure.FAILURES, CancelledError):
            result = UNKNOWN
            raise
        except BaseException:
            result = "internal"
            raise
        finally:
            made = self._made(*who, note.target, result, caller.address, note.detail)
            await self._outcome(made | {"intent_id": intent_id})

    async def page(self, asked: AuditFilter, *, limit: int, before: int | None = None) -> list[AuditRecord]:
        """Return records, newest first, older than the record `before`."""
        outcome = aliased(AuditRecord)
        settled = select(outcome.id).where(outcome.intent_id == AuditRecord.id).exists()
        query = select(AuditRecord).where(~settled).order_by(AuditRecord.id.desc()).limit(limit)
        if before is not None:
            query = query.where(AuditRecord.id < before)
        if asked.actor:
            query = query.where(AuditRecord.actor == asked.actor)
        if asked.action:
            query = query.where(AuditRecord.action.startswith(asked.action, autoescape=True))
        if asked.target:
            query = query.where(AuditRecord.target.contains(asked.target, autoescape=True))
        if asked.refused:
            query = query.where(AuditRecord.result != "ok")
        if asked.since is not None:
            query = query.where(AuditRecord.at >= asked.since)
        if asked.until is not None:
            query = query.where(AuditRecord.at < asked.until)
        async with self._work() as session:
            if asked.since is not None and asked.until is not None:
                # Else SQLite sorts all records of that time. Their numbers it reads from the index alone.
                between = AuditRecord.at >= asked.since, AuditRecord.at < asked.until
                ends = select(func.min(AuditRecord.id), func.max(AuditRecord.id)).where(*between)
                first, last = (await session.execute(ends)).one()
                if first is None:
                    return []
                query = query.where(AuditRecord.id >= first, AuditRecord.id <= last)
            return list(await session.scalars(query))
