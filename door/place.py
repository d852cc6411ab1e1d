"""Opens the folder that an act changes, so that nobody else's link leads the act elsewhere.

Reading follows every link, because the kernel bounds what the user may read. An act that changes something follows only
links that root or the user made: with another user's link in a shared folder, that user would choose which of the
user's files are changed. From the descriptor on, nobody can exchange the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from itertools import islice

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    import pwd

MAX_LINKS = 40
UNKNOWN = "\ufffd"
MAX_NAMES = 1_000_000
FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW
AWAY = (
    errno.ESTALE,
    errno.EIO,
    errno.ETIMEDOUT,
    errno.EHOSTDOWN,
    errno.ENOTCONN,
    errno.ECONNABORTED,
    errno.EREMOTEIO,
)
EXCHANGE, NO_REPLACE = 2, 1
NOT_SUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


class Place:
    """A name in a folder that is held open; the name itself is never followed."""

    def __init__(self, fd: int, name: str, shown: str) -> None:
        self.fd = fd
        self.name = name
        self.shown = shown

    def stat(self) -> os.stat_result:
        return os.stat(self.name, dir_fd=self.fd, follow_symlinks=False)

    def exists(self) -> bool:
        try:
            self.stat()
        except FileNotFoundError:
            return False
        return True


def shown(name: str) -> str:
    """Return a name as JSON can carry it; bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(name).decode(errors="replace")


def absolute(where: str, entry: pwd.struct_passwd) -> str:
    full = entry.pw_dir + where[1:] if where.startswith("~") else where
    return meant(full) if UNKNOWN in full else full


def meant(path: str) -> str:
    """Return the path whose names are shown as these: bytes that are not UTF-8 are shown as U+FFFD.

    Raises Refused if there are several.
    """
    found = ""
    for part in path.split("/"):
        if UNKNOWN in part and not os.path.lexists(f"{found}/{part}"):
            part = name_meant(found or "/", part)
        found = f"{found}/{part}" if found or part else ""
    return found


def name_meant(folder: str, part: str) -> str:
    try:
        with os.scandir(folder) as inside:
            names = [node.name for node in islice(inside, MAX_NAMES) if shown(node.name) == part]
    except OSError:
        names = []
    if len(names) > 1:
        raise Refused("invalid", f"Several names are shown as “{part}”: they are not UTF-8. Rename them in a session.")
    return names[0] if names else part


def place(where: str, entry: pwd.struct_passwd) -> Place:
    """Open the folder of a path whose last part may be missing. Raises Refused."""
    full = absolute(where, entry).rstrip("/")
    folder, _, name = full.rpartition("/")
    if name in ("", ".", ".."):
        raise Refused("invalid", f"{where} does not name a file or folder.", "path")
    try:
        return Place(open_folder(folder or "/", entry.pw_uid), name, where)
    except OSError as error:
        raise problem(error, os.path.dirname(where) or "/") from None


def folder_at(where: str, entry: pwd.struct_passwd) -> int:
    try:
        return open_folder(absolute(where, entry), entry.pw_uid)
    except OSError as error:
        raise problem(error, where) from None


def open_folder(where: str, uid: int) -> int:
    """Return a descriptor of a folder. Raises OSError, and Refused at another user's link."""
    parts = [part for part in reversed(where.split("/")) if part not in ("", ".")]
    fd, links = os.open("/", FOLDER), 0
    try:
        while parts:
            name = parts.pop()
            try:
                below = os.open(name, FOLDER, dir_fd=fd)
            except OSError as error:
                if error.errno not in (errno.ENOTDIR, errno.ELOOP):
                    raise
                target, links = trusted_link(fd, name, uid), links + 1
                if links > MAX_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
                parts += [part for part in reversed(target.split("/")) if part not in ("", ".")]
                below = os.open("/", FOLDER) if target.startswith("/") else os.dup(fd)
            os.close(fd)
            fd = below
    except BaseException:
        os.close(fd)
        raise
    return fd


def trusted_link(fd: int, name: str, uid: int) -> str:
    """Return where a link leads. Raises Refused if another user made it, NotADirectoryError if it is not a link."""
    status = os.stat(name, dir_fd=fd, follow_symlinks=False)
    if not stat.S_ISLNK(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if status.st_uid not in (0, uid):
        raise Refused(
            "link",
            f"“{name}” is a link that another user made, so nothing is changed through it. "
            "Open the folder that it leads to instead.",
            "path",
        )
    return os.readlink(name, dir_fd=fd)


def problem(error: OSError, shown: str) -> Refused:
    """Turn an error of the file system into a refusal."""
    number = error.errno
    if number == errno.ENOENT:
        return Refused("not_found", f"{shown} does not exist.", "path")
    if number == errno.ENOTDIR:
        return Refused("not_a_folder", f"{shown} is not a folder.", "path")
    if number in (errno.EEXIST, errno.ENOTEMPTY, errno.EISDIR):
        return Refused("exists", f"{shown} exists already.", "path")
    if number in (errno.EACCES, errno.EPERM):
        return Refused("forbidden", f"You do not have permission to do this at {shown}.", "path")
    if number == errno.ENOSPC:
        return Refused("disk_full", f"There is no space left on the file system of {shown}.", "path")
    if number == errno.EDQUOT:
        return Refused("quota", f"You have reached your quota on the file system of {shown}.", "path")
    if number == errno.EROFS:
        return Refused("read_only", f"The file system of {shown} is read-only.", "path")
    if number in AWAY:
        return Refused("unavailable", f"The file system of {shown} does not answer: {error.strerror}.", "path")
    return Refused("file", f"{shown}: {error.strerror or error}.", "path")


def rename(source_fd: int, source: str, target_fd: int, target: str, *, replace: bool = False) -> None:
    """Rename; without `replace`, raise FileExistsError rather than touch what has the new name."""
    if replace:
        os.replace(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd)
        return
    try:
        renameat2(source_fd, source, target_fd, target, NO_REPLACE)
        return
    except OSError as error:
        if error.errno not in NOT_SUPPORTED:
            raise
    # NFS, among others, cannot do it in one step. A hard link can, for files.
    if not stat.S_ISDIR(os.stat(source, dir_fd=source_fd, follow_symlinks=False).st_mode):
        try:
            os.link(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd, follow_symlinks=False)
            os.unlink(source, dir_fd=source_fd)
            return
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
                raise
    try:
        os.stat(target, dir_fd=target_fd, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd)
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def renameat2(source_fd: int, source: str, target_fd: int, target: str, flags: int) -> None:
    import ctypes

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(source_fd, os.fsencode(source), target_fd, os.fsencode(target), ctypes.c_uint(flags)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def free_name(fd: int, name: str) -> str:
    """Return `name`, or the first `name (2).ext` … that is not taken."""
    stem, dot, extension = name.rpartition(".") if "." in name[1:] else (name, "", "")
    names = (name if number == 1 else f"{stem} ({number}){dot}{extension}" for number in range(1, 1000))
    for candidate in names:
        if not Place(fd, candidate, "").exists():
            return candidate
    raise Refused("exists", f"There are too many files called {name}.", "path")
