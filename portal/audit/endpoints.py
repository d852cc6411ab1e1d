"""HTTP of the audit, for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from portal.auth.dependencies import AdminUser, PortalContext
from portal.numbers import RowNumber

router = APIRouter(prefix="/audit", tags=["audit"])


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


@router.get("")
async def page(
    _: AdminUser,
    portal: PortalContext,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    before: RowNumber | None = None,
    actor: str | None = None,
    action: str | None = None,
) -> AuditPage:
    """List who did what, newest first."""
    records = await portal.audit.page(limit=limit + 1, before=before, actor=actor, action=action)
    shown = records[:limit]
    return AuditPage(
        items=[AuditOut.model_validate(record) for record in shown],
        next=shown[-1].id if len(records) > limit else None,
    )
