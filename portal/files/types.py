"""Facts about a user's files: plain frozen values. Sizes are bytes, times aware UTC datetimes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FileKind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A device, a FIFO, a socket, or a broken link."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class PathInfo:
    """A path. `path` is the real one, links followed; `writable` of a missing one: whether it could be created."""

    path: str
    kind: FileKind
    size: int
    modified: datetime | None
    readable: bool
    writable: bool
    head: bytes
    """The first 512 bytes of a readable file."""


@dataclass(frozen=True, slots=True)
class DiskSpace:
    """Space for the user: the quota's if known, else the file system's; never more than is free there."""

    total_bytes: int
    free_bytes: int
    quota: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a folder or, from `find`, below it."""

    name: str
    kind: FileKind
    size: int
    modified: datetime | None


@dataclass(frozen=True, slots=True)
class Listing:
    """`path` is absolute; `truncated`: there is more than `entries`."""

    path: str
    entries: tuple[Entry, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class FileChunk:
    """`data` is at `offset` of a file of `size` bytes; `version` changes whenever the file does."""

    data: bytes
    offset: int
    size: int
    version: str = ""


@dataclass(frozen=True, slots=True)
class Growth:
    """The offset of a piece of a growing file; `skipped` bytes before it were left out."""

    offset: int
    next_offset: int
    size: int
    skipped: int


class Conflict(StrEnum):
    """What to do when the target has something of that name."""

    REFUSE = "refuse"
    RENAME = "rename"
    REPLACE = "replace"


class OperationKind(StrEnum):
    COPY = "copy"
    MOVE = "move"
    DELETE = "delete"
    """For good."""
    EMPTY = "empty"
    """Delete what is in the bin."""


class OperationState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
