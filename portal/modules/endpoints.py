"""HTTP of the environment modules."""

from __future__ import annotations

from portal.auth.dependencies import CurrentUser, PortalContext
from portal.modules.schemas import ModulePage
from portal.routing import Router

router = Router(prefix="/modules", tags=["environments"])


@router.get("")
async def page(_: CurrentUser, portal: PortalContext) -> ModulePage:
    """List the modules that a session can load on top of its environment."""
    return portal.modules.page
