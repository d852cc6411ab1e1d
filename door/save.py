"""Saves a small file whole or not at all, as the user, and never over a version that the user has not seen."""

from __future__ import annotations

import base64
import errno
import os
import stat

from .arrange import USER_S
from .files import version_of
from .place import EXCHANGE, NOT_SUPPORTED, Place, place, problem, rename, renameat2, trusted_link
from .refused import TYPE_CHECKING, Refused
from .request import maybe, path, text

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields, Verbs

MAX_TEXT = 512 << 10


def content(name: str, value: object) -> object:
    try:
        return base64.b64decode(str(text(MAX_TEXT * 4 // 3 + 4)(name, value)), validate=True)
    except ValueError:
        raise Refused("invalid", f"The {name} is not base64.", name) from None


def save(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Write the content to a new file (`version` null), or over the version that the user has read."""
    file = followed(place(fields["path"], entry), entry)
    temporary = Place(file.fd, f".{file.name[:200]}.{os.getpid()}.new", file.shown)
    try:
        status = write(file, temporary, fields, 0o666 & ~int(config["umask"], 8))
        if fields["version"] is None:
            rename(temporary.fd, temporary.name, file.fd, file.name)
        else:
            exchange(temporary, file, fields["version"])
    except FileExistsError:
        raise Refused("exists", f"{fields['path']} exists already.", "path") from None
    except OSError as error:
        raise problem(error, fields["path"]) from None
    finally:
        remove(temporary)
    return {"ok": True, "version": version_of(status), "size": status.st_size}


def followed(file: Place, entry: pwd.struct_passwd) -> Place:
    """Return where a link of the user's own leads, so that saving changes the file and leaves the link."""
    for _ in range(8):
        try:
            if not stat.S_ISLNK(file.stat().st_mode):
                return file
            target = trusted_link(file.fd, file.name, entry.pw_uid)
        except FileNotFoundError:
            return file
        except OSError as error:
            raise problem(error, file.shown) from None
        here = os.path.realpath(f"/proc/self/fd/{file.fd}")
        file = Place(*at(os.path.join(here, target), entry), file.shown)
    raise Refused("file", f"{file.shown} is a link to a link to a link.", "path")


def at(where: str, entry: pwd.struct_passwd) -> tuple[int, str]:
    found = place(where, entry)
    return found.fd, found.name


def write(file: Place, temporary: Place, fields: Fields, mode: int) -> os.stat_result:
    """Write the temporary file, with `mode` or the mode and group of what it replaces."""
    if fields["version"] is not None:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Refused("not_a_file", f"{file.shown} is not a regular file.", "path")
        require(status, fields["version"], file)
        if not os.access(file.name, os.W_OK, dir_fd=file.fd):
            raise PermissionError(errno.EACCES, "")
        mode = status.st_mode & 0o777
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    fd = os.open(temporary.name, flags, 0o600, dir_fd=temporary.fd)
    try:
        rest = memoryview(fields["content"])
        while rest:
            rest = rest[os.write(fd, rest) :]
        if fields["version"] is not None and status.st_gid != os.fstat(fd).st_gid:
            keep_group(fd, status.st_gid)
        os.fchmod(fd, mode)
        os.fsync(fd)  # an NFS quota may only take effect here
        return os.fstat(fd)
    finally:
        os.close(fd)


def keep_group(fd: int, group: int) -> None:
    try:
        os.fchown(fd, -1, group)
    except OSError:
        return


def require(status: os.stat_result, version: str, file: Place) -> None:
    if version_of(status) != version:
        raise Refused("changed_meanwhile", f"{file.shown} has been changed since you opened it.", "version")


def exchange(temporary: Place, file: Place, version: str) -> None:
    """Replace the file; if somebody saved it in the meantime, which shows in what was replaced, put that back."""
    try:
        renameat2(temporary.fd, temporary.name, file.fd, file.name, EXCHANGE)
    except OSError as error:
        if error.errno not in NOT_SUPPORTED:
            raise
        require(file.stat(), version, file)
        rename(temporary.fd, temporary.name, file.fd, file.name, replace=True)
        return
    try:
        require(temporary.stat(), version, file)
    except Refused:
        renameat2(temporary.fd, temporary.name, file.fd, file.name, EXCHANGE)
        raise


def remove(temporary: Place) -> None:
    """Delete the temporary file, if it is there; the error that prevents it also ended the save."""
    try:
        os.unlink(temporary.name, dir_fd=temporary.fd)
    except OSError:
        return


VERBS: Verbs = {"save": (USER_S | {"path": path, "version": maybe(text(100)), "content": content}, save)}
