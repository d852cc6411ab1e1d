"""HTTP of the environments: everybody sees them, administrators install them."""

from __future__ import annotations

from portal.auth.dependencies import AdminUser, CurrentUser, PortalContext
from portal.environments.schemas import EnvironmentOut, EnvironmentPage
from portal.routing import Router

router = Router(prefix="/environments", tags=["environments"])


@router.get("")
async def page(user: CurrentUser, portal: PortalContext) -> EnvironmentPage:
    """List the site's environments, how the last installation of each stands, and my images."""
    return EnvironmentPage(items=await portal.images.shelf.overview(user.username))


@router.post(
    "/{name}/install",
    status_code=202,
    responses={409: {"description": "It is installed, or cannot be installed here."}},
)
async def install(name: str, user: AdminUser, portal: PortalContext) -> EnvironmentOut:
    """Install or renew an environment. It goes on in the background; `GET /events` tells how."""
    async with portal.audit.noted(user, "environment.install", name):
        return portal.environments.start(name)
