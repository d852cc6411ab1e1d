"""HTTP routes for the environment modules."""

from __future__ import annotations

from typing import Annotated

from portal.auth.dependencies import CurrentUser
from portal.modules.schemas import ModulePage
from portal.modules.service import ModuleService
from portal.provided import provided
from portal.routing import Router

router = Router(prefix="/modules", tags=["environments"])

Modules = Annotated[ModuleService, provided(ModuleService)]


@router.get("")
async def page(_: CurrentUser, modules: Modules) -> ModulePage:
    """List the modules that a session can load on top of its environment."""
    return modules.page
