"""Reads files as their user. Paths are absolute or begin with `~/`, the user's home.

Every method raises NotFound, Forbidden or InvalidRequest, depending on the path and the user's permissions, and
FilesUnavailable if the file system, or the door, does not answer in time.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

from portal.errors import SlurmUnavailable as DoorUnavailable
from portal.files.asking import ask, refusal, unavailable
from portal.files.types import DiskSpace, Entry, FileChunk, FileKind, Growth, Listing, PathInfo
from portal.slurm.door_client import Door, DoorRefused

FOLLOW_S = 3600
MAX_PIECE = 1 << 20
MAX_ENTRIES = 5_000


class FileService:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def look(self, user: str, path: str) -> PathInfo:
        """Describe `path`; a missing one is an answer, not an error."""
        answer = await self._ask("look", user, path)
        return PathInfo(
            path=answer["path"],
            kind=FileKind(answer["kind"]),
            size=answer["size"],
            modified=when(answer["modified"]),
            readable=answer["readable"],
            writable=answer["writable"],
            head=base64.b64decode(answer["head"]),
        )

    async def room(self, user: str, path: str) -> DiskSpace | None:
        """Return the space that the user can still fill at `path`, existing or not; None if unknown."""
        answer = await self._ask("room", user, path)
        if answer["total"] is None:
            return None
        if answer["limit"] is None:
            return DiskSpace(answer["total"], answer["free"], quota=False)
        left = max(0, answer["limit"] - answer["used"])
        return DiskSpace(answer["limit"], min(left, answer["free"]), quota=True)

    async def list(self, user: str, path: str, limit: int = 1_000) -> Listing:
        """List a folder, folders first."""
        return _listing(await self._ask("list", user, path, limit=min(limit, MAX_ENTRIES)))

    async def read(self, user: str, path: str, offset: int = 0, limit: int = MAX_PIECE) -> FileChunk:
        """Read a piece of a file, at most 1 MiB; a negative offset counts from its end."""
        answer = await self._ask("read", user, path, offset=offset, limit=min(limit, MAX_PIECE))
        return FileChunk(base64.b64decode(answer["data"]), answer["offset"], answer["size"], answer["version"])

    async def find(self, user: str, path: str, glob: str, *, depth: int = 4, limit: int = 200) -> Listing:
        """Find entries below a folder whose names match `glob`; names are relative to the folder."""
        return _listing(await self._ask("find", user, path, glob=glob, depth=depth, limit=min(limit, MAX_ENTRIES)))

    async def follow(
        self, user: str, path: str, offset: int, life_s: int = FOLLOW_S
    ) -> AsyncGenerator[tuple[Growth, bytes]]:
        """Yield what is appended to a file, until `life_s` have passed; with an empty piece now and then.

        Waits for a file that does not exist yet. If the reader is slow, or the file grows faster than can be shown
        (4 MiB/s), it skips ahead: `skipped` says by how many bytes.
        """
        try:
            stream = self._door.stream("follow", user=user, path=path, offset=offset, life_s=life_s)
            async with aclosing(stream) as frames:
                async for frame, piece in frames:
                    yield Growth(frame["offset"], frame["next_offset"], frame["size"], frame["skipped"]), piece
        except DoorUnavailable as error:
            raise unavailable(error) from error
        except DoorRefused as refused:
            raise refusal(refused) from refused

    async def _ask(self, verb: str, user: str, path: str, **fields: Any) -> dict[str, Any]:
        return await ask(self._door, verb, user, path, path=path, **fields)


def _listing(answer: dict[str, Any]) -> Listing:
    entries = tuple(
        Entry(entry["name"], FileKind(entry["kind"]), entry["size"], when(entry["modified"]))
        for entry in answer["entries"]
    )
    return Listing(answer["path"], entries, answer["truncated"])


def when(stamp: float | None) -> datetime | None:
    try:
        return None if stamp is None else datetime.fromtimestamp(stamp, UTC)
    except (OverflowError, ValueError):  # files may have any timestamp
        return None
