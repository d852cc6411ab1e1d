"""Writes and reads the audit: every action of a person or a token, allowed or refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import structlog
from sqlalchemy import select

from portal.audit.models import AuditRecord
from portal.db.engine import UnitOfWork
from portal.errors import PortalError

log = structlog.get_logger()


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

    async def record(
        self, *, actor: str, action: str, target: str, result: str = "ok", address: str = "", **detail: Any
    ) -> None:
        """Append one record; `result` is `ok` or the code of the error that ended it."""
        log.info("audit", actor=actor, action=action, target=target, result=result, address=address)
        async with self._work() as session:
            session.add(
                AuditRecord(
                    at=self._now(),
                    actor=actor[:255],
                    action=action,
                    target=target[:255],
                    result=result,
                    address=address[:64],
                    detail=detail,
                )
            )

    @asynccontextmanager
    async def noted(self, caller: Caller, action: str, target: str, **detail: Any) -> AsyncIterator[Note]:
        """Append one record when the block ends, however it ends."""
        note, result = Note(target, detail), "ok"
        try:
            yield note
        except PortalError as error:
            result = error.code
            note.detail["message"] = error.message
            raise
        except BaseException:
            result = "internal"
            raise
        finally:
            await self.record(
                actor=caller.username,
                action=action,
                target=note.target,
                result=result,
                address=caller.address,
                **note.detail,
            )

    async def page(self, asked: AuditFilter, *, limit: int, before: int | None = None) -> list[AuditRecord]:
        """Return records, newest first, older than the record `before`."""
        query = select(AuditRecord).order_by(AuditRecord.id.desc()).limit(limit)
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
            return list(await session.scalars(query))
