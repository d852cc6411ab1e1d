"""What is known of a user's files: plain frozen values. Sizes are bytes, times aware UTC datetimes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A device, a FIFO, a socket, or a link that leads nowhere."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Look:
    """One path. `path` is the real one, links followed; `writable` of a missing one: whether it could be made."""

    path: str
    kind: Kind
    size: int
    modified: datetime | None
    readable: bool
    writable: bool
    head: bytes
    """The first 512 bytes of a file that may be read."""


@dataclass(frozen=True, slots=True)
class Room:
    """What the user may fill: the quota's, where one is known, or the file system's; never more than that has free."""

    total_bytes: int
    free_bytes: int
    quota: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in a folder, or (of `find`) below it."""

    name: str
    kind: Kind
    size: int
    modified: datetime | None


@dataclass(frozen=True, slots=True)
class Listing:
    """`path` is absolute; `truncated` says that there is more than `entries`."""

    path: str
    entries: tuple[Entry, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """`data` stands at `offset` of a file that is `size` bytes long now."""

    data: bytes
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Growth:
    """Where a piece of a growing file stands; `skipped` bytes before it were left out."""

    offset: int
    next_offset: int
    size: int
    skipped: int
