"""Serves the laptop's program and its checksum. They need no login and name no user."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel
from starlette.responses import Response

from portal import __version__
from portal.laptop.archive import program
from portal.routing import Router
from portal.settings.dependencies import SiteSettings

router = Router(prefix="/laptop", include_in_schema=False)


class ProgramOut(BaseModel):
    version: str
    sha256: str
    size: int


@router.get("/portal.pyz")
async def download(settings: SiteSettings) -> Response:
    """Return the program: one file for Python 3.9 or newer."""
    built = await asyncio.to_thread(program, settings.server.public_url, __version__)
    headers = {"Cache-Control": "no-cache", "Content-Disposition": 'attachment; filename="portal.pyz"'}
    return Response(built.content, media_type="application/zip", headers=headers)


@router.get("/portal.json")
async def describe(settings: SiteSettings) -> ProgramOut:
    built = await asyncio.to_thread(program, settings.server.public_url, __version__)
    return ProgramOut(version=built.version, sha256=built.sha256, size=len(built.content))
