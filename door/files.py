"""Reads files as the user: with their rights only, bounded in bytes, entries and time.

Links are followed as far as the user's own rights go. Only regular files are opened: a FIFO would block for ever, and
opening a device can have effects. A file system that does not answer blocks until the guard ends the act.
"""

from __future__ import annotations

import base64
import os
import stat
import time
from fnmatch import fnmatchcase

from .place import AWAY, absolute, problem, shown
from .refused import TYPE_CHECKING, Refused
from .request import USER, number, path, text, word

if TYPE_CHECKING:
    import pwd
    from collections.abc import Iterator

    from .refused import Answer, Config, Fields, Verbs

HEAD = 512
MAX_PIECE = 1 << 20
MAX_ENTRIES = 5_000
MAX_DEPTH = 12
#: Bytes that all names in an answer may take together.
MAX_NAMES = 1 << 20
#: How many entries `find` examines before it gives up, however few match.
MAX_SEEN = 100_000
#: The share of its time that a listing reserves for answering with what it has.
SPARE_S = 1.0


def path_of(fields: Fields, entry: pwd.struct_passwd) -> str:
    """Return the path with `~` replaced by the home."""
    return absolute(fields["path"], entry)


def unreadable(error: OSError, shown: str) -> Refused:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return Refused("not_found", f"{shown} does not exist.", "path")
    if isinstance(error, PermissionError):
        return Refused("forbidden", f"You do not have permission to read {shown}.", "path")
    if error.errno in AWAY:
        return problem(error, shown)
    return Refused("file", f"{shown} cannot be read: {error.strerror}.", "path")


def kind_of(mode: int) -> str:
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def open_file(where: str, shown: str) -> int:
    """Open a regular file for reading. Raises Refused for anything else, without opening it."""
    try:
        if kind_of(os.stat(where).st_mode) == "file":
            fd = os.open(where, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
            if kind_of(os.fstat(fd).st_mode) == "file":
                return fd
            os.close(fd)
    except OSError as error:
        raise unreadable(error, shown) from None
    raise Refused("not_a_file", f"{shown} is not a regular file.", "path")


def piece_of(where: str, shown: str, offset: int, limit: int) -> tuple[bytes, int, os.stat_result]:
    """Return a piece of a file, its offset, and the file's status; a negative offset counts from the end."""
    fd = open_file(where, shown)
    try:
        status = os.fstat(fd)
        offset = max(0, status.st_size + offset) if offset < 0 else min(offset, status.st_size)
        return os.pread(fd, limit, offset), offset, status
    except OSError as error:
        raise unreadable(error, shown) from None
    finally:
        os.close(fd)


def look(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return what is there, whether it may be read and written, and how it begins."""
    where = path_of(fields, entry)
    answer: Answer = {"ok": True, "path": where, "kind": "missing", "size": 0, "modified": None, "head": ""}
    try:
        answer["path"] = shown(os.path.realpath(where))
        stat = os.stat(where)
    except FileNotFoundError:
        parent = os.path.dirname(where.rstrip("/")) or "/"
        return answer | {"readable": False, "writable": os.access(parent, os.W_OK | os.X_OK)}
    except OSError as error:
        raise unreadable(error, fields["path"]) from None
    kind = kind_of(stat.st_mode)
    readable = os.access(where, os.R_OK | os.X_OK if kind == "folder" else os.R_OK)
    if kind == "file" and readable:
        answer["head"] = base64.b64encode(piece_of(where, fields["path"], 0, HEAD)[0]).decode()
    return answer | {
        "kind": kind,
        "size": stat.st_size,
        "modified": stat.st_mtime,
        "readable": readable,
        "writable": os.access(where, os.W_OK | os.X_OK if kind == "folder" else os.W_OK),
    }


def list_(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """List a folder: folders first, then by name; only part of one that is too large."""
    until = time.monotonic() + fields["deadline_s"] - SPARE_S
    where = path_of(fields, entry)
    entries: list[Answer] = []
    truncated, room = False, MAX_NAMES
    try:
        with os.scandir(where) as inside:
            for inside_entry in inside:
                room -= len(os.fsencode(inside_entry.name))
                if len(entries) == fields["limit"] or room < 0 or time.monotonic() > until:
                    truncated = True
                    break
                entries.append(entry_of(inside_entry))
    except NotADirectoryError:
        raise Refused("not_a_folder", f"{fields['path']} is not a folder.", "path") from None
    except OSError as error:
        raise unreadable(error, fields["path"]) from None
    entries.sort(key=lambda entry: (entry["kind"] != "folder", entry["name"]))
    return {"ok": True, "path": shown(where), "entries": entries, "truncated": truncated}


def entry_of(entry: os.DirEntry[str]) -> Answer:
    """Describe a name in a folder; a dangling link, or one to where the user may not look, is `other`."""
    try:
        stat = entry.stat()
        return {
            "name": shown(entry.name),
            "kind": kind_of(stat.st_mode),
            "size": stat.st_size,
            "modified": stat.st_mtime,
        }
    except OSError:
        return {"name": shown(entry.name), "kind": "other", "size": 0, "modified": None}


def read(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return a piece of a file in base64; a negative offset counts from its end."""
    where = path_of(fields, entry)
    piece, offset, status = piece_of(where, fields["path"], fields["offset"], fields["limit"])
    return {
        "ok": True,
        "data": base64.b64encode(piece).decode(),
        "offset": offset,
        "size": status.st_size,
        "version": version_of(status),
    }


def version_of(status: os.stat_result) -> str:
    """Return what changes whenever a file's content does."""
    return f"{status.st_ino:x}-{status.st_size:x}-{status.st_mtime_ns:x}"


def find(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Find files and folders below `path` whose names match a pattern; does not follow links to folders."""
    until = time.monotonic() + fields["deadline_s"] - SPARE_S
    where = path_of(fields, entry)
    matches: list[Answer] = []
    truncated, room = False, MAX_NAMES
    for seen, node in enumerate(walk(where, fields), 1):
        if fnmatchcase(node.name, fields["glob"]):
            name = shown(os.path.relpath(node.path, where))
            room -= len(name.encode())
            matches.append(entry_of(node) | {"name": name})
        if len(matches) == fields["limit"] or seen == MAX_SEEN or room < 0 or time.monotonic() > until:
            truncated = True
            break
    return {"ok": True, "path": shown(where), "entries": matches, "truncated": truncated}


def walk(where: str, fields: Fields) -> Iterator[os.DirEntry[str]]:
    """Yield what is below a folder, level by level, so that nearby entries come first."""
    level = [where]
    for _ in range(fields["depth"]):
        below: list[str] = []
        for folder in level:
            try:
                with os.scandir(folder) as inside:
                    for entry in inside:
                        yield entry
                        if entry.is_dir(follow_symlinks=False):
                            below.append(entry.path)
            except OSError as error:
                if folder == where:
                    raise unreadable(error, fields["path"]) from None
        level = below


WHERE = {"user": word(USER), "path": path, "deadline_s": number(2, 60)}
VERBS: Verbs = {
    "look": (WHERE, look),
    "list": (WHERE | {"limit": number(1, MAX_ENTRIES)}, list_),
    "read": (WHERE | {"offset": number(-(1 << 62), 1 << 62), "limit": number(1, MAX_PIECE)}, read),
    "find": (
        WHERE | {"glob": text(200), "depth": number(1, MAX_DEPTH), "limit": number(1, MAX_ENTRIES)},
        find,
    ),
}
