"""Shows a page of a folder, sorted and filtered, as the user; a folder may have hundreds of thousands of entries.

Sorting by name takes names alone, and only the page's entries are looked at; sorting by size or time looks at all.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import stat
import time

from .files import SPARE_S, WHERE, kind_of, unreadable
from .place import absolute, shown
from .refused import TYPE_CHECKING, Refused
from .request import number, text, truth, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .refused import Answer, Config, Fields, Verbs

MAX_PAGE = 5_000
#: Names that are read and sorted at most.
MAX_SEEN = 1_000_000
#: Links that are followed to sort those to folders among the folders.
MAX_LINKS = 2_000


def folder(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return a page of a folder's entries, and the folder's owner, mode and access."""
    until = time.monotonic() + fields["deadline_s"] - SPARE_S
    where = absolute(fields["path"], entry)
    try:
        real = os.path.realpath(where)
        status = os.stat(where)
        if not stat.S_ISDIR(status.st_mode):
            raise Refused("not_a_folder", f"{fields['path']} is not a folder.", "path")
        found, whole = names(where, fields, until)
        found.sort(reverse=fields["order"] == "desc")
        if fields["sort"] == "name":
            found.sort(key=lambda row: row[0])  # folders first, in both orders
        page = found[fields["offset"] : fields["offset"] + fields["limit"]]
        folder_fd = os.open(where, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise unreadable(error, fields["path"]) from None
    described = [describe(folder_fd, row[-1], until) for row in page]
    return {
        "ok": True,
        "path": shown(where),
        "real_path": shown(real),
        "entries": [item for item in described if item],
        "total": len(found) if whole else None,
        "truncated": not whole or fields["offset"] + len(page) < len(found),
        "writable": os.access(where, os.W_OK | os.X_OK),
        **access(status),
        "acl": has_acl(where),
    }


def names(where: str, fields: Fields, until: float) -> tuple[list[tuple[Any, ...]], bool]:
    """Return a sortable row for each matching name, and whether all were seen in time."""
    query, links = fields["q"].casefold(), 0
    rows: list[tuple[Any, ...]] = []
    row_of: Callable[[os.DirEntry[str], bool], tuple[Any, ...]] = (
        by_name if fields["sort"] == "name" else by(fields["sort"])
    )
    with os.scandir(where) as inside:
        for seen, node in enumerate(inside):
            if seen == MAX_SEEN or (seen % 512 == 0 and time.monotonic() > until):
                return rows, False
            if query not in node.name.casefold() or (not fields["hidden"] and node.name.startswith(".")):
                continue
            links += node.is_symlink()
            rows.append(row_of(node, links <= MAX_LINKS))
    return rows, True


def natural(name: str) -> str:
    """Return a key that sorts run2 before run10, and upper case beside lower case."""
    return re.sub(r"\d+", lambda digits: f"{len(digits[0]):03}{digits[0]}", name.casefold())


def by_name(node: os.DirEntry[str], follow: bool) -> tuple[Any, ...]:
    return (not is_folder(node, follow), natural(node.name), node.name)


def is_folder(node: os.DirEntry[str], follow: bool) -> bool:
    try:
        return node.is_dir(follow_symlinks=follow)
    except OSError:
        return False


def by(what: str) -> Callable[[os.DirEntry[str], bool], tuple[Any, ...]]:
    def row(node: os.DirEntry[str], follow: bool) -> tuple[Any, ...]:
        try:
            status = node.stat(follow_symlinks=follow)
            value = status.st_size if what == "size" else status.st_mtime_ns
        except OSError:
            value = 0
        return (value, node.name)

    return row


def describe(fd: int, name: str, until: float) -> Answer | None:
    """Describe an entry, links followed; None if it was removed meanwhile."""
    if time.monotonic() > until:
        return {"name": shown(name), "kind": "other", "link": False, "size": 0, "modified": None} | nothing()
    try:
        status = own = os.stat(name, dir_fd=fd, follow_symlinks=False)
        if stat.S_ISLNK(own.st_mode):
            status = os.stat(name, dir_fd=fd)
    except FileNotFoundError:
        if not is_link(fd, name):
            return None
    except OSError:
        pass
    kind = kind_of(status.st_mode)
    wanted = (os.R_OK | os.X_OK, os.W_OK | os.X_OK) if kind == "folder" else (os.R_OK, os.W_OK)
    return {
        "name": shown(name),
        "kind": kind,
        "link": stat.S_ISLNK(own.st_mode),
        "size": status.st_size,
        "modified": status.st_mtime,
        **access(status),
        "readable": os.access(name, wanted[0], dir_fd=fd),
        "writable": os.access(name, wanted[1], dir_fd=fd),
    }


def is_link(fd: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
    except OSError:
        return False


def nothing() -> Answer:
    return {"mode": "", "owner": "", "group": "", "readable": False, "writable": False}


def access(status: os.stat_result) -> Answer:
    return {
        "mode": stat.filemode(status.st_mode)[1:],
        "owner": name_of(status.st_uid, OWNERS, lambda uid: pwd.getpwuid(uid).pw_name),
        "group": name_of(status.st_gid, GROUPS, lambda gid: grp.getgrgid(gid).gr_name),
    }


OWNERS: dict[int, str] = {}
GROUPS: dict[int, str] = {}


def name_of(number: int, known: dict[int, str], look_up: Callable[[int], str]) -> str:
    if number not in known:
        try:
            known[number] = look_up(number)
        except (KeyError, OverflowError):
            known[number] = str(number)
    return known[number]


def has_acl(where: str) -> bool:
    """Return whether an access list grants more or less than the mode says."""
    for name in ("system.posix_acl_access", "system.nfs4_acl"):
        try:
            os.getxattr(where, name)
        except OSError:
            continue
        return name == "system.posix_acl_access"
    return False


VERBS: Verbs = {
    "folder": (
        WHERE
        | {
            "q": text(256),
            "sort": word(re.compile("name|size|modified")),
            "order": word(re.compile("asc|desc")),
            "hidden": truth,
            "offset": number(0, MAX_SEEN),
            "limit": number(1, MAX_PAGE),
        },
        folder,
    ),
}
