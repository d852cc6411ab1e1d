"""HTTP routes for images, the registry's key and the catalogue."""

from __future__ import annotations

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.idempotency.dependencies import Idempotency
from portal.idempotency.service import IdempotencyKey
from portal.images.dependencies import Images, RegistryKeys
from portal.images.schemas import CatalogueOut, FrameworkOut, ImageIn, ImageOut, ImagePage, NgcIn, NgcOut, TagOut
from portal.routing import Router
from portal.settings.dependencies import SiteSettings

router = Router(tags=["images"])


@router.get("/images")
async def page(user: CurrentUser, images: Images) -> ImagePage:
    """List your images and the site's, and the free space for more."""
    return await images.page(user.username, admin=user.admin)


@router.post(
    "/images",
    status_code=202,
    responses={409: {"description": "The image is already on the list, or the path is already taken."}},
)
async def add(
    asked: ImageIn, user: CurrentUser, keys: Idempotency, images: Images, audit: AuditLog, key: IdempotencyKey
) -> ImageOut:
    """Register an image by its path, or pull one by its reference; `GET /events` reports the pull's progress.

    A second request with the same `Idempotency-Key` returns the same image.
    """
    async with keys.once(user.username, key) as made:
        if made is not None and (known := await images.known(made)) is not None:
            return known
        async with audit.noted(user, "image.add", asked.reference or asked.path or "") as note:
            image = await images.add(user.username, asked, admin=user.admin, key=key)
            note.detail |= {"image": image.id, "job": image.job_id, "scope": image.scope}
    return image


@router.delete("/images/{image_id}", status_code=204)
async def remove(image_id: str, user: CurrentUser, audit: AuditLog, images: Images) -> None:
    """Remove an image from the list, ending its pull. The file of a ready image stays."""
    async with audit.noted(user, "image.remove", image_id):
        await images.remove(image_id, user.username, admin=user.admin)


@router.get("/image-catalogue")
async def catalogue(_: CurrentUser, settings: SiteSettings) -> CatalogueOut:
    """List the framework images that the site suggests, with their tags."""
    ngc = settings.ngc
    return CatalogueOut(
        items=[
            FrameworkOut(
                framework=framework.repository.rpartition("/")[2],
                title=framework.title,
                description=framework.description,
                repository=f"{ngc.host}/{framework.repository}",
                tags=[TagOut(tag=tag, note=note) for tag, note in framework.tags.items()],
            )
            for framework in ngc.frameworks
        ]
    )


@router.get("/ngc")
async def key(user: CurrentUser, keys: RegistryKeys) -> NgcOut:
    """Return whether you have stored a key for the registry. The key itself is never shown."""
    return await keys.state(user.username)


@router.put("/ngc")
async def store_key(asked: NgcIn, user: CurrentUser, audit: AuditLog, keys: RegistryKeys) -> NgcOut:
    """Store your key, encrypted. The registry checks it first; a key that the registry refuses is not stored."""
    async with audit.noted(user, "ngc.store", user.username):
        return await keys.store(user.username, asked.key.get_secret_value().strip())


@router.delete("/ngc", status_code=204)
async def forget_key(user: CurrentUser, audit: AuditLog, keys: RegistryKeys) -> None:
    """Forget your key."""
    async with audit.noted(user, "ngc.forget", user.username):
        await keys.forget(user.username)
