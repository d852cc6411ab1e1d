"""Routes name the services that they use; what nobody registers is found when the portal starts."""

from __future__ import annotations

from typing import Annotated

import pytest
from fastapi import Depends, FastAPI, Request

from portal.app import attach
from portal.provided import provided
from portal.routing import Router, gate
from portal.wiring import Portal


class Unregistered:
    pass


Nowhere = Annotated[Unregistered, provided(Unregistered)]


@gate
async def knock(request: Request, service: Nowhere) -> None:
    return None


def test_portal_does_not_start_with_a_route_whose_service_is_not_registered(portal: Portal) -> None:
    named, gated = Router(), Router(dependencies=[Depends(knock)])

    @named.get("/named")
    async def route(service: Nowhere) -> None:
        return None

    @gated.get("/gated")
    async def open_route() -> None:
        return None

    for router in (named, gated):
        app = FastAPI()
        router.add_to(app)
        with pytest.raises(LookupError, match="Unregistered"):
            attach(app, portal)
