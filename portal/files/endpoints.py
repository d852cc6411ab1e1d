"""HTTP of files: for choosing folders and files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from portal.auth.dependencies import CurrentUser, PortalContext
from portal.files.schemas import FileEntry, FilesOut
from portal.files.types import Kind

router = APIRouter(prefix="/files", tags=["files"])

#: Absolute, or from the home.
FilePath = Annotated[str, Query(pattern=r"^(~$|~/|/)[^\x00]*$", max_length=4096)]


@router.get("")
async def files(
    user: CurrentUser,
    portal: PortalContext,
    path: FilePath = "~",
    limit: Annotated[int, Query(ge=1, le=5_000)] = 1_000,
) -> FilesOut:
    """List a folder of mine, or say what a path is; with my rights on the cluster, and no others."""
    found = await portal.files.look(user.username, path)
    if found.kind is not Kind.FOLDER:
        return FilesOut(path=path, kind=found.kind, entries=[], truncated=False)
    listing = await portal.files.list(user.username, path, limit)
    return FilesOut(
        path=path,
        kind=Kind.FOLDER,
        entries=[FileEntry.model_validate(one) for one in listing.entries],
        truncated=listing.truncated,
    )
