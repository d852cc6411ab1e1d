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


@dataclass(slots=True)
class OpenFile:
    """A file that is open for reading; `close` it. `version` changes whenever its content does."""

    size: int
    modified: datetime | None
    version: str
    talk: Talk
    frames: AsyncGenerator[tuple[dict[str, Any], bytes]]
    held: AsyncExitStack

    async def pieces(self, offset: int, length: int) -> AsyncIterator[bytes]:
        """Yield `length` bytes from `offset`. Raises if the file cannot be read to there."""
        await self.talk.send(b"%d\n%d\n" % (offset, length))
        while length:
            piece = await _next(self.frames)
            length -= len(piece[1])
            yield piece[1]

    async def close(self) -> None:
        await self.held.aclose()


class Transfers:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def open(self, user: str, path: str) -> OpenFile:
        """Open a file. Raises NotFound, Forbidden, InvalidRequest, FilesUnavailable."""
        held = AsyncExitStack()
        try:
            talk = await held.enter_async_context(self._talk("file_send", user, path=path))
            frames = talk.frames()
            held.push_async_callback(frames.aclose)
            about, _ = await _next(frames)
        except BaseException:
            await held.aclose()
            raise
        return OpenFile(about["size"], when(about["modified"]), about["version"], talk, frames, held)

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


async def _next(frames: AsyncGenerator[tuple[dict[str, Any], bytes]]) -> tuple[dict[str, Any], bytes]:
    try:
        async with asyncio.timeout(PIECE_S):
            return await anext(frames)
    except DoorRefused as error:
        raise refusal(error) from error
    except DoorUnavailable as error:
        raise unavailable(error) from error
    except (TimeoutError, StopAsyncIteration) as error:
        raise FilesUnavailable(
            "The file could not be read to its end: its file system is slow or unavailable."
        ) from error
