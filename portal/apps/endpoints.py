"""HTTP of the app catalogue."""

from __future__ import annotations

from portal.apps.schemas import OfferPage
from portal.auth.dependencies import CurrentUser, PortalContext
from portal.routing import Router

router = Router(tags=["apps"])


@router.get("/apps")
async def page(user: CurrentUser, portal: PortalContext) -> OfferPage:
    """List every app of this site: what it is, where its software comes from, and why it cannot start if it cannot."""
    return await portal.offers.page(user.username, admin=user.admin)
