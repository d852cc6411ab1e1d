"""HTTP routes for the portal's health, for administrators."""

from __future__ import annotations

from portal.auth.dependencies import AdminUser
from portal.health.dependencies import Health
from portal.health.schemas import HealthOut
from portal.routing import Router

router = Router(prefix="/admin", tags=["admin"])


@router.get("/health")
async def health(_: AdminUser, view: Health) -> HealthOut:
    """Return the last known state of each part that the portal depends on, and the recent calls of Slurm.

    The stream `/events?also=health` sends the same as `health`, every 15 seconds.
    """
    return view.full()
