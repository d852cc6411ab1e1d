"""HTTP of the notebook templates."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import Response

from portal.auth.dependencies import CurrentUser, PortalContext
from portal.errors import Conflict, NotFound
from portal.notebooks.schemas import OpenIn, OpenOut, PreviewOut, TemplatePage
from portal.notebooks.service import NotebookService
from portal.sessions.models import SessionState

router = APIRouter(prefix="/templates", tags=["templates"])


@router.get("")
async def page(_: CurrentUser, portal: PortalContext) -> TemplatePage:
    """List the notebook templates of this site."""
    service = NotebookService(portal.settings, portal.environments)
    return TemplatePage(items=await asyncio.to_thread(service.overview))


@router.get("/{template_id}/preview")
async def preview(template_id: str, _: CurrentUser, portal: PortalContext) -> PreviewOut:
    """Return a template's cells, with what they gave when it was run, where that was kept."""
    service = NotebookService(portal.settings, portal.environments)
    return await asyncio.to_thread(service.preview, template_id)


@router.get("/{template_id}/picture", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def picture(template_id: str, _: CurrentUser, portal: PortalContext) -> Response:
    """Return the picture of a template that has outputs: one of its plots (PNG)."""
    service = NotebookService(portal.settings, portal.environments)
    png = await asyncio.to_thread(service.picture, template_id)
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


@router.post("/{template_id}/open")
async def open_in_session(template_id: str, wanted: OpenIn, user: CurrentUser, portal: PortalContext) -> OpenOut:
    """Say where the template opens in a session of mine that is ready."""
    record = await portal.store.get(wanted.session)
    if record.owner != user.username:
        raise NotFound(f"There is no session {wanted.session}.")
    if record.state != SessionState.READY or record.base_url is None:
        raise Conflict("This session is not ready.", hint="Wait until it is, or choose another one.")
    service = NotebookService(portal.settings, portal.environments)
    path = await asyncio.to_thread(service.path_in_session, template_id, app=record.app, base_url=record.base_url)
    return OpenOut(url=portal.settings.hub_origin + path)
