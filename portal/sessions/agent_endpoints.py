"""HTTP for the agents in the jobs. Each agent acts only for its own session."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import JSONResponse, Response

from portal.agent_jobs import sent_key
from portal.routing import Router, gate
from portal.sessions.dependencies import Agents
from portal.sessions.models import SessionRecord
from portal.sessions.schemas import (
    AgentEnded,
    AgentHello,
    AgentOrders,
    AgentProgress,
    AgentReady,
    AgentReport,
)

router = Router(prefix="/agent", include_in_schema=False)


@gate
async def agent_session(request: Request, agents: Agents) -> SessionRecord:
    """Return the session that the caller's key belongs to."""
    return await agents.authenticate(*sent_key(request))


AgentSession = Annotated[SessionRecord, Depends(agent_session)]


@router.post("/hello")
async def hello(hello: AgentHello, agents: Agents) -> Response:
    launch = await agents.hello(hello)
    return JSONResponse({}, status_code=202) if launch is None else JSONResponse({"launch": launch})


@router.post("/progress", status_code=204)
async def progress(progress: AgentProgress, record: AgentSession, agents: Agents) -> None:
    await agents.progress(record.id, progress.message)


@router.post("/ready", status_code=204)
async def ready(ready: AgentReady, record: AgentSession, request: Request, agents: Agents) -> None:
    await agents.ready(record, ready, peer=request.state.peer)


@router.post("/report")
async def report(report: AgentReport, record: AgentSession, agents: Agents) -> AgentOrders:
    return await agents.report(record, report)


@router.post("/orders")
async def orders(record: AgentSession, agents: Agents) -> AgentOrders:
    """Wait until the session is to end, or until the wait times out, and answer with the orders."""
    return await agents.orders(record.id)


@router.post("/ended", status_code=204)
async def ended(ended: AgentEnded, record: AgentSession, agents: Agents) -> None:
    await agents.ended(record.id, ended)
