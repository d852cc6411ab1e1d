"""HTTP of images, the registry's key and the catalogue."""

from __future__ import annotations

from fastapi import APIRouter

from portal.auth.dependencies import CurrentUser, PortalContext, User
from portal.context import Portal
from portal.errors import PortalError
from portal.images.schemas import CatalogueOut, FrameworkOut, ImageIn, ImageOut, ImagePage, NgcIn, NgcOut, TagOut

router = APIRouter(tags=["images"])


@router.get("/images")
async def page(user: CurrentUser, portal: PortalContext) -> ImagePage:
    """List my images and the site's, and the room there is for more."""
    return await portal.images.service.page(user.username, admin=user.admin)


@router.post(
    "/images", status_code=202, responses={409: {"description": "It is on the list, or at that path, already."}}
)
async def add(asked: ImageIn, user: CurrentUser, portal: PortalContext) -> ImageOut:
    """Register an image by its path, or pull one by its reference; `GET /events` tells how a pull goes."""
    target = asked.reference or asked.path or ""
    try:
        image = await portal.images.service.add(user.username, asked, admin=user.admin)
    except PortalError as error:
        await _note(portal, user, "image.add", target, error.code)
        raise
    await _note(portal, user, "image.add", target, image=image.id, job=image.job_id, scope=image.scope)
    return image


@router.delete("/images/{image_id}", status_code=204)
async def remove(image_id: str, user: CurrentUser, portal: PortalContext) -> None:
    """Take an image off the list, ending its pull. The file of one that is ready stays."""
    await portal.images.service.remove(image_id, user.username, admin=user.admin)
    await _note(portal, user, "image.remove", image_id)


@router.get("/image-catalogue")
async def catalogue(_: CurrentUser, portal: PortalContext) -> CatalogueOut:
    """List the framework images that the site suggests, with their tags."""
    ngc = portal.settings.ngc
    return CatalogueOut(
        items=[
            FrameworkOut(
                framework=one.repository.rpartition("/")[2],
                title=one.title,
                description=one.description,
                repository=f"{ngc.host}/{one.repository}",
                tags=[TagOut(tag=tag, note=note) for tag, note in one.tags.items()],
            )
            for one in ngc.frameworks
        ]
    )


@router.get("/ngc")
async def key(user: CurrentUser, portal: PortalContext) -> NgcOut:
    """Say whether I stored a key for the registry. The key itself is never shown."""
    return await portal.images.keys.state(user.username)


@router.put("/ngc")
async def store_key(asked: NgcIn, user: CurrentUser, portal: PortalContext) -> NgcOut:
    """Store my key, encrypted. It is tried at the registry first; one that the registry refuses is not stored."""
    try:
        stored = await portal.images.keys.store(user.username, asked.key.get_secret_value().strip())
    except PortalError as error:
        await _note(portal, user, "ngc.store", user.username, error.code)
        raise
    await _note(portal, user, "ngc.store", user.username)
    return stored


@router.delete("/ngc", status_code=204)
async def forget_key(user: CurrentUser, portal: PortalContext) -> None:
    """Forget my key."""
    await portal.images.keys.forget(user.username)
    await _note(portal, user, "ngc.forget", user.username)


async def _note(portal: Portal, user: User, action: str, target: str, result: str = "ok", **detail: object) -> None:
    await portal.audit.record(
        actor=user.username, action=action, target=target, result=result, address=user.address, **detail
    )
