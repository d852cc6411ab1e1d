"""HTTP for the jobs that pull images; each speaks for its own pull and for nothing else."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from portal.auth.dependencies import PortalContext
from portal.errors import Forbidden
from portal.images.models import ImageRecord
from portal.images.schemas import PullEnded, PullHello, PullOrder, PullProgress
from portal.routing import Router, gate

router = Router(prefix="/agent/pull", include_in_schema=False)


@gate
async def agent_pull(request: Request, portal: PortalContext) -> ImageRecord:
    """Return the pull the caller's key speaks for."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    image_id, _, key = value.partition(":")
    if scheme.lower() != "bearer" or not key:
        raise Forbidden("A pull says which image it gets, and its key.")
    return await portal.images.pulls.authenticate(image_id, key)


AgentPull = Annotated[ImageRecord, Depends(agent_pull)]


@router.post("/hello")
async def hello(hello: PullHello, portal: PortalContext) -> PullOrder:
    return await portal.images.pulls.hello(hello)


@router.post("/progress", status_code=204)
async def progress(said: PullProgress, record: AgentPull, portal: PortalContext) -> None:
    await portal.images.pulls.progress(record.id, said)


@router.post("/ended", status_code=204)
async def ended(said: PullEnded, record: AgentPull, portal: PortalContext) -> None:
    await portal.images.pulls.ended(record.id, said)
