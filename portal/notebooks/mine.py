"""Users' own copies of the templates: how each stands to the site's version, and what is done when they differ.

The copies are the users' files: they are looked at, and written, through the door.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from portal.errors import Conflict, FilesUnavailable, NotFound, SlurmUnavailable
from portal.files.service import MAX_PIECE, FileService
from portal.notebooks.difference import compare
from portal.notebooks.gallery import HOME_FOLDER
from portal.notebooks.index import Found, read_notebook
from portal.notebooks.schemas import CopyOut, CopyState, DifferenceOut, How, PlacedOut
from portal.slurm.door_client import Door, DoorRefused
from portal.slurm.door_slots import DoorBusy

DEADLINE_S = 10
MOST_COMPARED = 8 * MAX_PIECE


class OwnCopies:
    def __init__(self, door: Door, files: FileService) -> None:
        self._door = door
        self._files = files

    async def states(self, username: str, templates: Sequence[Found]) -> list[CopyOut]:
        """Say how the user's copy of each template stands. Raises FilesUnavailable, Conflict."""
        answer = await self._ask("template_states", username, files=[one.template.file for one in templates])
        return [
            CopyOut(id=one.template.id, state=_state(copy["digest"], copy["brought"], one.digest))
            for one, copy in zip(templates, answer["copies"], strict=True)
        ]

    async def difference(self, username: str, found: Found) -> DifferenceOut:
        """Compare the user's copy with the site's version. Raises NotFound, Conflict, FilesUnavailable."""
        content = await self._read(username, f"~/{HOME_FOLDER}/{found.template.file}")
        return await asyncio.to_thread(_compared, content, found)

    async def place(self, username: str, found: Found, how: How) -> PlacedOut:
        """Bring the site's version to where the user wants it. Raises Conflict when the home cannot take it."""
        answer = await self._ask(
            "template_place", username, source=str(found.path), file=found.template.file, how=how.value
        )
        return PlacedOut(file=answer["file"], backup=answer["backup"])

    async def _read(self, username: str, path: str) -> bytes:
        content = bytearray()
        while True:
            piece = await self._files.read(username, path, len(content))
            if piece.size > MOST_COMPARED:
                raise Conflict(
                    f"{path} is too large to be compared here.", hint="Clear its outputs in JupyterLab, and save it."
                )
            content += piece.data
            if not piece.data or len(content) >= piece.size:
                return bytes(content)

    async def _ask(self, verb: str, username: str, **fields: Any) -> dict[str, Any]:
        try:
            return await self._door.call(verb, user=username, deadline_s=DEADLINE_S, **fields)
        except DoorRefused as refused:
            raise Conflict(refused.message, hint=refused.hint) from refused
        except DoorBusy:
            raise
        except SlurmUnavailable as error:
            raise FilesUnavailable("Your home directory does not answer now.") from error


def _state(digest: str | None, brought: str | None, newest: str) -> CopyState:
    if digest is None:
        return CopyState.ABSENT
    if digest == newest:
        return CopyState.SAME
    if digest == brought:
        return CopyState.OLDER
    return CopyState.CHANGED if brought == newest else CopyState.OUTDATED


def _compared(content: bytes, found: Found) -> DifferenceOut:
    try:
        mine = json.loads(content)
        return DifferenceOut(id=found.template.id, cells=compare(mine, read_notebook(found.path)))
    except OSError as error:
        raise NotFound(f"The notebook of “{found.template.title}” cannot be read now.") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Conflict(
            f"Your copy, ~/{HOME_FOLDER}/{found.template.file}, is not a whole notebook.",
            hint="Keep it under another name; the site's version can then take its place.",
        ) from error
