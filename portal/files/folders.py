"""Shows folders and changes what is in them, as their user."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import Any

from portal.errors import InvalidRequest, NotFound, PortalError, TooLarge
from portal.files.asking import ask
from portal.files.schemas import (
    BinItem,
    BinOut,
    FileEntry,
    FilesOut,
    Place,
    PlacesOut,
    Space,
    TextOut,
    TextSaved,
    TextToSave,
)
from portal.files.service import MAX_PIECE, FileService, when
from portal.files.sharing import shared_with
from portal.files.text import decode, encode
from portal.files.types import Conflict, FileKind
from portal.plurals import plural
from portal.settings import Mount
from portal.slurm.door_client import Door

#: What an editor shows; more is downloaded.
MAX_TEXT = 500_000
MAX_BIN = 1_000


class Folders:
    def __init__(self, door: Door, files: FileService, mounts: Sequence[Mount]) -> None:
        self._door = door
        self._files = files
        self._mounts = mounts

    async def page(self, user: str, path: str, **wanted: Any) -> FilesOut:
        """Return a page of a folder, or whatever else is at `path`."""
        try:
            found = await ask(self._door, "folder", user, path, path=path, **wanted)
        except (NotFound, InvalidRequest):
            info = await self._files.look(user, path)
            if info.kind is FileKind.FOLDER:
                raise
            return FilesOut(
                path=path,
                kind=info.kind,
                real_path=info.path,
                entries=[],
                total=0,
                truncated=False,
                writable=info.writable,
                size=info.size,
                modified=info.modified,
            )
        rights = {name: found[name] for name in ("mode", "owner", "group")}
        return FilesOut(
            path=path,
            kind=FileKind.FOLDER,
            real_path=found["real_path"],
            entries=[FileEntry(**entry | {"modified": when(entry["modified"])}) for entry in found["entries"]],
            total=found["total"],
            truncated=found["truncated"],
            writable=found["writable"],
            shared_with=shared_with(**rights, acl=found["acl"], user=user),
            **rights,
        )

    async def places(self, user: str) -> PlacesOut:
        """Return the home and the site's mounts; one that does not answer says so."""
        wanted = [("Home", "~"), *((mount.title or mount.name, str(mount.path)) for mount in self._mounts)]
        items = await asyncio.gather(*(self._place(user, label, path) for label, path in wanted))
        return PlacesOut(items=items)

    async def _place(self, user: str, label: str, path: str) -> Place:
        try:
            info = await self._files.look(user, path)
            if info.kind is not FileKind.FOLDER or not info.readable:
                reason = "You may not open it." if info.kind is FileKind.FOLDER else "It is not on this machine."
                return Place(label=label, path=path, space=None, available=False, reason=reason)
            space = await self._files.room(user, path)
        except PortalError as error:
            return Place(label=label, path=path, space=None, available=False, reason=error.message)
        shown = space and Space(
            used=space.total_bytes - space.free_bytes, total=space.total_bytes, free=space.free_bytes, quota=space.quota
        )
        return Place(label=label, path=path, space=shown, available=True, reason="")

    async def make(self, user: str, path: str) -> None:
        await ask(self._door, "folder_make", user, path, path=path)

    async def rename(self, user: str, path: str, name: str) -> None:
        await ask(self._door, "file_rename", user, path, path=path, name=name)

    async def move(self, user: str, paths: list[str], target: str, conflict: Conflict) -> dict[str, Any]:
        """Return what was moved and what failed, with `elsewhere` as the code of what must be copied."""
        return await ask(self._door, "file_move", user, target, paths=paths, target=target, conflict=conflict.value)

    async def to_bin(self, user: str, paths: list[str]) -> dict[str, Any]:
        return await ask(self._door, "bin_put", user, paths[0], paths=paths)

    async def bin(self, user: str) -> BinOut:
        found = await ask(self._door, "bin_list", user, "The bin", limit=MAX_BIN)
        return BinOut(items=[BinItem(**item) for item in found["items"]], truncated=found["truncated"])

    async def restore(self, user: str, ids: list[str]) -> dict[str, Any]:
        return await ask(self._door, "bin_restore", user, "The bin", paths=ids)

    async def set_mode(self, user: str, path: str, mode: str) -> None:
        await ask(self._door, "file_mode", user, path, path=path, mode=mode)

    async def text(self, user: str, path: str) -> TextOut:
        """Return a text file. Raises TooLarge, and InvalidRequest for what is not text."""
        piece = await self._files.read(user, path, 0, MAX_PIECE)
        if piece.size > MAX_TEXT:
            raise TooLarge(
                f"{path} has {plural(piece.size, 'byte')}.", hint=f"Choose a text of at most {MAX_TEXT} bytes."
            )
        found = decode(piece.data, path)
        return TextOut(
            path=path,
            text=found.text,
            size=piece.size,
            version=piece.version,
            encoding=found.encoding,
            line_end=found.line_end,
        )

    async def save(self, user: str, asked: TextToSave) -> TextSaved:
        """Save a text. Raises ChangedMeanwhile if somebody saved the file since it was read, Exists for a new one."""
        data = encode(asked.text, asked.encoding, asked.line_end)
        if len(data) > MAX_TEXT:
            raise TooLarge(
                f"The text has {plural(len(data), 'byte')}.", hint=f"The editor saves at most {MAX_TEXT} bytes."
            )
        content = base64.b64encode(data).decode()
        saved = await ask(self._door, "save", user, asked.path, path=asked.path, version=asked.version, content=content)
        return TextSaved(path=asked.path, version=saved["version"], size=saved["size"])
