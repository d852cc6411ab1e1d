"""Copies and deletes folders with all that is in them, as the user; tells how far it is, and stops when asked to.

Every step is relative to a folder that is held open, and follows no link: nobody can exchange a folder for another on
the way.
"""

from __future__ import annotations

import errno
import json
import os
import select
import stat
import sys
import time

from .place import problem, shown
from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from .refused import Answer

PIECE = 1 << 20
#: Three descriptors are open for each level.
MAX_DEPTH = 200
TELL_S = 0.4
MAX_NOTES = 50
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Stopped(Exception):
    """The portal has hung up: it wants the act to end, or has ended itself."""


class Left(Exception):
    """Something is left out of a copy: a special file, or one that cannot be read."""


class Work:
    """How far an act is. `strict`: leaving something out is a failure. `told` False: nobody is told, or stops it."""

    def __init__(self, *, told: bool = True, strict: bool = False) -> None:
        self.entries = self.size = self.needed = 0
        self.total: tuple[int, int] | None = None
        self.left = 0
        self.strict = strict
        self.stopped = False
        #: What the copy that is being made consists of at its top.
        self.made: os.stat_result | None = None
        self._next = 0.0 if told else float("inf")

    def began(self, status: os.stat_result) -> None:
        self.made = self.made or status

    def step(self, name: str, entries: int = 0, size: int = 0) -> None:
        """Count what is done, and tell it now and then. Raises Stopped."""
        self.entries += entries
        self.size += size
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + TELL_S
        if select.select([sys.stdin], [], [], 0)[0]:
            self.stopped = True
        if self.stopped:
            raise Stopped
        self.tell(self.progress() | {"current": shown(name)})

    def progress(self) -> Answer:
        entries, size = self.total or (None, None)
        return {"entries": self.entries, "size": self.size, "entries_total": entries, "bytes_total": size}

    def tell(self, frame: Answer) -> None:
        """Write a frame, shorter than a line may be. Raises Stopped."""
        try:
            line = json.dumps(frame | {"bytes": 0}, ensure_ascii=False)
            sys.stdout.buffer.write(line.encode() + b"\n")
            sys.stdout.buffer.flush()
        except OSError:
            self.stopped = True
            raise Stopped from None

    def skip(self, path: str, why: str) -> None:
        """Leave something out of a copy. Raises Refused when that must not be."""
        message = f"{shown(path)} {why}"
        if self.strict:
            raise Refused("not_a_file", f"{message}, so nothing was moved. Copy the rest instead.", "paths")
        self.note({"path": shown(path), "code": "skipped", "message": f"{message}."})

    def note(self, left: Answer) -> None:
        self.left += 1
        if self.left <= MAX_NOTES and self._next != float("inf"):
            self.tell({"omission": left})


def count(work: Work, fd: int, name: str, depth: int = 0) -> None:
    """Add what is at `name` to the totals; what cannot be read counts as one entry."""
    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
    entries, size = work.total or (0, 0)
    regular = stat.S_ISREG(status.st_mode)
    work.total = entries + 1, size + (status.st_size if regular else 0)
    work.needed += min(status.st_size, status.st_blocks * 512) if regular else 0
    work.step(name)
    if not stat.S_ISDIR(status.st_mode) or depth > MAX_DEPTH:
        return
    try:
        below = os.open(name, FOLDER, dir_fd=fd)
    except OSError:
        return
    try:
        with os.scandir(below) as inside:
            for node in inside:
                try:
                    count(work, below, node.name, depth + 1)
                except FileNotFoundError:
                    continue
    finally:
        os.close(below)


def copy(work: Work, fd: int, name: str, to: int, new: str, path: str, depth: int = 0) -> None:
    """Copy what is at `name` to `new`, which must be missing: contents, permissions and times; links as links.

    Raises OSError of the target, Left for what cannot be copied, and Stopped.
    """
    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        os.symlink(os.readlink(name, dir_fd=fd), new, dir_fd=to)
        work.began(os.stat(new, dir_fd=to, follow_symlinks=False))
        os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns), dir_fd=to, follow_symlinks=False)
        work.step(path, 1)
    elif stat.S_ISREG(status.st_mode):
        copy_file(work, opened(fd, name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), to, new, path)
    elif stat.S_ISDIR(status.st_mode):
        if depth > MAX_DEPTH:
            raise Refused("invalid", f"Folders are nested more than {MAX_DEPTH} deep.", "paths")
        copy_folder(work, opened(fd, name, FOLDER), to, new, path, depth)
    else:
        raise Left("is a device, FIFO or socket")


def opened(fd: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=fd)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ELOOP, errno.ENOTDIR, errno.ENXIO):
            why = "is gone" if error.errno == errno.ENOENT else "cannot be read"
            raise Left(why) from None
        raise


def copy_folder(work: Work, source: int, to: int, new: str, path: str, depth: int) -> None:
    """Copy an opened folder, and close it. Its mode and times come last: the mode may forbid to fill it."""
    try:
        status = os.fstat(source)
        os.mkdir(new, 0o700, dir_fd=to)
        copied = os.open(new, FOLDER, dir_fd=to)
        try:
            work.began(os.fstat(copied))
            work.step(path, 1)
            with os.scandir(source) as inside:
                for node in inside:
                    where = f"{path}/{node.name}"
                    try:
                        copy(work, source, node.name, copied, node.name, where, depth + 1)
                    except Left as left:
                        work.skip(where, str(left))
                    except FileNotFoundError:
                        work.skip(where, "is gone")
            keep(copied, status)
        finally:
            os.close(copied)
    finally:
        os.close(source)


def keep(fd: int, status: os.stat_result) -> None:
    """Give a copy the permissions and times of its source; bits that lend rights are never copied."""
    os.fchmod(fd, stat.S_IMODE(os.fstat(fd).st_mode) & 0o7000 | status.st_mode & 0o777)
    os.utime(fd, ns=(status.st_atime_ns, status.st_mtime_ns))


def copy_file(work: Work, source: int, to: int, new: str, path: str) -> None:
    """Copy an opened file, and close it; holes stay holes."""
    try:
        status = os.fstat(source)
        if not stat.S_ISREG(status.st_mode):
            raise Left("is a device, FIFO or socket")
        copied = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=to)
        try:
            work.began(os.fstat(copied))
            os.ftruncate(copied, status.st_size)
            offset = 0
            while offset < status.st_size:
                began, offset = offset, copy_piece(source, copied, offset, status.st_size)
                work.step(path, 0, offset - began)
            keep(copied, status)
            if work.strict:
                os.fsync(copied)
        except BaseException:
            os.close(copied)
            raise
        os.close(copied)  # some file systems say only here that the disk is full
        work.step(path, 1)
    finally:
        os.close(source)


def copy_piece(source: int, copied: int, offset: int, size: int) -> int:
    """Copy the piece at `offset`, or jump over a hole there; return where it ends."""
    try:
        data = os.lseek(source, offset, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:  # nothing but a hole to the end
            return size
        data = offset
    if data > offset:
        return min(data, size)
    piece = os.pread(source, min(PIECE, size - offset), offset)
    if not piece:
        raise Refused("changed_meanwhile", "A file became shorter while it was copied. Try again.", "paths")
    rest = memoryview(piece)
    while rest:
        written = os.pwrite(copied, rest, offset)
        rest, offset = rest[written:], offset + written
    return offset


def remove_only(fd: int, name: str, made: os.stat_result) -> None:
    """Delete what is at `name` if it is still that, telling nobody.

    In a shared folder, another user may have put one of the user's own folders there instead.
    """
    remove(Work(told=False), fd, name, name, only=made)


def remove(
    work: Work,
    fd: int,
    name: str,
    path: str,
    twin: tuple[int, str] | None = None,
    depth: int = 0,
    only: os.stat_result | None = None,
) -> bool:
    """Delete what is at `name`; go on after a failure, and return whether all is gone. Raises Stopped.

    With `twin`, delete only what that folder has, too: the source of a move keeps what was changed meanwhile.
    """
    try:
        status = os.stat(name, dir_fd=fd, follow_symlinks=False)
        if twin and not same(status, os.stat(twin[1], dir_fd=twin[0], follow_symlinks=False)):
            raise Refused("changed_meanwhile", f"{shown(path)} was changed while it was moved, and stays.", "paths")
        still(status, only, path)
        if not stat.S_ISDIR(status.st_mode):
            os.unlink(name, dir_fd=fd)
        elif not remove_folder(work, fd, name, path, twin, depth, only):
            return False
    except FileNotFoundError:
        if not twin:
            return True  # somebody else has deleted it
        message = f"{shown(path)} is new, or was changed while it was moved, and stays."
        work.note({"path": shown(path), "code": "changed_meanwhile", "message": message})
        return False
    except (OSError, Refused) as error:
        refused = error if isinstance(error, Refused) else problem(error, shown(path))
        answer = refused.answer["error"]
        work.note({"path": shown(path), "code": answer["code"], "message": answer["message"]})
        return False
    if twin:
        work.step(path)  # it was counted when it was copied
    else:
        work.step(path, 1, status.st_size if stat.S_ISREG(status.st_mode) else 0)
    return True


def still(status: os.stat_result, only: os.stat_result | None, path: str) -> None:
    """Raise Refused if something must be `only` and is not."""
    if only and not os.path.samestat(status, only):
        raise Refused("changed_meanwhile", f"{shown(path)} is something else now, and stays.", "paths")


def remove_folder(
    work: Work,
    fd: int,
    name: str,
    path: str,
    twin: tuple[int, str] | None,
    depth: int,
    only: os.stat_result | None = None,
) -> bool:
    if depth > MAX_DEPTH:
        raise Refused("invalid", f"{shown(path)}: folders are nested more than {MAX_DEPTH} deep.", "paths")
    device = os.fstat(fd).st_dev
    below, other, whole = os.open(name, FOLDER, dir_fd=fd), -1, True
    try:
        status = os.fstat(below)
        still(status, only, path)
        if status.st_dev != device:
            raise Refused("invalid", f"Another file system is mounted at {shown(path)}.", "paths")
        if status.st_uid == os.geteuid() and status.st_mode & 0o300 != 0o300:
            os.fchmod(below, stat.S_IMODE(status.st_mode) | 0o700)
        other = os.open(twin[1], FOLDER, dir_fd=twin[0]) if twin else -1
        with os.scandir(below) as inside:
            for node in inside:
                also = (other, node.name) if twin else None
                whole &= remove(work, below, node.name, f"{path}/{node.name}", also, depth + 1)
    finally:
        os.close(below)
        if other >= 0:
            os.close(other)
    if whole:
        os.rmdir(name, dir_fd=fd)
    return whole


def same(source: os.stat_result, copied: os.stat_result) -> bool:
    """Return whether a source is still what was copied; some file systems keep times in seconds only."""
    if stat.S_IFMT(source.st_mode) != stat.S_IFMT(copied.st_mode):
        return False
    grain = 10**9 if copied.st_mtime_ns % 10**9 == 0 else 1000
    times = source.st_mtime_ns // grain == copied.st_mtime_ns // grain
    return not stat.S_ISREG(source.st_mode) or (source.st_size == copied.st_size and times)
