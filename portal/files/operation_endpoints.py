"""HTTP routes of operations: copies, deletions for good, and how far they are."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path as InPath

from portal.auth.dependencies import CurrentUser
from portal.files.dependencies import FileOperations
from portal.files.endpoints import PATHS
from portal.files.schemas import DeleteIn, EmptyIn, MoveIn, OperationOut, OperationsOut
from portal.files.types import OperationKind
from portal.routing import Router, takes

router = Router(prefix="/files", tags=["files"])

Identity = Annotated[str, InPath(alias="id", pattern=r"^[a-z0-9]{24}$")]
GONE: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such operation, or none any more."}}


@router.post("/copies", status_code=202)
@takes(PATHS)
async def copy(asked: MoveIn, user: CurrentUser, operations: FileOperations) -> OperationOut:
    """Copy files and folders into a folder: contents, permissions and times, links as links."""
    return operations.start(user, OperationKind.COPY, asked.paths, target=asked.target, conflict=asked.conflict.value)


@router.post("/delete", status_code=202)
@takes(PATHS)
async def delete(asked: DeleteIn, user: CurrentUser, operations: FileOperations) -> OperationOut:
    """Delete files and folders for good."""
    return operations.start(user, OperationKind.DELETE, asked.paths)


@router.post("/bin/empty", status_code=202)
@takes(PATHS)
async def empty(asked: EmptyIn, user: CurrentUser, operations: FileOperations) -> OperationOut:
    """Delete what is in your bins for good: some of it, or everything."""
    return operations.start(user, OperationKind.EMPTY, asked.ids)


@router.get("/operations")
async def list_(user: CurrentUser, operations: FileOperations) -> OperationsOut:
    """List your operations, newest first: those that have not ended, and those of the last hour."""
    return OperationsOut(items=operations.listed(user.username))


@router.get("/operations/{id}", responses=GONE)
async def get(operation_id: Identity, user: CurrentUser, operations: FileOperations) -> OperationOut:
    """Say how far an operation is."""
    return operations.get(user.username, operation_id)


@router.delete("/operations/{id}", status_code=204, responses=GONE)
async def end(operation_id: Identity, user: CurrentUser, operations: FileOperations) -> None:
    """Cancel an operation; take one that has ended off the list."""
    operations.end(user.username, operation_id)
