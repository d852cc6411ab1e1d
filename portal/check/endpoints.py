"""HTTP for `portal check` on the portal's own machine: runs the checks in a child of this process."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from portal.auth.dependencies import HubOnly
from portal.routing import Router

router = Router(prefix="/internal", include_in_schema=False, dependencies=[HubOnly])


class CheckRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    user: str | None = Field(None, max_length=64)


@router.post("/check")
async def check(asked: CheckRequest) -> StreamingResponse:
    """Stream the findings; the checks end when the caller leaves."""
    return StreamingResponse(_findings(asked), media_type="application/x-ndjson")


async def _findings(asked: CheckRequest) -> AsyncIterator[bytes]:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "portal.check"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdin is not None  # noqa: S101  (asked for with PIPE)
    assert child.stdout is not None  # noqa: S101
    try:
        child.stdin.write(asked.model_dump_json().encode())
        child.stdin.close()
        while line := await child.stdout.readline():
            yield line
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        await child.wait()
