"""Carries whole files to and from the portal, as the user, with one process for each transfer and flat memory.

A file that arrives lies as `.name.ID.part` in its target's folder, owned by the user, until it is complete. The part
itself is the state of the upload: its size is what has arrived.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
import stat
import sys

from .arrange import CONFLICT, USER_S
from .files import open_file, path_of, version_of
from .parts import tidy
from .place import Place, free_name, place, problem, rename
from .refused import TYPE_CHECKING, Refused
from .request import USER, maybe, number, path, word

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Check, Config, Fields, Verbs

PIECE = 256 << 10
MAX_SIZE = 1 << 50
LONGEST_S = 86_400
ID = re.compile("[a-z0-9]{20,40}")
SHA256 = re.compile("[0-9a-f]{64}")
#: Bytes between two signs of life while a file is checked.
CHECKED = 64 << 20


def send(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer | None:
    """Write a frame about a file, wait for the wanted `offset` and `length`, and write as many bytes in frames."""
    where, shown = path_of(fields, entry), fields["path"]
    fd = open_file(where, shown)
    status = os.fstat(fd)
    tell({"size": status.st_size, "modified": status.st_mtime, "version": version_of(status)})
    wanted = next_number(), next_number()
    if None in wanted:
        return None
    offset, rest = wanted[0] or 0, wanted[1] or 0
    while rest:
        try:
            piece = os.pread(fd, min(PIECE, rest), offset)
        except OSError as error:
            raise problem(error, shown) from None
        if not piece:
            raise Refused("changed_meanwhile", f"{shown} has become shorter while it was read.", "path")
        tell({}, piece)
        offset, rest = offset + len(piece), rest - len(piece)
    return {"ok": True, "bytes": 0}


def tell(frame: Answer, piece: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(frame | {"bytes": len(piece)}).encode() + b"\n" + piece)
    sys.stdout.buffer.flush()


def next_number() -> int | None:
    """Return the number on the next line from the portal; None if it has hung up."""
    line = sys.stdin.buffer.readline(24)
    return int(line) if line.endswith(b"\n") and line[:-1].isdigit() else None


def part_of(target: Place, upload: str) -> str:
    return f".{target.name.encode(errors='surrogateescape')[:180].decode(errors='ignore')}.{upload}.part"


def make(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Begin an upload: make its part, if the name is free and there is space."""
    target = place(fields["path"], entry)
    try:
        if target.exists():
            if stat.S_ISDIR(target.stat().st_mode) and fields["conflict"] == "replace":
                raise Refused("exists", f"{target.shown} is a folder.", "path")
            if fields["conflict"] == "refuse":
                raise Refused("exists", f"{target.shown} exists already.", "path")
        tidy(target.fd)
        space = os.statvfs(f"/proc/self/fd/{target.fd}")
        if fields["length"] > space.f_bavail * space.f_frsize:
            raise OSError(errno.ENOSPC, "")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        fd = os.open(part_of(target, fields["upload"]), flags, 0o600, dir_fd=target.fd)
    except OSError as error:
        raise problem(error, fields["path"]) from None
    return {"ok": True, "inode": os.fstat(fd).st_ino}


def look(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return how much of an upload has arrived; `done`: it has its name, with which its inode came along."""
    target = place(fields["path"], entry)
    try:
        return {
            "ok": True,
            "offset": Place(target.fd, part_of(target, fields["upload"]), "").stat().st_size,
            "done": False,
        }
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise problem(error, fields["path"]) from None
    if target.exists() and target.stat().st_ino == fields["inode"]:
        return {"ok": True, "offset": target.stat().st_size, "done": True}
    raise Refused("not_found", f"The upload of {fields['path']} is not there any more.", "path")


def drop(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Give an upload up."""
    target = place(fields["path"], entry)
    try:
        os.unlink(part_of(target, fields["upload"]), dir_fd=target.fd)
    except OSError as error:
        raise problem(error, fields["path"]) from None
    return {"ok": True}


def store(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Append what the portal sends to the part; when it is complete, check it and give it its name.

    The portal sends pieces, each after a line with its length, and 0 at the end. If it hangs up, what came is kept.
    """
    target = place(fields["path"], entry)
    name, fd = part_of(target, fields["upload"]), -1
    try:
        fd = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=target.fd)
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise Refused("not_found", "The upload's part is not a file of yours.", "path")
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        offset = os.fstat(fd).st_size
        if offset != fields["offset"]:
            raise Refused("offset", f"The upload has arrived up to byte {offset}, not {fields['offset']}.", "offset")
        offset, whole = append(fd, offset, fields)
        done = whole and offset == fields["length"]
        final = finish(fd, target, name, fields, config) if done else None
    except BlockingIOError:
        raise Refused("busy", "Another request of this upload is still running.", "path") from None
    except OSError as error:
        raise problem(error, fields["path"]) from None
    finally:
        if fd >= 0:
            os.close(fd)
    return {"ok": True, "bytes": 0, "offset": offset, "done": done, "name": final}


def append(fd: int, offset: int, fields: Fields) -> tuple[int, bool]:
    """Return the new size, and whether the portal has sent all that it wanted to."""
    began, digest = offset, hashlib.sha256()
    whole = False
    try:
        while (size := next_number()) is not None:
            if not size:
                whole = True
                break
            piece = sys.stdin.buffer.read(size)
            if offset + len(piece) > fields["length"]:
                raise Refused("invalid", "More data arrived than was announced.", "length")
            digest.update(piece) if fields["piece_sha256"] else None
            rest = memoryview(piece)
            while rest:
                written = os.pwrite(fd, rest, offset)
                rest, offset = rest[written:], offset + written
    finally:
        os.fdatasync(fd)
    if fields["piece_sha256"] and (not whole or digest.hexdigest() != fields["piece_sha256"]):
        os.ftruncate(fd, began)
        if whole:
            raise Refused("checksum", "This piece arrived damaged and was dropped. Send it again.", "checksum")
        return began, False
    return offset, whole


def finish(fd: int, target: Place, name: str, fields: Fields, config: Config) -> str:
    """Check the complete part, and give it its name. Raises Refused if that was taken meanwhile."""
    if fields["sha256"] and digest_of(fd) != fields["sha256"]:
        os.unlink(name, dir_fd=target.fd)
        raise Refused("checksum", "The file arrived damaged and was deleted. Upload it again.", "sha256")
    os.fchmod(fd, 0o666 & ~int(config["umask"], 8))
    if fields["modified"] is not None:
        os.utime(fd, (fields["modified"], fields["modified"]))
    os.fsync(fd)
    final = free_name(target.fd, target.name) if fields["conflict"] == "rename" else target.name
    rename(target.fd, name, target.fd, final, replace=fields["conflict"] == "replace")
    return final


def digest_of(fd: int) -> str:
    digest, offset, told = hashlib.sha256(), 0, 0
    while piece := os.pread(fd, PIECE, offset):
        digest.update(piece)
        offset += len(piece)
        if offset - told >= CHECKED:
            told = offset
            tell({"checked": offset})
    return digest.hexdigest()


UPLOAD: dict[str, Check] = {"path": path, "upload": word(ID)}
LIFE = {"user": word(USER), "life_s": number(1, LONGEST_S)}
VERBS: Verbs = {
    "file_send": (LIFE | {"path": path}, send),
    "part_make": (USER_S | UPLOAD | {"length": number(0, MAX_SIZE), "conflict": word(CONFLICT)}, make),
    "part_look": (USER_S | UPLOAD | {"inode": number(0, 1 << 64)}, look),
    "part_drop": (USER_S | UPLOAD, drop),
    "part_store": (
        LIFE
        | UPLOAD
        | {
            "length": number(0, MAX_SIZE),
            "offset": number(0, MAX_SIZE),
            "conflict": word(CONFLICT),
            "modified": maybe(number(0, 1 << 40)),
            "sha256": word(SHA256, optional=True),
            "piece_sha256": word(SHA256, optional=True),
        },
        store,
    ),
}
