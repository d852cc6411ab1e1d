"""Whether the portal works, for load balancers and people: /healthz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from portal.context import Portal


class Health(BaseModel):
    """`ok` while the portal itself works; the parts it leans on are told beside it."""

    ok: bool
    database: bool
    hub: bool
    slurm: str


async def look(portal: Portal) -> Health:
    try:
        async with portal.work() as db:
            await db.execute(text("SELECT 1"))
        database = True
    except SQLAlchemyError:
        database = False
    return Health(
        ok=database,
        database=database,
        hub=await portal.hub.healthy(),
        slurm=portal.watcher.picture.state.value,
    )
