"""HTTP for the jobs that pull images. Each job acts only for its own pull."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from portal.agent_jobs import Hello, sent_key
from portal.images.dependencies import ImagePulls
from portal.images.models import ImageRecord
from portal.images.schemas import PullEnded, PullOrder, PullProgress
from portal.routing import Router, gate

router = Router(prefix="/agent/pull", include_in_schema=False)


@gate
async def agent_pull(request: Request, pulls: ImagePulls) -> ImageRecord:
    """Return the pull that the caller's key belongs to."""
    return await pulls.authenticate(*sent_key(request))


AgentPull = Annotated[ImageRecord, Depends(agent_pull)]


@router.post("/hello")
async def hello(hello: Hello, pulls: ImagePulls) -> PullOrder:
    return await pulls.hello(hello)


@router.post("/progress", status_code=204)
async def progress(report: PullProgress, record: AgentPull, pulls: ImagePulls) -> None:
    await pulls.progress(record.id, report)


@router.post("/ended", status_code=204)
async def ended(report: PullEnded, record: AgentPull, pulls: ImagePulls) -> None:
    await pulls.ended(record.id, report)
