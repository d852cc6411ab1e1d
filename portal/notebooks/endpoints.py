"""HTTP routes for the notebook templates."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from portal.auth.dependencies import CurrentUser
from portal.environments.dependencies import Environments
from portal.errors import Conflict, FilesUnavailable, NotFound
from portal.notebooks.copies import OwnCopies
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
from portal.provided import provided
from portal.routing import Router
from portal.sessions.dependencies import SessionRecords
from portal.sessions.models import SessionState
from portal.settings.dependencies import SiteSettings

router = Router(prefix="/templates", tags=["templates"])

Copies = Annotated[OwnCopies, provided(OwnCopies)]


async def _templates(settings: SiteSettings, environments: Environments) -> NotebookService:
    return NotebookService(settings, environments)


Templates = Annotated[NotebookService, Depends(_templates)]


@router.get("")
async def page(_: CurrentUser, templates: Templates) -> TemplatePage:
    """List the notebook templates of this site."""
    return TemplatePage(items=await asyncio.to_thread(templates.overview))


@router.get("/copies")
async def copies(user: CurrentUser, templates: Templates, mine: Copies) -> CopyPage:
    """Return how your copy of each template compares to the site's version."""
    return CopyPage(items=await mine.states(user.username, await asyncio.to_thread(templates.all)))


@router.get("/{template_id}/difference")
async def difference(template_id: str, user: CurrentUser, templates: Templates, mine: Copies) -> DifferenceOut:
    """Return the differences between your copy of a template and the site's version, by cell."""
    return await mine.difference(user.username, await asyncio.to_thread(templates.one, template_id))


@router.post("/{template_id}/copy", responses={409: {"description": "The caller's copy or the session prevents it."}})
async def settle(template_id: str, wanted: PlaceIn, user: CurrentUser, templates: Templates, mine: Copies) -> PlacedOut:
    """Keep your changed copy of a template, or replace it with the site's version and put yours aside."""
    template = await asyncio.to_thread(templates.one, template_id)
    return await mine.place(user.username, template, How(wanted.how))


@router.get("/{template_id}/preview", response_model=PreviewOut)
async def preview(template_id: str, request: Request, _: CurrentUser, templates: Templates) -> Response:
    """Return a template's cells, with their stored outputs if it has any."""
    preview = await asyncio.to_thread(templates.preview, template_id)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(preview.plain, media_type="application/json", headers=headers)
    return Response(preview.packed, media_type="application/json", headers=headers | {"Content-Encoding": "gzip"})


@router.get("/{template_id}/picture", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def picture(template_id: str, _: CurrentUser, templates: Templates) -> Response:
    """Return the picture of a template with outputs: one of its plots (PNG)."""
    png = await asyncio.to_thread(templates.picture, template_id)
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


@router.post("/{template_id}/open", responses={409: {"description": "The caller's copy or the session prevents it."}})
async def open_in_session(
    template_id: str,
    wanted: OpenIn,
    user: CurrentUser,
    records: SessionRecords,
    settings: SiteSettings,
    templates: Templates,
    mine: Copies,
) -> OpenOut:
    """Copy the template to your home if it is missing, and return where it opens in one of your ready sessions."""
    record = await records.get(wanted.session)
    if record.owner != user.username:
        raise NotFound(f"There is no session {wanted.session}.")
    if record.state != SessionState.READY or record.base_url is None:
        raise Conflict("This session is not ready.", hint="Wait until it is ready, or choose another session.")
    template = await asyncio.to_thread(templates.openable, template_id, app=record.app)
    file = template.template.file
    try:
        how = How.BESIDE if wanted.version == "new" else How.BRING
        file = (await mine.place(user.username, template, how)).file
    except FilesUnavailable:
        if wanted.version == "new":
            raise
        # The agent copied it when the session started. What counts is the session's own view of the home.
    return OpenOut(url=settings.sessions_origin(record.owner) + path_of(file, base_url=record.base_url))
