"""HTTP routes for the app catalogue."""

from __future__ import annotations

from typing import Annotated

from portal.apps.offers import Offers
from portal.apps.schemas import OfferPage
from portal.auth.dependencies import CurrentUser
from portal.provided import provided
from portal.routing import Router

router = Router(tags=["apps"])

AppOffers = Annotated[Offers, provided(Offers)]


@router.get("/apps")
async def page(user: CurrentUser, offers: AppOffers) -> OfferPage:
    """List this site's apps, the environments that each runs in, and the reason if an app cannot start."""
    return await offers.page(user.username, admin=user.admin)
