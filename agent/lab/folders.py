"""Checks a folder for TensorBoard: that it exists, is readable and holds event files."""

from __future__ import annotations

import os
import time
from typing import Iterator, NamedTuple

MARK = "tfevents"
"""What TensorBoard itself looks for in a file's name."""

MOST_ENTRIES = 50_000
MOST_SECONDS = 3.0


class Look(NamedTuple):
    """`state` is ready, empty, missing or refused; unless ready, `message` is the sentence for the user."""

    state: str
    message: str = ""


READY = Look("ready")


def resolve(folder: str, root: str) -> str:
    """Return the absolute path for what a user typed: `~/…`, absolute, or as the file browser shows it."""
    return os.path.realpath(os.path.join(root, os.path.expanduser(folder)))


def look(path: str) -> Look:
    """Report whether TensorBoard has something to show at `path`.

    A tree too large to search in time counts as ready: TensorBoard shows what it finds.
    """
    try:
        if not os.path.isdir(path):
            os.stat(path)
            return Look("refused", f"{path} is a file. Choose the folder that it is in.")
        return READY if _holds_events(path) else Look("empty", f"There are no event files in {path} yet.")
    except (FileNotFoundError, NotADirectoryError):
        return Look("missing", f"There is no folder {path} yet.")
    except OSError as error:
        return Look("refused", f"You cannot read {path} ({error.strerror}). Choose another folder, or ask its owner.")


def _holds_events(path: str) -> bool:
    """Walk breadth first, within bounds.

    Raises OSError for `path` itself; skips unreadable subfolders, as TensorBoard does.
    """
    deadline = time.monotonic() + MOST_SECONDS
    left = MOST_ENTRIES
    folders = [path]
    for folder in folders:
        for entry in _entries(folder, must=folder == path):
            left -= 1
            if MARK in entry.name and not entry.is_dir():
                return True
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            if left == 0 or time.monotonic() > deadline:
                return True
    return False


def _entries(folder: str, *, must: bool) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        if must:
            raise
