"""Checks whether there is an image at a path, as the user, through the door."""

from __future__ import annotations

from dataclasses import dataclass

from portal.errors import FieldProblem, InvalidRequest
from portal.files.service import FileService
from portal.files.types import FileKind, PathInfo

MIB = 1 << 20
# "SIF_MAGIC" follows a line that makes the file executable (github.com/apptainer/sif, Header).
SIF_MAGIC, SIF_MAGIC_AT = b"SIF_MAGIC\x00", 32
SQUASHFS_MAGIC = b"hsqs"


@dataclass(frozen=True, slots=True)
class FoundImage:
    path: str
    size_mb: int | None


async def find_image(files: FileService, user: str, path: str) -> FoundImage:
    """Return the image at `path`. Raises InvalidRequest with the reason if there is none; FilesUnavailable."""
    look = await files.look(user, path)
    if look.kind is FileKind.FILE:
        _require(look.readable, f"You do not have permission to read {path}.")
        _require(is_sif(look.head) or look.head.startswith(SQUASHFS_MAGIC), _NOT_AN_IMAGE.format(path))
        return FoundImage(look.path, -(-look.size // MIB))
    _require(look.kind is not FileKind.MISSING, f"{path} does not exist.")
    _require(look.kind is FileKind.FOLDER, f"{path} is neither a file nor a folder.")
    _require(look.readable, f"You do not have permission to read {path}.")
    await _require_sandbox(files, user, path, look)
    return FoundImage(look.path, None)


def is_sif(head: bytes) -> bool:
    return head[SIF_MAGIC_AT : SIF_MAGIC_AT + len(SIF_MAGIC)] == SIF_MAGIC


async def _require_sandbox(files: FileService, user: str, path: str, look: PathInfo) -> None:
    names = {entry.name for entry in (await files.list(user, look.path)).entries}
    _require(
        ".singularity.d" in names or {"bin", "usr", "etc"} <= names,
        f"{path} is a folder, but not the root of an image: it has no bin, usr and etc.",
    )


_NOT_AN_IMAGE = (
    "{} is not an image: it is neither a SIF file nor a SquashFS. Apptainer makes one with `apptainer build`."
)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidRequest(message, fields=[FieldProblem("path", message)])
