"""Disk space where a path lies: the file system's, and the user's quota on it as quota(1) reports it."""

from __future__ import annotations

import os
import re
import time

from .account import closed_environment
from .command import run
from .files import SPARE_S, WHERE, path_of
from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Env, Fields, Verbs

#: Blocks of 1 KiB used (a star: over the quota), soft and hard limit, grace; then the same of files (quota(1), -w -p).
LINE = re.compile(rb"\s(\d+)\*?\s+(\d+)\s+(\d+)\s+\d+\s+\d+\*?\s+\d+\s+\d+\s+\d+\s*$", re.M)
BLOCK = 1024


def room(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return the file system's total and free space, and the user's use and quota; null: unknown."""
    until = time.monotonic() + fields["deadline_s"] - SPARE_S
    where = os.path.realpath(path_of(fields, entry))
    while not os.path.exists(where) and where != "/":
        where = os.path.dirname(where)
    space = quota(config["quota"], mount_point(where), closed_environment(entry, config), until)
    return {"ok": True, **file_system(where), "used": space and space[0], "limit": space and space[1]}


def file_system(where: str) -> Answer:
    try:
        stat = os.statvfs(where)
    except OSError:
        return {"total": None, "free": None}
    return {"total": stat.f_blocks * stat.f_frsize, "free": stat.f_bavail * stat.f_frsize}


def mount_point(where: str) -> str:
    while not os.path.ismount(where):
        where = os.path.dirname(where)
    return where


def quota(program: str, mounted: str, env: Env, until: float) -> tuple[int, int] | None:
    """Return bytes used and the hard limit; None if there is no quota, or it is unknown."""
    try:
        _, out, _ = run([program, "-u", "-w", "-p", "-f", mounted], env, until)
    except (OSError, Refused):  # not installed, or it waits for a server that does not answer
        return None
    line = LINE.search(out)
    if line is None:
        return None
    used, soft, hard = (int(number) * BLOCK for number in line.groups())
    limit = hard or soft
    return (used, limit) if limit else None


VERBS: Verbs = {"room": (WHERE, room)}
