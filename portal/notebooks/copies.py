"""Users' own copies of the templates: how each compares to the site's version, and what to do if they differ.

The copies are the users' files: they are read and written through the door.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from portal.errors import Conflict, FilesUnavailable, NotFound, SlurmUnavailable
from portal.files.service import MAX_PIECE, FileService
from portal.notebooks.difference import compare
from portal.notebooks.gallery import HOME_FOLDER
from portal.notebooks.index import IndexedTemplate, read_notebook
from portal.notebooks.schemas import CopyOut, CopyState, DifferenceOut, How, PlacedOut
from portal.slurm.door_client import Door, DoorRefused
from portal.slurm.door_slots import DoorBusy
from portal.workers import LimitExceeded, Workers, WorkRefused

DEADLINE_S = 10
MOST_COMPARED = 8 * MAX_PIECE
MOST_CELLS = 2_000
NO_LONGER_THERE, TOO_LONG, NOT_WHOLE = "no longer there", "too long", "incomplete"


class OwnCopies:
    def __init__(self, door: Door, files: FileService, workers: Workers | None = None) -> None:
        self._door = door
        self._files = files
        self._workers = workers or Workers()

    async def states(self, username: str, templates: Sequence[IndexedTemplate]) -> list[CopyOut]:
        """Return the state of the user's copy of each template. Raises FilesUnavailable, Conflict."""
        answer = await self._ask("template_states", username, files=[template.template.file for template in templates])
        return [
            CopyOut(id=template.template.id, state=_state(copy["digest"], copy["brought"], template.digest))
            for template, copy in zip(templates, answer["copies"], strict=True)
        ]

    async def difference(self, username: str, template: IndexedTemplate) -> DifferenceOut:
        """Compare the user's copy with the site's version. Raises NotFound, Conflict, FilesUnavailable."""
        path = f"~/{HOME_FOLDER}/{template.template.file}"
        asked = json.dumps({"id": template.template.id, "path": str(template.path)}).encode()
        try:
            async with self._workers.place(username):
                content = await self._read(username, path)
                out = await self._workers.run(f"{__name__}:compared", asked + b"\n" + content)
        except LimitExceeded as error:
            raise _too_large(path) from error
        except WorkRefused as no:
            if str(no) == NO_LONGER_THERE:
                raise NotFound(f"The notebook of “{template.template.title}” cannot be read now.") from no
            if str(no) == TOO_LONG:
                raise _too_large(path) from no
            raise Conflict(
                f"Your copy, {path}, is not a complete notebook.",
                hint="Keep it under another name; the site's version can then take its place.",
            ) from no
        return DifferenceOut.model_validate_json(out)

    async def place(self, username: str, template: IndexedTemplate, how: How) -> PlacedOut:
        """Put the site's version where the user wants it. Raises Conflict if the home cannot take it."""
        answer = await self._ask(
            "template_place", username, source=str(template.path), file=template.template.file, how=how.value
        )
        return PlacedOut(file=answer["file"], backup=answer["backup"])

    async def _read(self, username: str, path: str) -> bytes:
        content = bytearray()
        while True:
            piece = await self._files.read(username, path, len(content))
            if piece.size > MOST_COMPARED:
                raise _too_large(path)
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
            raise FilesUnavailable("Your home does not respond right now.") from error


def _too_large(path: str) -> Conflict:
    return Conflict(f"{path} is too large to be compared here.", hint="Clear its outputs in JupyterLab, and save it.")


def _state(digest: str | None, brought: str | None, newest: str) -> CopyState:
    if digest is None:
        return CopyState.ABSENT
    if digest == newest:
        return CopyState.SAME
    if digest == brought:
        return CopyState.OLDER
    return CopyState.CHANGED if brought == newest else CopyState.OUTDATED


def compared(asked: bytes) -> bytes:
    """Compare, in a separate process. The input is a line about the site's version, then the user's copy."""
    head, _, content = asked.partition(b"\n")
    about = json.loads(head)
    try:
        new = read_notebook(Path(about["path"]))
    except OSError as error:
        raise WorkRefused(NO_LONGER_THERE) from error
    try:
        mine = json.loads(content)
        if len(mine["cells"]) > MOST_CELLS:
            raise WorkRefused(TOO_LONG)
        return DifferenceOut(id=about["id"], cells=compare(mine, new)).model_dump_json().encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise WorkRefused(NOT_WHOLE) from error
