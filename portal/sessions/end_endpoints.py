"""HTTP for a page of a session whose server is gone: how the session ended.

Such a page stands on the user's own host, so it has no login here and could not send one. It shows a key that its
session was given at the start instead, which reads this and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import Query
from starlette.responses import JSONResponse

from portal.errors import NotFound
from portal.events.dependencies import EventBus
from portal.provided import provided
from portal.routing import Router
from portal.sealing import Seals
from portal.sessions.dependencies import RenderSession, SessionRecords
from portal.sessions.models import SessionState

router = Router(prefix="/ends", include_in_schema=False)

WAIT_S = 25.0
HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"}


@router.get("/{session_id}")
async def end(
    session_id: str,
    key: Annotated[str, Query(max_length=64)],
    seals: Annotated[Seals, provided(Seals)],
    records: SessionRecords,
    bus: EventBus,
    render: RenderSession,
) -> JSONResponse:
    """Return the session's state and how it ended; wait a while for the end. Raises NotFound for a wrong key."""
    if not seals.is_end_key(session_id, key):
        raise NotFound("There is no such session.")
    with bus.reader(lambda event: event.session == session_id and event.kind == "session") as reader:
        record = await records.get(session_id)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while record.state != SessionState.ENDED and await reader.next() is not None:
                    record = await records.get(session_id)
    shown = render(record)
    return JSONResponse(shown.model_dump(mode="json", include={"state", "end"}), headers=HEADERS)
