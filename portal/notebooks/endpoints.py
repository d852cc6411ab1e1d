"""HTTP of the notebook templates."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from portal.auth.dependencies import CurrentUser, PortalContext
from portal.errors import Conflict, FilesUnavailable, NotFound
from portal.notebooks.preview import PreviewOut
from portal.notebooks.schemas import (
    CopyPage,
    DifferenceOut,
    How,
    OpenIn,
    OpenOut,
    PlacedOut,
    PlaceIn,
    TemplatePage,
)
from portal.notebooks.service import NotebookService, path_of
from portal.routing import Router
from portal.sessions.models import SessionState

router = Router(prefix="/templates", tags=["templates"])


@router.get("")
async def page(_: CurrentUser, portal: PortalContext) -> TemplatePage:
    """List the notebook templates of this site."""
    service = NotebookService(portal.settings, portal.environments)
    return TemplatePage(items=await asyncio.to_thread(service.overview))


@router.get("/copies")
async def copies(user: CurrentUser, portal: PortalContext) -> CopyPage:
    """Say how my copy of each template stands to the site's version."""
    service = NotebookService(portal.settings, portal.environments)
    return CopyPage(items=await portal.own_copies.states(user.username, await asyncio.to_thread(service.all)))


@router.get("/{template_id}/difference")
async def difference(template_id: str, user: CurrentUser, portal: PortalContext) -> DifferenceOut:
    """Return what differs between my copy of a template and the site's version, by cells."""
    service = NotebookService(portal.settings, portal.environments)
    return await portal.own_copies.difference(user.username, await asyncio.to_thread(service.one, template_id))


@router.post(
    "/{template_id}/copy", responses={409: {"description": "A copy of the caller's or the session stands in the way."}}
)
async def settle(template_id: str, wanted: PlaceIn, user: CurrentUser, portal: PortalContext) -> PlacedOut:
    """Keep my changed copy of a template, or replace it by the site's version, mine put aside."""
    service = NotebookService(portal.settings, portal.environments)
    found = await asyncio.to_thread(service.one, template_id)
    return await portal.own_copies.place(user.username, found, How(wanted.how))


@router.get("/{template_id}/preview", response_model=PreviewOut)
async def preview(template_id: str, request: Request, _: CurrentUser, portal: PortalContext) -> Response:
    """Return a template's cells, with what they gave when it was run, where that was kept."""
    service = NotebookService(portal.settings, portal.environments)
    told = await asyncio.to_thread(service.preview, template_id)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(told.plain, media_type="application/json", headers=headers)
    return Response(told.packed, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})


@router.get("/{template_id}/picture", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def picture(template_id: str, _: CurrentUser, portal: PortalContext) -> Response:
    """Return the picture of a template that has outputs: one of its plots (PNG)."""
    service = NotebookService(portal.settings, portal.environments)
    png = await asyncio.to_thread(service.picture, template_id)
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


@router.post(
    "/{template_id}/open", responses={409: {"description": "A copy of the caller's or the session stands in the way."}}
)
async def open_in_session(template_id: str, wanted: OpenIn, user: CurrentUser, portal: PortalContext) -> OpenOut:
    """Bring the template to my home where it is missing, and say where it opens in a session of mine that is ready."""
    record = await portal.sessions.store.get(wanted.session)
    if record.owner != user.username:
        raise NotFound(f"There is no session {wanted.session}.")
    if record.state != SessionState.READY or record.base_url is None:
        raise Conflict("This session is not ready.", hint="Wait until it is, or choose another one.")
    service = NotebookService(portal.settings, portal.environments)
    found = await asyncio.to_thread(service.openable, template_id, app=record.app)
    file = found.template.file
    try:
        how = How.BESIDE if wanted.version == "new" else How.BRING
        file = (await portal.own_copies.place(user.username, found, how)).file
    except FilesUnavailable:
        if wanted.version == "new":
            raise
        # The agent brought it when the session started; the session's own view of the home is what counts.
    return OpenOut(url=portal.settings.sessions_origin(record.owner) + path_of(file, base_url=record.base_url))
