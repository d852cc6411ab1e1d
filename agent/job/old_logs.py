"""Deletes old logs of the user's earlier sessions: as the user, from one of their sessions."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress

LOG = re.compile(r"[a-z0-9]{12}\.log")
DAY_S = 86_400


def remove(own_log: str, days: int) -> int:
    """Delete logs beside this session's own that have not been written to for the given days; return how many.

    0 days: none. Logs that cannot be deleted stay.
    """
    if not days or not own_log:
        return 0
    before = time.time() - days * DAY_S
    gone = 0
    with suppress(OSError):
        for entry in os.scandir(os.path.dirname(own_log)):
            with suppress(OSError):
                if (
                    LOG.fullmatch(entry.name)
                    and entry.path != own_log
                    and entry.is_file(follow_symlinks=False)
                    and entry.stat(follow_symlinks=False).st_mtime < before
                ):
                    os.unlink(entry.path)
                    gone += 1
    return gone
