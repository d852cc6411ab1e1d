"""Carries files between HTTP and the door, piece by piece: the portal holds one piece of each at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.errors import FilesUnavailable
from portal.errors import SlurmUnavailable as DoorUnavailable
from portal.files.asking import refusal, unavailable
from portal.files.service import when
from portal.slurm.door_client import Door, DoorRefused, Talk

#: A transfer that lasts longer is ended; it can be resumed.
LONGEST_S = 86_400
#: How long a file system may take for one piece.
PIECE_S = 60.0
#: How long it may take until the first.
FIRST_S = 20.0


@dataclass(slots=True)
class Opened:
    """What is open for reading; `close` it."""

    talk: Talk
    frames: AsyncGenerator[tuple[dict[str, Any], bytes]]
    held: AsyncExitStack

    async def close(self) -> None:
        await self.held.aclose()


@dataclass(slots=True)
class OpenFile(Opened):
    """A file. `version` changes whenever its content does."""

    size: int
    modified: datetime | None
    version: str

    async def pieces(self, offset: int, length: int) -> AsyncIterator[bytes]:
        """Yield `length` bytes from `offset`. Raises if the file cannot be read to there."""
        await self.talk.send(b"%d\n%d\n" % (offset, length))
        while length:
            piece = await _next(self.frames)
            length -= len(piece[1])
            yield piece[1]


class OpenArchive(Opened):
    """An archive that is packed while it is read."""

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the archive. Raises if it cannot be packed to its end."""
        ended = False
        while not ended:
            frame, piece = await _next(self.frames)
            ended = "ok" in frame
            if piece:
                yield piece


class Transfers:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def open(self, user: str, path: str) -> OpenFile:
        """Open a file. Raises NotFound, Forbidden, InvalidRequest, FilesUnavailable."""
        opened, about = await self._begin("file_send", user, "size", path=path)
        size, modified = about["size"], when(about["modified"])
        return OpenFile(opened.talk, opened.frames, opened.held, size, modified, about["version"])

    async def archive(self, user: str, paths: list[str], format_: str) -> OpenArchive:
        """Open an archive of files and folders. Raises NotFound, Forbidden, InvalidRequest, FilesUnavailable."""
        opened, _ = await self._begin("archive_send", user, "begins", paths=paths, format=format_)
        return OpenArchive(opened.talk, opened.frames, opened.held)

    async def _begin(self, verb: str, user: str, first: str, **fields: Any) -> tuple[Opened, dict[str, Any]]:
        """Start a door that sends; return it with the first frame that has `first`."""
        held = AsyncExitStack()
        try:
            talk = await held.enter_async_context(self._talk(verb, user, **fields))
            frames = talk.frames()
            held.push_async_callback(frames.aclose)
            about: dict[str, Any] = {}
            while first not in about:
                about, _ = await _next(frames, FIRST_S)
        except BaseException:
            await held.aclose()
            raise
        return Opened(talk, frames, held), about

    async def store(self, user: str, body: AsyncIterator[bytes], **fields: Any) -> dict[str, Any]:
        """Append a body to an upload and return the door's answer. What arrives before the body is cut is kept."""
        async with self._talk("part_store", user, **fields) as talk:
            frames = talk.frames()
            answer = asyncio.ensure_future(anext(_answers(frames)))
            try:
                async for piece in body:
                    if answer.done():
                        break
                    if piece:
                        await talk.send(b"%d\n" % len(piece))
                        await talk.send(piece)
                await talk.send(b"0\n")
                return await answer
            except (DoorRefused, DoorUnavailable) as error:
                raise (refusal(error) if isinstance(error, DoorRefused) else unavailable(error)) from error
            except StopAsyncIteration as error:
                raise FilesUnavailable("The upload was ended before it was complete. What arrived is kept.") from error
            finally:
                answer.cancel()

    @asynccontextmanager
    async def _talk(self, verb: str, user: str, **fields: Any) -> AsyncIterator[Talk]:
        try:
            async with self._door.transfer(verb, user=user, life_s=LONGEST_S, **fields) as talk:
                yield talk
        except DoorUnavailable as error:
            raise unavailable(error) from error


async def _answers(frames: AsyncGenerator[tuple[dict[str, Any], bytes]]) -> AsyncGenerator[dict[str, Any]]:
    async for frame, _ in frames:
        if "offset" in frame:
            yield frame


async def _next(
    frames: AsyncGenerator[tuple[dict[str, Any], bytes]], within_s: float = PIECE_S
) -> tuple[dict[str, Any], bytes]:
    try:
        async with asyncio.timeout(within_s):
            return await anext(frames)
    except DoorRefused as error:
        raise refusal(error) from error
    except DoorUnavailable as error:
        raise unavailable(error) from error
    except (TimeoutError, StopAsyncIteration) as error:
        raise FilesUnavailable(
            "The file could not be read to its end: its file system is slow or unavailable."
        ) from error
