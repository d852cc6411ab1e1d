"""HTTP routes for announcements: users read them, administrators make them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from portal.announcements.affected import jobs_cut_short
from portal.announcements.models import AnnouncementKind
from portal.announcements.schemas import (
    AffectedList,
    AffectedOut,
    AnnouncementIn,
    AnnouncementList,
    AnnouncementRow,
    AnnouncementRows,
)
from portal.announcements.service import Announcements
from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import AdminUser, CurrentUser, HubOnly
from portal.numbers import RowNumber
from portal.provided import provided
from portal.routing import Router
from portal.sessions.dependencies import SessionRecords
from portal.slurm.dependencies import SlurmWatcher

router = Router(tags=["announcements"])
internal = Router(prefix="/internal", include_in_schema=False, dependencies=[HubOnly])

JOBS_SHOWN = 200

Announced = Annotated[Announcements, provided(Announcements)]


@router.get("/announcements")
async def shown(_: CurrentUser, announcements: Announced) -> AnnouncementList:
    """Return the current announcements, maintenance first."""
    return AnnouncementList(items=await announcements.shown())


@internal.get("/announcements")
async def on_login_page(announcements: Announced) -> AnnouncementList:
    return AnnouncementList(items=await announcements.shown(on_login=True))


@router.get("/admin/announcements")
async def rows(_: AdminUser, announcements: Announced) -> AnnouncementRows:
    """List all announcements, newest first, including planned and past ones."""
    return AnnouncementRows(items=await announcements.rows())


@router.post("/admin/announcements", status_code=201)
async def make(asked: AnnouncementIn, admin: AdminUser, audit: AuditLog, announcements: Announced) -> AnnouncementRow:
    """Make an announcement, or plan maintenance: from now on, sessions that would run into it are refused."""
    async with audit.noted(admin, "announcement.make", asked.kind.value, text=asked.text[:200]) as note:
        row = await announcements.make(asked, admin.username)
        note.target = str(row.id)
    return row


@router.put("/admin/announcements/{announcement_id}", responses={409: {"description": "The announcement has ended."}})
async def change(
    announcement_id: RowNumber, asked: AnnouncementIn, admin: AdminUser, audit: AuditLog, announcements: Announced
) -> AnnouncementRow:
    """Change an announcement that has not ended. Fields left out get their defaults."""
    async with audit.noted(admin, "announcement.change", str(announcement_id), text=asked.text[:200]):
        return await announcements.change(announcement_id, asked)


@router.delete(
    "/admin/announcements/{announcement_id}", responses={409: {"description": "The announcement has ended."}}
)
async def end(
    announcement_id: RowNumber, admin: AdminUser, audit: AuditLog, announcements: Announced
) -> AnnouncementRow:
    """End an announcement now; it stays in the list as past."""
    async with audit.noted(admin, "announcement.end", str(announcement_id)):
        return await announcements.end(announcement_id)


@router.post("/admin/announcements/affected")
async def affected(asked: AnnouncementIn, _: AdminUser, records: SessionRecords, watcher: SlurmWatcher) -> AffectedList:
    """List the sessions and batch jobs that this maintenance would cut short. Nothing is written."""
    if asked.kind is not AnnouncementKind.MAINTENANCE or asked.starts_at is None:
        return AffectedList(items=[], jobs=[], jobs_total=0)
    jobs = jobs_cut_short(watcher.snapshot, asked.partitions, asked.starts_at, datetime.now(UTC))
    return AffectedList(
        jobs=jobs[:JOBS_SHOWN],
        jobs_total=len(jobs),
        items=[
            AffectedOut(
                id=record.id, name=record.name, owner=record.owner, partition=record.partition, ends_at=record.ends_at
            )
            for record in await records.active()
            if (not asked.partitions or record.partition in asked.partitions)
            and (record.ends_at is None or record.ends_at > asked.starts_at)
        ],
    )
