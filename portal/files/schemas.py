"""Request and response bodies of files."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from portal.files.text import Encoding, LineEnd
from portal.files.types import Conflict, FileKind, OperationKind, OperationState

#: Absolute, or relative to the home.
FilePath = Annotated[str, Field(pattern=r"^(~$|~/|/)[^\x00]*$", max_length=4096)]
Paths = Annotated[list[FilePath], Field(min_length=1, max_length=500)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True)


class FileEntry(Wire):
    name: str
    kind: FileKind
    link: bool = Field(description="Whether it is a symbolic link; the rest describes where it leads.")
    size: int = Field(description="Bytes.")
    modified: datetime | None
    mode: str = Field(description="As in `rwxr-x---`.")
    owner: str
    group: str
    readable: bool
    writable: bool


class FilesOut(Wire):
    """A path and, for a folder, a page of its contents."""

    path: str = Field(description="As requested.")
    real_path: str = Field(description="Absolute, links followed.")
    kind: FileKind
    entries: list[FileEntry]
    total: int | None = Field(description="Matching entries; null: the folder was not read to its end in time.")
    truncated: bool = Field(description="Whether there are more entries after these.")
    writable: bool = Field(description="Of a missing path: whether it could be created.")
    mode: str = ""
    owner: str = ""
    group: str = ""
    shared_with: str = Field("", description="Who else may read or change it, in words.")
    size: int = Field(0, description="Bytes of a file.")
    modified: datetime | None = None


class Space(Wire):
    """Bytes. With a quota, `total` is the quota."""

    used: int
    total: int
    free: int
    quota: bool


class Place(Wire):
    label: str
    path: str
    space: Space | None = Field(description="Null: unknown.")
    available: bool
    reason: str = Field(description="Why it is not available.")


class PlacesOut(Wire):
    items: list[Place]


class FolderIn(Wire):
    path: FilePath


class RenameIn(Wire):
    path: FilePath
    name: str = Field(pattern=r"^[^/\x00]+$", max_length=255)


class MoveIn(Wire):
    paths: Paths
    target: FilePath = Field(description="An existing folder.")
    conflict: Conflict = Conflict.REFUSE


class RemoveIn(Wire):
    paths: Paths


class RestoreIn(Wire):
    ids: Paths


class ModeIn(Wire):
    path: FilePath
    mode: str = Field(pattern=r"^[0-7]{3}$", description="Octal, as in 640.")


class Done(Wire):
    """`now`: its new path's last part or, in the bin, its id; restored, its path."""

    path: str
    now: str


class Failed(Wire):
    path: str
    code: str
    message: str


class ManyOut(Wire):
    """What became of each path: one that fails does not keep the others from being done."""

    done: list[Done]
    failed: list[Failed]


class OperationOut(Wire):
    """A copy, move or deletion that may take hours."""

    id: str
    kind: OperationKind
    count: int = Field(description="How many paths were asked for; 0: everything in the bin.")
    first: str = Field(description="The first of them.")
    target: str = Field(description="The folder to copy or move into.")
    state: OperationState = Field(description="`unknown`: the portal does not know how far it came.")
    cancelling: bool
    stalled: bool = Field(description="Whether it has told nothing for 20 s: its file system may not answer.")
    entries_done: int
    bytes_done: int
    entries_total: int | None = Field(description="Grows while they are counted; null: not known.")
    bytes_total: int | None
    current: str = Field(description="What it is at.")
    began: datetime
    updated: datetime
    ended: datetime | None
    done_count: int = Field(description="Of the paths, once it has ended.")
    failed_count: int
    left_count: int = Field(description="Entries in folders that were left out, or could not be deleted.")
    failed: list[Failed] = Field(description="The first 50.")
    left: list[Failed] = Field(description="The first 50.")
    message: str = Field(description="Why it did not end well.")


class OperationsOut(Wire):
    items: list[OperationOut]


class MovedOut(ManyOut):
    operation: OperationOut | None = Field(None, description="Moves what lies on another file system.")


class DeleteIn(Wire):
    paths: Paths


class EmptyIn(Wire):
    ids: Annotated[list[FilePath], Field(max_length=500)] = Field([], description="None: everything.")


class BinItem(Wire):
    id: str
    name: str
    path: str = Field(description="Where it was; empty: unknown.")
    removed: str | None = Field(description="Local time of the portal's machine, as the bin records it.")
    kind: FileKind
    size: int = Field(description="Bytes; 0 for folders.")


class BinOut(Wire):
    items: list[BinItem]
    truncated: bool


class TextOut(Wire):
    """A text file as it is now."""

    path: str = Field(description="As requested.")
    text: str
    size: int = Field(description="Bytes.")
    version: str = Field(description="Changes whenever the file does.")
    encoding: Encoding
    line_end: LineEnd | None = Field(description="Null: mixed.")


class TextToSave(Wire):
    path: FilePath
    text: str = Field(max_length=500_000)
    version: str | None = Field(max_length=100, description="The version that was read; null: a new file.")
    encoding: Encoding = "utf-8"
    line_end: LineEnd | None = Field("lf", description="Null: keep the text's own.")


class TextSaved(Wire):
    path: str
    version: str
    size: int
