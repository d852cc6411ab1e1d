"""Says in words that a file was not saved because the disk or the user's quota is full: Jupyter reports an error 500
with the name of a temporary file, or nothing but "Unexpected error".

The words name the file system, what it holds, and the largest entries of the home folder, which the user may delete.
"""

from __future__ import annotations

import errno
import functools
import inspect
import os
import shutil
import time
from typing import Any, Callable, Iterator

FULL = {errno.ENOSPC, errno.EDQUOT}
SCAN_S = 2.0
"""A larger home is measured in part: whoever saves waits for it."""
LARGEST = 3
WORTH_BYTES = 1 << 20
INSUFFICIENT_STORAGE = 507


def explain_full_disks(manager: Any) -> None:
    """Let these acts of a contents manager fail with words where they fail for lack of space."""
    for name in ("save", "create_checkpoint"):
        act = getattr(manager, name)
        setattr(manager, name, _explained(act, manager, saves=name == "save"))


def _explained(act: Callable[..., Any], manager: Any, *, saves: bool) -> Callable[..., Any]:
    from tornado.web import HTTPError

    signature = inspect.signature(act)

    def in_words(error: BaseException, arguments: Any) -> HTTPError | None:
        reason = reason_of(error)
        if reason is None:
            return None
        path = str(signature.bind(*arguments[0], **arguments[1]).arguments.get("path", ""))
        root = os.path.expanduser(manager.root_dir)
        folder = os.path.dirname(os.path.join(root, path.strip("/")))
        text = words(os.path.basename(path), folder, reason, saves=saves)
        return HTTPError(INSUFFICIENT_STORAGE, text, reason="Disk full")

    if inspect.iscoroutinefunction(act):

        @functools.wraps(act)
        async def later(*given: Any, **named: Any) -> Any:
            try:
                return await act(*given, **named)
            except Exception as error:
                explained = in_words(error, (given, named))
                if explained is None:
                    raise
                raise explained from error

        return later

    @functools.wraps(act)
    def now(*given: Any, **named: Any) -> Any:
        try:
            return act(*given, **named)
        except Exception as error:
            explained = in_words(error, (given, named))
            if explained is None:
                raise
            raise explained from error

    return now


def reason_of(error: BaseException | None) -> int | None:
    """Return ENOSPC or EDQUOT if that is what an error comes from, through however many others; else None."""
    seen = 0
    while error is not None and seen < 20:
        if isinstance(error, OSError) and error.errno in FULL:
            return error.errno
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def words(name: str, folder: str, reason: int, *, saves: bool) -> str:
    """Say what is full, how much it holds, and what takes the most of it.

    JupyterLab also makes a checkpoint when it opens a file that has none.
    """
    what = "Your disk quota is used up" if reason == errno.EDQUOT else f"The disk is full ({_disk(folder)})"
    if not saves:
        return f"There is no room for a checkpoint of {name}. {what}. {_advice()} Then try again."
    return f"{name} was not saved. {what}. {_advice()} Then save again: your changes are still in this tab."


def _disk(folder: str) -> str:
    use = shutil.disk_usage(folder)
    return f"{folder}: {size(use.free)} of {size(use.total)} free"


def _advice() -> str:
    home = os.path.expanduser("~")
    sizes, whole = measure(home, time.monotonic() + SCAN_S)
    large = sorted(sizes.items(), key=lambda item: -item[1])[:LARGEST]
    named = ", ".join(f"{name} ({size(held)})" for name, held in large if held >= WORTH_BYTES)
    total = f"Your home folder holds {'' if whole else 'at least '}{size(sum(sizes.values()))}"
    if not named:
        return f"{total}. Delete files that you no longer need."
    return f"{total}; the largest in it: {named}. Delete what you no longer need."


def measure(folder: str, until: float) -> tuple[dict[str, int], bool]:
    """Return the bytes that each entry of a folder takes on disk, and whether there was time for all of them."""
    sizes: dict[str, int] = {}
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return sizes, False
    for entry in entries:
        for held in _blocks(entry):
            sizes[entry.name] = sizes.get(entry.name, 0) + held
            if time.monotonic() > until:
                return sizes, False
    return sizes, True


def _blocks(entry: os.DirEntry[str]) -> Iterator[int]:
    """Yield the size of an entry and of all below it, on the same file system, following no links."""
    try:
        stat = entry.stat(follow_symlinks=False)
        yield stat.st_blocks * 512
        if not entry.is_dir(follow_symlinks=False) or os.path.ismount(entry.path):
            return
        with os.scandir(entry.path) as below:
            for inner in below:
                yield from _blocks(inner)
    except OSError:
        return


def size(number: int) -> str:
    """`1288490188` → `1.2 GB`, as elsewhere in the portal: a GB is 1024 MB."""
    mib = number / (1 << 20)
    return f"{mib:.0f} MB" if mib < 1024 else f"{mib / 1024:.1f} GB"
