"""HTTP of the portal's health, for administrators."""

from __future__ import annotations

from portal.auth.dependencies import AdminUser
from portal.health.dependencies import Health
from portal.health.schemas import HealthOut
from portal.routing import Router

router = Router(prefix="/admin", tags=["admin"])


@router.get("/health")
async def health(_: AdminUser, view: Health) -> HealthOut:
    """Return how each part is that the portal leans on, as last seen, and what Slurm was asked lately.

    The stream `/events?also=health` tells the same as `health`, every quarter of a minute.
    """
    return view.full()
