"""Identifies a folder of JupyterLab's built files by their names and contents.

The portal imports this module as `portal/environments/builds.py`, a link to it: both sides get the same id for equal
files, and different ids otherwise.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from typing import NamedTuple

ID_BYTES = 20


class File(NamedTuple):
    """A file's path in the folder, and what changes with its content."""

    name: str
    size: int
    modified_ns: int
    changed_ns: int


def listing(folder: str) -> tuple[File, ...]:
    """Return the files of `folder`, sorted by name.

    Raises OSError, and ValueError if it contains anything but folders and regular files.
    """
    results = []
    for where, folders, files in os.walk(folder, onerror=_fail):
        for name in (*folders, *files):
            path = os.path.join(where, name)
            entry = os.lstat(path)
            if stat.S_ISREG(entry.st_mode):
                name = os.path.relpath(path, folder)
                results.append(File(name, entry.st_size, entry.st_mtime_ns, entry.st_ctime_ns))
            elif not stat.S_ISDIR(entry.st_mode):
                raise ValueError(f"{path} is neither a folder nor a regular file")
    if not results:
        raise ValueError(f"{folder} is empty")
    return tuple(sorted(results))


def identify(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the id of the files, given as names and contents, sorted by name."""
    whole = hashlib.blake2b(digest_size=ID_BYTES)
    for name, content in files:
        whole.update(f"{name}\0{len(content)}\0".encode(errors="surrogateescape"))
        whole.update(content)
    return whole.hexdigest()


def _fail(error: OSError) -> None:
    raise error
