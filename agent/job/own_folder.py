"""The session's own folder on the node: sockets, connection files, and `/tmp` of images; deleted with the session.

A session that was killed leaves its folder behind; the user's next session on the node deletes it. A lock, which ends
with its process, tells which folders are in use.
"""

from __future__ import annotations

import fcntl
import glob
import os
import shutil
import tempfile
from contextlib import suppress
from typing import Any

LOCK = ".in-use"
PASSES = 3  # each opens the folders that the one before could not enter


class OwnFolder:
    def __init__(self, session: str) -> None:
        """Make the folder, and hold its lock while this process lives. Raises OSError."""
        self.path = tempfile.mkdtemp(prefix=f"dsp-{session}-")
        lock = os.path.join(self.path, LOCK)
        self._lock = os.open(f"{lock}-soon", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(f"{lock}-soon", lock)  # never there without being held: another session may look right now

    def remove(self) -> None:
        remove(self.path)
        os.close(self._lock)

    def remove_abandoned(self) -> int:
        """Delete the folders of this user's sessions whose agent was killed; return how many."""
        return sum(_removed(path) for path in glob.glob(os.path.join(os.path.dirname(self.path), "dsp-*-*")))


def _removed(folder: str) -> bool:
    """Delete the folder if it is this user's, and no running agent holds it."""
    try:
        if os.lstat(folder).st_uid != os.getuid():
            return False
        lock = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def remove(folder: str) -> None:
    """Delete a folder with all that is in it, read-only folders included."""

    def open_up(function: Any, path: str, error: Any) -> None:
        """Make the folder at fault writable for the next pass; never a folder outside."""
        for name in (os.path.dirname(path), path):
            with suppress(OSError):
                if f"{name}/".startswith(f"{folder}/") and os.path.isdir(name) and not os.path.islink(name):
                    os.chmod(name, 0o700)

    for _ in range(PASSES):
        shutil.rmtree(folder, onerror=open_up)
        if not os.path.lexists(folder):
            return
