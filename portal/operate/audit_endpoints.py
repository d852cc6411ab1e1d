"""HTTP routes for the audit log, for administrators."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict

from portal import csv_text
from portal.audit.dependencies import AuditLog
from portal.audit.service import AuditFilter
from portal.auth.dependencies import AdminUser
from portal.moment import Moment
from portal.numbers import RowNumber
from portal.routing import Router

router = Router(prefix="/audit", tags=["audit"])

CSV_AT_MOST = 50_000


class AuditOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    at: datetime
    actor: str
    action: str
    target: str
    result: str
    address: str
    detail: dict[str, Any]


class AuditPage(BaseModel):
    items: list[AuditOut]
    next: int | None


def _asked(
    actor: Annotated[str, Query(max_length=255)] = "",
    action: Annotated[str, Query(max_length=64)] = "",
    target: Annotated[str, Query(max_length=255)] = "",
    refused: bool = False,
    since: Moment | None = None,
    until: Moment | None = None,
) -> AuditFilter:
    return AuditFilter(actor, action, target, refused, since, until)


Asked = Annotated[AuditFilter, Depends(_asked)]


@router.get("")
async def page(
    _: AdminUser,
    audit: AuditLog,
    asked: Asked,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    before: RowNumber | None = None,
) -> AuditPage:
    """List the entries of the audit log, newest first. `action` matches a prefix, `target` any part."""
    records = await audit.page(asked, limit=limit + 1, before=before)
    shown = records[:limit]
    return AuditPage(
        items=[AuditOut.model_validate(record) for record in shown],
        next=shown[-1].id if len(records) > limit else None,
    )


@router.get("/csv", response_class=csv_text.CsvFile)
async def csv(_: AdminUser, audit: AuditLog, asked: Asked) -> csv_text.CsvFile:
    """Return the audit log as CSV: at most the newest 50,000 entries."""
    records = await audit.page(asked, limit=CSV_AT_MOST)
    rows = [
        (
            record.at.isoformat(),
            record.actor,
            record.action,
            record.target,
            record.result,
            record.address,
            json.dumps(record.detail),
        )
        for record in records
    ]
    head = ("at", "actor", "action", "target", "result", "address", "detail")
    return csv_text.file(await asyncio.to_thread(csv_text.text, head, rows), "audit.csv")
