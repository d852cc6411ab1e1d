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
from heapq import nlargest, nsmallest

from .files import SPARE_S, WHERE, kind_of, unreadable
from .place import absolute, shown
from .refused import TYPE_CHECKING, Refused
from .request import number, text, truth, word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .refused import Answer, Config, Fields, Verbs

MAX_PAGE = 5_000
#: Names that are read and sorted at most.
MAX_SEEN = 1_000_000
#: Links that are followed to sort those to folders among the folders.
MAX_LINKS = 2_000
#: Names whose keys are made at once.
MANY = 10_000


def folder(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return a page of a folder's entries, and the folder's owner, mode and access."""
    until = time.monotonic() + fields["deadline_s"] - SPARE_S
    where = absolute(fields["path"], entry)
    try:
        real = os.path.realpath(where)
        status = os.stat(where)
        if not stat.S_ISDIR(status.st_mode):
            raise Refused("not_a_folder", f"{fields['path']} is not a folder.", "path")
        groups, whole = matches(where, fields, until)
        page = page_of(groups, fields)
        folder_fd = os.open(where, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise unreadable(error, fields["path"]) from None
    described = [describe(folder_fd, name, until) for name in page]
    total = sum(map(len, groups))
    return {
        "ok": True,
        "path": shown(where),
        "real_path": shown(real),
        "entries": [item for item in described if item],
        "total": total if whole else None,
        "truncated": not whole or fields["offset"] + len(page) < total,
        "writable": os.access(where, os.W_OK | os.X_OK),
        **access(status),
        "acl": has_acl(where),
    }


def matches(where: str, fields: Fields, until: float) -> tuple[tuple[list[Any], list[Any]], bool]:
    """Return what matches, and whether all was seen in time.

    By name: the names of folders, and the other names. By size or time: nothing, and pairs of that and the name.
    """
    query, hidden = fields["q"].casefold(), fields["hidden"]
    value_of = None if fields["sort"] == "name" else VALUES[fields["sort"]]
    folders: list[Any] = []
    others: list[Any] = []
    links = 0
    with os.scandir(where) as inside:
        for seen, node in enumerate(inside):
            if seen == MAX_SEEN or (seen % 512 == 0 and time.monotonic() > until):
                return (folders, others), False
            name = node.name
            if (query and query not in name.casefold()) or (not hidden and name.startswith(".")):
                continue
            links += node.is_symlink()
            if value_of is not None:
                others.append((value(node, links <= MAX_LINKS, value_of), name))
            elif is_folder(node, links <= MAX_LINKS):
                folders.append(name)
            else:
                others.append(name)
    return (folders, others), True


def page_of(groups: tuple[list[Any], list[Any]], fields: Fields) -> list[str]:
    """Return the names of the page. For an early page, sorting everything would take longer than reading it."""
    descending = fields["order"] == "desc"
    until = fields["offset"] + fields["limit"]
    names: list[str] = []
    for group in groups:
        rows = zip(natural(group), group) if fields["sort"] == "name" else group
        left = until - len(names)
        if left * 10 > len(group):
            page = sorted(rows, reverse=descending)[:left]
        else:
            page = nlargest(left, rows) if descending else nsmallest(left, rows)
        names += [name for _, name in page]
    return names[fields["offset"] :]


def natural(names: list[str]) -> Iterator[str]:
    """Yield a key of each name that sorts run2 before run10, and upper case beside lower case."""
    for at in range(0, len(names), MANY):
        # No name contains a slash, and one pass over many names takes a third of the time of one over each.
        parts = re.split(r"(\d+)", "/".join(names[at : at + MANY]).casefold())
        parts[1::2] = [f"{len(digits):03}{digits}" for digits in parts[1::2]]
        yield from "".join(parts).split("/")


def is_folder(node: os.DirEntry[str], follow: bool) -> bool:
    try:
        return node.is_dir(follow_symlinks=follow)
    except OSError:
        return False


def value(node: os.DirEntry[str], follow: bool, value_of: Callable[[os.stat_result], int]) -> int:
    try:
        return value_of(node.stat(follow_symlinks=follow))
    except OSError:
        return 0


VALUES: dict[str, Callable[[os.stat_result], int]] = {
    "size": lambda status: status.st_size,
    "modified": lambda status: status.st_mtime_ns,
}


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
