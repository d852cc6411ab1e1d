"""Lists images, adds and removes them, and offers ready ones as environments."""

from __future__ import annotations

import asyncio
from pathlib import Path

from portal import sealing
from portal.environments import own_image
from portal.errors import Conflict, Forbidden, InvalidRequest, NotFound, PortalError, Unavailable
from portal.files.service import FileService
from portal.idempotency.service import Key
from portal.images.inspect import find_image
from portal.images.models import ImageRecord, ImageState, Scope
from portal.images.pulls import Pulls
from portal.images.schemas import ImageIn, ImageOut, ImagePage, QuotaOut
from portal.images.store import ImageStore
from portal.settings import IMAGE_PREFIX, Environment, Settings

MOST_FOLDERS = 8
MIB = 1 << 20


class ImageService:
    def __init__(
        self,
        settings: Settings,
        store: ImageStore,
        files: FileService,
        pulls: Pulls,
    ) -> None:
        self._settings = settings
        self._store = store
        self._files = files
        self._pulls = pulls

    # --- the list ---

    async def page(self, username: str, *, admin: bool) -> ImagePage:
        """List the images of a user and of the site, each with whether its file exists now."""
        records = await self._store.seen_by(username)
        gone = await self._gone(username, [record for record in records if record.state == ImageState.READY])
        return ImagePage(
            items=[
                *(
                    self._show(record, gone=record.id in gone, mine=record.owner == username or admin)
                    for record in records
                ),
                *self._declared(),
            ],
            folder=self._settings.images.user_folder,
            site_folder=str(self._settings.images.site_folder) if self._settings.images.site_folder else None,
            quota=await self._quota(username),
        )

    async def show(self, image_id: str, username: str) -> ImageOut:
        return self._show(await self._mine(image_id, username, admin=True), gone=False, mine=True)

    async def known(self, image_id: str) -> ImageOut | None:
        """Return the image that an earlier request created, if it is still listed."""
        try:
            return self._show(await self._store.get(image_id), gone=False, mine=True)
        except NotFound:
            return None

    def _show(self, record: ImageRecord, *, gone: bool, mine: bool) -> ImageOut:
        ready = record.state == ImageState.READY and not gone
        return ImageOut(
            id=record.id,
            title=record.title,
            reference=record.reference,
            path=record.path,
            scope=Scope(record.scope),
            state=ImageState.MISSING if gone else ImageState(record.state),
            progress=record.progress,
            message=f"{record.path} is no longer there." if gone else record.message,
            size_mb=record.size_mb,
            digest=record.digest,
            job_id=record.job_id,
            environment=IMAGE_PREFIX + record.id if ready else None,
            mine=mine,
        )

    def _declared(self) -> list[ImageOut]:
        return [
            ImageOut(
                id=name,
                title=environment.title,
                reference=environment.reference or None,
                path=str(environment.path),
                scope=Scope.SITE,
                state=ImageState.READY,
                progress=100,
                message=environment.description,
                size_mb=environment.size_mb or None,
                digest=environment.digest or None,
                job_id=None,
                environment=name,
                mine=False,
            )
            for name, environment in self._settings.environments.items()
            if environment.kind == "image"
        ]

    async def _gone(self, username: str, records: list[ImageRecord]) -> set[str]:
        """Return the ids of images whose file is missing. An unreadable folder proves nothing."""
        folders = list(dict.fromkeys(str(Path(record.path).parent) for record in records))[:MOST_FOLDERS]
        listed = dict(
            zip(folders, await asyncio.gather(*(self._names(username, folder) for folder in folders)), strict=True)
        )
        return {
            record.id
            for record in records
            if (names := listed.get(str(Path(record.path).parent))) is not None and Path(record.path).name not in names
        }

    async def _names(self, username: str, folder: str) -> set[str] | None:
        try:
            listing = await self._files.list(username, folder, 5_000)
        except NotFound:
            return set()
        except PortalError:
            return None
        return None if listing.truncated else {entry.name for entry in listing.entries}

    async def _quota(self, username: str) -> QuotaOut | None:
        try:
            room = await self._files.room(username, self._settings.images.user_folder)
        except PortalError:
            return None
        if room is None:
            return None
        return QuotaOut(total_mb=room.total_bytes // MIB, free_mb=room.free_bytes // MIB, own=room.quota)

    # --- onto it and off it ---

    async def add(self, username: str, asked: ImageIn, *, admin: bool, key: Key | None = None) -> ImageOut:
        """Register an existing image, or start to pull one.

        Raises Forbidden, InvalidRequest, Conflict if it is already listed, and the refusals of the registry or Slurm.
        """
        if asked.scope == "site" and not admin:
            raise Forbidden("Only administrators can add images for all users.", hint="Add it for yourself.")
        if asked.path is not None:
            record = await self._register(username, asked.path, asked, key)
        else:
            record = await self._pulls.begin(username, str(asked.reference), asked, key)
        return self._show(record, gone=False, mine=True)

    async def _register(self, username: str, path: str, asked: ImageIn, key: Key | None) -> ImageRecord:
        image = await find_image(self._files, username, path)
        if any(record.path == image.path for record in await self._store.seen_by(username)):
            raise Conflict(f"{image.path} is already on the list.", hint="Look for it there.")
        record = ImageRecord(
            id=sealing.new_id(),
            owner=username,
            scope=asked.scope,
            title=(asked.title or "").strip() or Path(image.path).stem[:100],
            reference=None,
            path=image.path,
            state=ImageState.READY,
            progress=100,
            message="",
            size_mb=image.size_mb,
            created_at=self._store.now(),
        )
        await self._store.put(record, key)
        return record

    async def remove(self, image_id: str, username: str, *, admin: bool) -> None:
        """Remove an image from the list, ending its pull; an existing file stays. Raises NotFound, Forbidden."""
        record = await self._mine(image_id, username, admin=admin)
        if record.state == ImageState.PULLING:
            await self._pulls.cancel(record)
        await self._store.remove(record)

    async def _mine(self, image_id: str, username: str, *, admin: bool) -> ImageRecord:
        record = await self._store.get(image_id)
        if record.owner != username and not (admin and record.scope == Scope.SITE):
            raise NotFound(f"You have no image {image_id}.")
        return record

    # --- as environments ---

    async def environments(self, username: str) -> dict[str, Environment]:
        """Return the ready images that a user sees, as environments.

        Each is a kernel of the site's first environment that serves Jupyter.
        """
        records = await self._store.seen_by(username)
        return {
            IMAGE_PREFIX + record.id: own_image(
                self._settings,
                title=record.title,
                path=record.path,
                reference=record.reference,
                digest=record.digest,
                size_mb=record.size_mb,
            )
            for record in records
            if record.state == ImageState.READY
        }

    async def why_not(self, username: str, environment: Environment) -> str | None:
        """Return why the user cannot run an image; None if they can, or if that cannot be checked now."""
        try:
            await find_image(self._files, username, str(environment.path))
        except InvalidRequest as error:
            return f"{environment.title} cannot be used: {error.message}"
        except Unavailable:
            return None
        except PortalError as error:
            return f"{environment.title} cannot be used: {error.message}"
        return None
