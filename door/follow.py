"""Follows a file as it grows, as the user: an act that runs until the portal hangs up.

Writes frames to standard output: a line of JSON, then as many bytes as it announces. A full pipe pauses reading, so
nothing is buffered for a slow reader; a reader that has fallen far behind is moved forward, and the frame says by how
much. The portal ends it by closing its standard input.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time

from .files import open_file, path_of
from .refused import TYPE_CHECKING
from .request import USER, number, path, word
from .wire import whole_characters

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields, Verbs

PIECE = 131_072
#: Bytes per second at most; growth beyond that is skipped.
RATE = 4 << 20
#: A reader further behind than this is moved to within `NEAR` of the end.
BEHIND = 4 << 20
NEAR = 1 << 20
#: Seconds between two looks while nothing is new: at first, and at most.
LOOK_S = (0.1, 1.0)
#: A file system that takes longer for one look counts as dead.
STUCK_S = 30
PULSE_S = 2.0


class Follower:
    """One file, read from an offset; it may appear later, be truncated, or be replaced."""

    def __init__(self, where: str, shown: str, offset: int) -> None:
        self.where = where
        self.shown = shown
        self.offset = offset
        self.fd: int | None = None
        self.inode: tuple[int, int] | None = None

    def size(self) -> int | None:
        """Return the file's size, None while it does not exist; a replaced file starts again from 0."""
        try:
            stat = os.stat(self.where)
        except FileNotFoundError:
            return None
        except OSError:
            stat = None
        fd = self.fd
        if fd is None or (stat and (stat.st_dev, stat.st_ino) != self.inode):
            fd = self.reopen()
        size = os.fstat(fd).st_size
        if self.offset < 0:
            self.offset = max(0, size + self.offset)
        if size < self.offset:
            self.offset = 0
        return size

    def reopen(self) -> int:
        if self.fd is not None:
            os.close(self.fd)
            self.offset = 0
        self.fd = fd = open_file(self.where, self.shown)
        stat = os.fstat(fd)
        self.inode = (stat.st_dev, stat.st_ino)
        return fd

    def next(self) -> tuple[dict[str, int], bytes]:
        """Return the next frame; its piece is empty when nothing is new."""
        size = self.size()
        if size is None or self.fd is None:
            return {"offset": 0, "next_offset": 0, "size": 0, "skipped": 0, "bytes": 0, "missing": 1}, b""
        skipped = 0
        if size - self.offset > BEHIND:
            ahead = size - NEAR
            ahead += 1 + os.pread(self.fd, 4096, ahead).find(b"\n")  # the beginning of a line, if one is near
            skipped, self.offset = ahead - self.offset, ahead
        at = self.offset
        piece = whole_characters(os.pread(self.fd, PIECE, at))
        self.offset += len(piece)
        frame = {"offset": at, "next_offset": self.offset, "size": size, "skipped": skipped, "bytes": len(piece)}
        return frame, piece


def follow(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer | None:
    """Write frames until the portal hangs up or the time is up."""
    where = path_of(fields, entry)
    until = time.monotonic() + fields["life_s"]
    follower = Follower(where, fields["path"], fields["offset"])
    pause, told_at = LOOK_S[0], 0.0
    while time.monotonic() < until:
        signal.alarm(STUCK_S)
        began = time.monotonic()
        frame, piece = follower.next()
        signal.alarm(0)  # from here on the deadline is the portal's
        if piece or began - told_at > PULSE_S:
            if not write(frame, piece):
                return None
            told_at = began
        pause = len(piece) / RATE if piece else min(LOOK_S[1], max(LOOK_S[0], pause * 1.5))
        if hung_up(max(0.0, began + pause - time.monotonic())):
            return None
    return None


def write(frame: dict[str, int], piece: bytes) -> bool:
    try:
        sys.stdout.buffer.write(json.dumps(frame).encode() + b"\n" + piece)
        sys.stdout.buffer.flush()
    except OSError:
        return False
    return True


def hung_up(wait_s: float) -> bool:
    """Wait; return whether the portal has closed its end."""
    ready = select.select([sys.stdin.buffer], [], [], wait_s)[0]
    return bool(ready) and not os.read(0, 4096)


VERBS: Verbs = {
    "follow": (
        {
            "user": word(USER),
            "path": path,
            "offset": number(-(1 << 62), 1 << 62),
            "life_s": number(1, 3600),
        },
        follow,
    ),
}
