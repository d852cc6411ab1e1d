"""Deletes what uploads and copies that nobody can go on with have left in a folder, as the user: `.name.ID.part`.

Only what has not changed for seven days goes: by then the address of an upload is invalid, and no copy lasts so long.
"""

from __future__ import annotations

import os
import re
import stat
import time
from itertools import islice

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

PART = re.compile(r"\..*\.[a-z0-9]{24}\.part", re.DOTALL)
KEPT_S = 7 * 86_400
#: Names that are read in a folder: a few milliseconds.
MAX_SEEN = 5_000
MAX_GONE = 100


def tidy(folder: int, remove: Callable[[int, str, os.stat_result], object] | None = None) -> None:
    """Delete old parts in an opened folder: files, and with `remove` folders; what fails is left.

    A folder of copies goes only where nobody but the user may write: elsewhere another user could have put one of the
    user's own folders under such a name.
    """
    try:
        fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    except OSError:
        return
    try:
        with os.scandir(fd) as inside:
            names = [node.name for node in islice(inside, MAX_SEEN) if PART.fullmatch(node.name)]
        here = os.fstat(fd)
        alone = here.st_uid == os.geteuid() and not here.st_mode & 0o022
        for name in names[:MAX_GONE]:
            status = os.stat(name, dir_fd=fd, follow_symlinks=False)
            if status.st_uid != os.geteuid() or time.time() - status.st_ctime < KEPT_S:
                continue
            if stat.S_ISREG(status.st_mode):
                os.unlink(name, dir_fd=fd)
            elif stat.S_ISDIR(status.st_mode) and alone and remove:
                remove(fd, name, status)
    except (OSError, Refused):
        return
    finally:
        os.close(fd)
