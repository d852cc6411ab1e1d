"""Sends files and folders as one zip or tar archive, as the user: packed while it is read, and nothing is staged.

What the paths name may be links; inside folders, links are kept as links, and nothing is followed. What cannot be
packed is left out, and listed in the archive's last member.
"""

from __future__ import annotations

import os
import re
import stat
import time

from .arrange import paths
from .files import path_of, unreadable
from .place import problem, shown
from .refused import TYPE_CHECKING, Refused
from .request import word
from .transfer import LIFE, PIECE, tell
from .trees import FOLDER, MAX_DEPTH, Left, opened

if TYPE_CHECKING:
    import pwd
    from typing import Any

    from .refused import Answer, Config, Fields, Verbs

FORMAT = re.compile("zip|tar")
#: The writer of zip archives holds 400 bytes and the name of each until the end.
MAX_ZIP = 200_000
MAX_NOTES = 10_000
LIST = "LEFT-OUT.txt"
#: Seconds after which the portal is told that there is nothing to tell.
QUIET_S = 5.0
#: The first and last second that zip can express in every time zone.
ZIP_TIMES = (315_705_600, 4_354_646_400)
READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY


def send(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Write a frame once all paths can be read, then the archive in frames."""
    wheres = [(path_of({"path": where}, entry), where) for where in fields["paths"]]
    for where, asked in wheres:
        os.close(top(where, asked))
    if fields["format"] == "zip":
        check_count([where for where, _ in wheres])
    tell({"begins": True})
    os.nice(10)  # packing is work, which must not slow the portal down
    out = Out()
    pack = Pack((Zip if fields["format"] == "zip" else Tar)(out), out)
    for where, asked in wheres:
        try:
            pack.add_opened(top(where, asked), pack.free(name_of(where)), asked)
        except OSError as error:
            raise problem(error, asked) from None
    pack.finish()
    return {"ok": True, "bytes": 0}


def name_of(where: str) -> str:
    """Return the last part of a path; where that is none, what it stands for."""
    name = os.path.basename(where.rstrip("/"))
    return name if name not in ("", ".", "..") else os.path.basename(os.path.realpath(where)) or "files"


def top(where: str, asked: str) -> int:
    """Open a file or folder, following links as every reading act does."""
    try:
        kind = os.stat(where).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            raise Refused("not_a_file", f"{asked} is neither a file nor a folder.", "path")
        return os.open(where, READ | (os.O_DIRECTORY if stat.S_ISDIR(kind) else 0))
    except OSError as error:
        raise unreadable(error, asked) from None


def check_count(rest: list[str]) -> None:
    """Refuse a zip archive of too many entries. Only names are read."""
    seen, told = 0, time.monotonic()
    while rest:
        try:
            with os.scandir(rest.pop()) as inside:
                for node in inside:
                    seen += 1
                    if seen > MAX_ZIP:
                        message = f"A zip archive takes {MAX_ZIP:,} files and folders here. Choose tar instead."
                        raise Refused("too_large", message, "format")
                    if node.is_dir(follow_symlinks=False):
                        rest.append(node.path)
        except OSError:
            continue
        if time.monotonic() - told > QUIET_S:
            told = time.monotonic()
            tell({})


class Out:
    """What the archive's writer writes to: frames for the portal."""

    def __init__(self) -> None:
        self.held = bytearray()
        self.told = time.monotonic()

    def write(self, data: bytes) -> int:
        self.held += data
        if len(self.held) >= PIECE:
            self.send()
        return len(data)

    def flush(self) -> None:
        """Do nothing: `send` follows at the end."""

    def send(self) -> None:
        tell({}, bytes(self.held))
        self.held.clear()
        self.told = time.monotonic()

    def live(self) -> None:
        """Tell the portal that the act goes on, if it has told nothing for a while."""
        if time.monotonic() - self.told > QUIET_S:
            self.send()


class Pack:
    """An archive that is being written."""

    def __init__(self, archive: Zip | Tar, out: Out) -> None:
        self.archive = archive
        self.out = out
        self.names: set[str] = set()
        self.left: list[str] = []
        self.left_count = 0

    def free(self, name: str) -> str:
        """Return a name at the archive's top that nothing else has."""
        stem, dot, extension = name.rpartition(".") if "." in name[1:] else (name, "", "")
        found, number = name, 1
        while found in self.names:
            number += 1
            found = f"{stem} ({number}){dot}{extension}"
        self.names.add(found)
        return found

    def leave(self, path: str, why: str) -> None:
        self.left_count += 1
        if self.left_count <= MAX_NOTES:
            self.left.append(f"{shown(path)}: {why}".replace("\n", " "))

    def add(self, fd: int, name: str, inside: str, path: str, depth: int) -> None:
        """Add what is at `name` as `inside`, a path in the archive. Raises OSError if the file system fails."""
        self.out.live()
        try:
            status = os.stat(name, dir_fd=fd, follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                self.archive.link(inside, status, os.readlink(name, dir_fd=fd))
            elif stat.S_ISREG(status.st_mode):
                self.add_opened(opened(fd, name, READ | os.O_NOFOLLOW), inside, path)
            elif not stat.S_ISDIR(status.st_mode):
                self.leave(path, "It is a device, FIFO or socket.")
            elif depth > MAX_DEPTH:
                self.leave(path, f"Folders are nested more than {MAX_DEPTH} deep.")
            else:
                self.add_opened(opened(fd, name, FOLDER), inside, path, depth)
        except Left as left:
            self.leave(path, f"It {left}.")
        except FileNotFoundError:
            self.leave(path, "It is gone.")

    def add_opened(self, fd: int, inside: str, path: str, depth: int = 0) -> None:
        """Add an opened file or folder, and close it."""
        try:
            status = os.fstat(fd)
            if stat.S_ISREG(status.st_mode):
                source = Source(fd, status.st_size, path, self.out)
                self.archive.file(inside, status, source)
                if source.short:
                    self.leave(path, f"It became shorter while it was read: the last {source.short} B are zeros.")
            elif stat.S_ISDIR(status.st_mode):
                self.archive.folder(inside, status)
                with os.scandir(fd) as nodes:
                    for node in nodes:
                        self.add(fd, node.name, f"{inside}/{node.name}", f"{path}/{node.name}", depth + 1)
            else:
                self.leave(path, "It is a device, FIFO or socket.")
        except PermissionError:
            self.leave(path, "It cannot be read.")
        finally:
            os.close(fd)

    def finish(self) -> None:
        if self.left_count:
            more = self.left_count - len(self.left)
            lines = ["What the archive lacks, and why:", *self.left, *([f"… and {more} more."] if more else [])]
            self.archive.text(self.free(LIST), "\n".join([*lines, ""]).encode())
        self.archive.close()
        self.out.send()


class Source:
    """A file of just `size` bytes: what it has lost meanwhile is read as zeros, and what was added is not read."""

    def __init__(self, fd: int, size: int, path: str, out: Out) -> None:
        self.fd = fd
        self.out = out
        self.left = size
        self.offset = self.short = 0
        self.path = path

    def read(self, most: int = PIECE) -> bytes:
        """Return as much as is wanted and left: tarfile takes anything less for an error."""
        self.out.live()
        wanted = min(most, self.left, PIECE)
        piece = bytearray()
        try:
            while len(piece) < wanted and (more := os.pread(self.fd, wanted - len(piece), self.offset + len(piece))):
                piece += more
        except OSError as error:
            raise problem(error, shown(self.path)) from None
        lost = wanted - len(piece)
        self.short += lost
        self.left -= wanted
        self.offset += wanted
        return bytes(piece) + bytes(lost)


class Zip:
    """Names are in UTF-8, as its readers expect: bytes that are not become %FF."""

    def __init__(self, out: Out) -> None:
        import zipfile
        import zlib

        self.zipfile, self.zlib = zipfile, zlib
        self.archive = zipfile.ZipFile(out, "w")  # type: ignore[call-overload]

    def info(self, name: str, mode: int, seconds: float) -> Any:
        stamp = time.localtime(min(max(seconds, ZIP_TIMES[0]), ZIP_TIMES[1]))
        info = self.zipfile.ZipInfo(re.sub("[\udc80-\udcff]", percent, name), stamp[:6])
        info.external_attr = mode << 16 | (0x10 if stat.S_ISDIR(mode) else 0)
        info.create_system = 3  # Unix, for the mode
        return info

    def folder(self, name: str, status: os.stat_result) -> None:
        self.whole(self.info(f"{name}/", stat.S_IFDIR | status.st_mode & 0o777, status.st_mtime), b"")

    def link(self, name: str, status: os.stat_result, target: str) -> None:
        self.whole(self.info(name, stat.S_IFLNK | 0o777, status.st_mtime), os.fsencode(target))

    def text(self, name: str, data: bytes) -> None:
        self.whole(self.info(name, stat.S_IFREG | 0o644, time.time()), data)

    def whole(self, info: Any, data: bytes) -> None:
        self.archive.writestr(info, data, self.zipfile.ZIP_DEFLATED if data else None)

    def file(self, name: str, status: os.stat_result, source: Source) -> None:
        info, piece = self.info(name, stat.S_IFREG | status.st_mode & 0o777, status.st_mtime), source.read()
        info.compress_type = self.zipfile.ZIP_DEFLATED
        shrinks = len(self.zlib.compress(piece, 1)) < 0.9 * len(piece)
        info._compresslevel = 1 if shrinks else 0  # noqa: SLF001  (older versions have no public name for it)
        with self.archive.open(info, "w", force_zip64=status.st_size > 1 << 30) as into:
            while piece:
                into.write(piece)
                piece = source.read()

    def close(self) -> None:
        self.archive.close()


def percent(found: re.Match[str]) -> str:
    return f"%{ord(found[0]) - 0xDC00:02X}"


class Tar:
    """POSIX.1-2001, whose names may be any bytes."""

    def __init__(self, out: Out) -> None:
        import tarfile

        self.tarfile = tarfile
        self.archive = tarfile.open(  # noqa: SIM115  (closed by `close`)
            fileobj=out,  # type: ignore[call-overload]
            mode="w|",
            format=tarfile.PAX_FORMAT,
            encoding="utf-8",
            errors="surrogateescape",
        )

    def add(self, name: str, kind: bytes, status: os.stat_result, source: Any = None, **more: Any) -> None:
        info = self.tarfile.TarInfo(name)
        info.type, info.mode, info.mtime = kind, status.st_mode & 0o777, int(status.st_mtime)
        info.uid, info.gid = status.st_uid, status.st_gid
        for key, value in more.items():
            setattr(info, key, value)
        self.archive.addfile(info, source)
        self.archive.members.clear()  # else it holds every name to the end

    def folder(self, name: str, status: os.stat_result) -> None:
        self.add(name, self.tarfile.DIRTYPE, status)

    def link(self, name: str, status: os.stat_result, target: str) -> None:
        self.add(name, self.tarfile.SYMTYPE, status, linkname=target)

    def file(self, name: str, status: os.stat_result, source: Source) -> None:
        self.add(name, self.tarfile.REGTYPE, status, source, size=status.st_size)

    def text(self, name: str, data: bytes) -> None:
        import io

        info = self.tarfile.TarInfo(name)
        info.size, info.mtime = len(data), int(time.time())
        self.archive.addfile(info, io.BytesIO(data))

    def close(self) -> None:
        self.archive.close()


VERBS: Verbs = {"archive_send": (LIFE | {"paths": paths, "format": word(FORMAT)}, send)}
