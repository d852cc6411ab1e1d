"""Writes and reads the audit log: an entry before and after each action of a user or a token, allowed or refused."""

from __future__ import annotations

from asyncio import CancelledError
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import structlog
from sqlalchemy import func, inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from portal.audit.models import AuditRecord
from portal.db import failure
from portal.db.engine import UnitOfWork
from portal.errors import PortalError

log = structlog.get_logger()

#: The result while no outcome is written: the act is still running, or nobody knows how it ended.
UNKNOWN = "unknown"
#: Outcomes that wait for a database that does not answer; each is in the log, too.
LATE_AT_MOST = 1000


class Caller(Protocol):
    """Who acts, and from where."""

    @property
    def username(self) -> str: ...

    @property
    def address(self) -> str: ...


class PendingEntry:
    """An entry in the making; its target may become known on the way.

    The act may write both halves in its own transactions, which saves a sync each: the `intent` of a note made by
    `noted_with`, and the outcome.
    """

    def __init__(self, made: Callable[[str, str, dict[str, Any]], dict[str, Any]], target: str, detail: Any) -> None:
        self.target = target
        self.detail: dict[str, Any] = detail
        self._made = made
        self.intent = AuditRecord(**made(target, UNKNOWN, detail))
        self._outcome: AuditRecord | None = None

    def ends_well(self) -> AuditRecord:
        """Return the outcome, to be written in the transaction that completes the action."""
        self._outcome = AuditRecord(**self.outcome("ok"))
        return self._outcome

    def outcome(self, result: str) -> dict[str, Any]:
        """Return the outcome's fields. An intent that was never written has no id to refer to."""
        intent_id = self.intent.id if self.is_begun else None
        return self._made(self.target, result, self.detail) | {"intent_id": intent_id}

    @property
    def is_begun(self) -> bool:
        return _committed(self.intent)

    @property
    def is_settled(self) -> bool:
        return self._outcome is not None and _committed(self._outcome)


def _committed(record: AuditRecord) -> bool:
    """Return whether the entry is in the database: after a failed transaction it is new again."""
    return inspect(record).has_identity


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Selects entries: `action` by prefix, `target` by substring, `refused` for those that failed."""

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
        """Append an entry; `result` is `ok` or the code of the error that ended the act."""
        await self.write(self._made(actor, action, target, result, address, detail))

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

    async def write(self, made: dict[str, Any]) -> None:
        await self._add(AuditRecord(**made))

    async def _add(self, record: AuditRecord) -> None:
        async with self._work() as session:
            session.add(record)

    async def _outcome(self, made: dict[str, Any]) -> None:
        """Write an outcome, now or with the next one: a failed write does not make the act a failure."""
        self._late.append(made)
        while self._late:
            entry = self._late.popleft()
            try:
                await self.write(entry)
            except IntegrityError:  # an earlier attempt succeeded after all: only its answer was lost
                log.info("audit.outcome_known", intent=entry["intent_id"])
            except failure.FAILURES as error:
                log.error("audit.outcome_late", intent=entry["intent_id"], error=str(error)[:200])
                self._late.appendleft(entry)
                return

    @asynccontextmanager
    async def noted(self, caller: Caller, action: str, target: str, **detail: Any) -> AsyncIterator[PendingEntry]:
        """Append the intent before the block and the outcome after it; without an outcome the result is `unknown`."""
        async with self.noted_with(caller, action, target, **detail) as note:
            await self._add(note.intent)
            yield note

    @asynccontextmanager
    async def noted_with(self, caller: Caller, action: str, target: str, **detail: Any) -> AsyncIterator[PendingEntry]:
        """Like `noted`, for an act that writes `note.intent` itself, together with its own first row.

        An act that ends before that has done nothing; the outcome is then its only entry.
        """

        def made(target: str, result: str, detail: dict[str, Any]) -> dict[str, Any]:
            return self._made(caller.username, action, target, result, caller.address, detail)

        note, result, database_fails = PendingEntry(made, target, detail), "ok", False
        try:
            yield note
        except PortalError as error:
            result = error.code
            note.detail["message"] = error.message
            raise
        except failure.FAILURES:
            result, database_fails = UNKNOWN, True
            raise
        except CancelledError:
            result = UNKNOWN
            raise
        except BaseException:
            result = "internal"
            raise
        finally:
            if database_fails and not note.is_begun:  # the caller must not wait for it twice
                self._late.append(note.outcome(result))
            elif not note.is_settled:
                await self._outcome(note.outcome(result))

    async def page(self, asked: AuditFilter, *, limit: int, before: int | None = None) -> list[AuditRecord]:
        """Return entries older than the entry `before`, newest first."""
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
                # Otherwise SQLite sorts all entries of that period. It reads ids from the index alone.
                between = AuditRecord.at >= asked.since, AuditRecord.at < asked.until
                ends = select(func.min(AuditRecord.id), func.max(AuditRecord.id)).where(*between)
                first, last = (await session.execute(ends)).one()
                if first is None:
                    return []
                query = query.where(AuditRecord.id >= first, AuditRecord.id <= last)
            return list(await session.scalars(query))
