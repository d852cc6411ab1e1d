"""HTTP routes for files: for choosing folders and files."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from portal.auth.dependencies import CurrentUser
from portal.errors import InvalidRequest, TooLarge
from portal.files.schemas import FileEntry, FilesOut, TextOut
from portal.files.service import FileService
from portal.files.types import FileKind
from portal.plurals import plural
from portal.provided import provided
from portal.routing import Router

router = Router(prefix="/files", tags=["files"])

UserFiles = Annotated[FileService, provided(FileService)]

#: Scripts and notes, not data.
MAX_TEXT = 200_000

#: Absolute, or relative to the home.
FilePath = Annotated[str, Query(pattern=r"^(~$|~/|/)[^\x00]*$", max_length=4096)]


@router.get("", responses={404: {"description": "There is no such folder."}})
async def files(
    user: CurrentUser,
    files: UserFiles,
    path: FilePath = "~",
    limit: Annotated[int, Query(ge=1, le=5_000)] = 1_000,
) -> FilesOut:
    """List one of your folders, or describe a path, with your own permissions on the cluster."""
    info = await files.look(user.username, path)
    if info.kind is not FileKind.FOLDER:
        return FilesOut(path=path, kind=info.kind, entries=[], truncated=False)
    listing = await files.list(user.username, path, limit)
    return FilesOut(
        path=path,
        kind=FileKind.FOLDER,
        entries=[FileEntry.model_validate(entry) for entry in listing.entries],
        truncated=listing.truncated,
    )


@router.get(
    "/text", responses={404: {"description": "There is no such file."}, 413: {"description": "The file is too large."}}
)
async def text(user: CurrentUser, files: UserFiles, path: FilePath) -> TextOut:
    """Return the text of one of your small files, with your own permissions on the cluster."""
    piece = await files.read(user.username, path, 0, MAX_TEXT + 1)
    if piece.size > MAX_TEXT:
        raise TooLarge(f"{path} has {plural(piece.size, 'byte')}.", hint=f"Choose a text of at most {MAX_TEXT} bytes.")
    try:
        content = piece.data.decode()
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"{path} is not a text file.", hint="Choose a text file in UTF-8.") from error
    return TextOut(path=path, text=content, size=piece.size)
