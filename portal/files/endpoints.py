"""HTTP routes for folders and texts: browsing, and changes that are done at once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query

from portal.audit.dependencies import AuditLog
from portal.auth.dependencies import CurrentUser
from portal.files.dependencies import FileOperations, UserFolders
from portal.files.schemas import (
    BinOut,
    FilesOut,
    FolderIn,
    ManyOut,
    ModeIn,
    MovedOut,
    MoveIn,
    PlacesOut,
    RemoveIn,
    RenameIn,
    RestoreIn,
    TextOut,
    TextSaved,
    TextToSave,
)
from portal.files.types import OperationKind
from portal.routing import BodyLimit, Router, takes

router = Router(prefix="/files", tags=["files"])

#: Absolute, or relative to the home.
FilePath = Annotated[str, Query(pattern=r"^(~$|~/|/)[^\x00]*$", max_length=4096)]
NOT_THERE: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such file or folder."}}
TAKEN: dict[int | str, dict[str, Any]] = {409: {"description": "The name is taken."}}
#: 500 paths of the longest kind do not fit; as many of ordinary length do.
PATHS = BodyLimit(512 << 10)


@router.get("", responses=NOT_THERE)
async def files(
    user: CurrentUser,
    folders: UserFolders,
    path: FilePath = "~",
    q: Annotated[str, Query(max_length=64, pattern=r"^[^\x00]*$", description="Only names that contain this.")] = "",
    sort: Literal["name", "size", "modified"] = "name",
    order: Literal["asc", "desc"] = "asc",
    hidden: Annotated[bool, Query(description="Include names that begin with a dot.")] = True,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=5_000)] = 1_000,
) -> FilesOut:
    """List a page of one of your folders, or describe a path, with your own permissions on the cluster."""
    wanted = {"q": q, "sort": sort, "order": order, "hidden": hidden, "offset": offset, "limit": limit}
    return await folders.page(user.username, path, **wanted)


@router.get("/places")
async def places(user: CurrentUser, folders: UserFolders) -> PlacesOut:
    """List where your files are: your home and the site's shared storage, with the space that is left."""
    return await folders.places(user.username)


@router.post("/folders", status_code=201, responses=NOT_THERE | TAKEN)
async def make(asked: FolderIn, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> None:
    """Make a folder."""
    async with audit.noted(user, "files.folder", cut(asked.path)):
        await folders.make(user.username, asked.path)


@router.post("/rename", status_code=204, responses=NOT_THERE | TAKEN)
async def rename(asked: RenameIn, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> None:
    """Give a file or folder another name."""
    async with audit.noted(user, "files.rename", cut(asked.path), name=asked.name):
        await folders.rename(user.username, asked.path, asked.name)


@router.post("/move", responses=NOT_THERE)
@takes(PATHS)
async def move(
    asked: MoveIn, user: CurrentUser, folders: UserFolders, operations: FileOperations, audit: AuditLog
) -> MovedOut:
    """Move files and folders into a folder; what lies on another file system is moved by an operation."""
    async with audit.noted(user, "files.move", cut(asked.target), count=len(asked.paths), first=cut(asked.paths[0])):
        moved = await folders.move(user.username, asked.paths, asked.target, asked.conflict)
    elsewhere = [failed["path"] for failed in moved["failed"] if failed["code"] == "elsewhere"]
    operation = (
        operations.start(user, OperationKind.MOVE, elsewhere, target=asked.target, conflict=asked.conflict.value)
        if elsewhere
        else None
    )
    failed = [failed for failed in moved["failed"] if failed["code"] != "elsewhere"]
    return MovedOut(done=moved["done"], failed=failed, operation=operation)


@router.post("/remove", responses=NOT_THERE)
@takes(PATHS)
async def remove(asked: RemoveIn, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> ManyOut:
    """Move files and folders to the bin."""
    async with audit.noted(user, "files.remove", cut(asked.paths[0]), count=len(asked.paths)):
        return many(await folders.to_bin(user.username, asked.paths))


@router.get("/bin")
async def bin_(user: CurrentUser, folders: UserFolders) -> BinOut:
    """List what is in your bins, newest first."""
    return await folders.bin(user.username)


@router.post("/restore", responses=NOT_THERE)
@takes(PATHS)
async def restore(asked: RestoreIn, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> ManyOut:
    """Move things from the bin back to where they were; under another name if that is taken."""
    async with audit.noted(user, "files.restore", cut(asked.ids[0]), count=len(asked.ids)):
        return many(await folders.restore(user.username, asked.ids))


@router.post("/mode", status_code=204, responses=NOT_THERE)
async def mode(asked: ModeIn, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> None:
    """Change the permissions of a file or folder of your own."""
    async with audit.noted(user, "files.mode", cut(asked.path), mode=asked.mode):
        await folders.set_mode(user.username, asked.path, asked.mode)


@router.get("/text", responses=NOT_THERE | {413: {"description": "The file is too large."}})
async def text(user: CurrentUser, folders: UserFolders, path: FilePath) -> TextOut:
    """Return the text of one of your small files, with your own permissions on the cluster."""
    return await folders.text(user.username, path)


@router.put("/text", responses=NOT_THERE | TAKEN | {412: {"description": "The file was changed since it was read."}})
@takes(BodyLimit(1 << 20))
async def save(asked: TextToSave, user: CurrentUser, folders: UserFolders, audit: AuditLog) -> TextSaved:
    """Save a text: a new file, or the version that you have read; never over a newer one."""
    async with audit.noted(user, "files.save", cut(asked.path)):
        return await folders.save(user.username, asked)


def cut(path: str) -> str:
    """Return a path as the audit log keeps it: its end says most."""
    return path if len(path) <= 200 else f"…{path[-199:]}"


def many(answer: dict[str, Any]) -> ManyOut:
    return ManyOut(done=answer["done"], failed=answer["failed"])
