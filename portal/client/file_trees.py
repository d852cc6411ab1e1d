"""Sends and fetches whole folders: what cannot come along is named, and everything else comes."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

from portal.client.http import ApiError, PortalClient, PortalUnavailable
from portal.client.transfers import READ, send

PAGE = 1_000
Say = Callable[[str], None]


class Stream:
    """A response's body as a file that can be read once."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._held = b""

    def read(self, size: int) -> bytes:
        while len(self._held) < size and (piece := next(self._pieces, b"")):
            self._held += piece
        found, self._held = self._held[:size], self._held[size:]
        return found


def fetch_tree(portal: PortalClient, remote: str, local: Path, say: Say) -> tuple[Path, bool]:
    """Download a folder into `local` if that is a folder, else as `local`; return where it is, and whether it is whole.

    It has another name until it is complete. Raises ApiError, PortalUnavailable, FileExistsError.
    """
    parent = local if local.is_dir() else local.parent
    held = Path(tempfile.mkdtemp(prefix=".portal-", suffix=".part", dir=parent))
    try:
        with portal.download("/files/archive", params={"path": remote, "format": "tar"}) as response:
            pieces = response.iter_raw(READ)
            with tarfile.open(fileobj=cast(BinaryIO, Stream(pieces)), mode="r|") as archive:
                name, left = _unpack(archive, held, say)
            for _ in pieces:  # raises if the archive was cut off
                continue
        target = local / name if local.is_dir() else local
        if os.path.lexists(target):
            raise FileExistsError(f"{target} exists already.")
        (held / name).rename(target)
    except tarfile.ReadError as error:
        raise PortalUnavailable.of("The archive was cut off.", hint="Run the command again.") from error
    finally:
        _discard(held)
    return target, not left


def _unpack(archive: tarfile.TarFile, into: Path, say: Say) -> tuple[str, bool]:
    """Unpack into an empty folder; return the name at the top, and whether there is a list of what was left out.

    Links are made last, so that nothing is written through one; the modes of folders, too, since they may forbid it.
    """
    links: list[tuple[Path, str]] = []
    folders: list[tuple[Path, tarfile.TarInfo]] = []
    top, left = "", False
    for member in archive:
        archive.members.clear()  # type: ignore[attr-defined]  # else it holds every name to the end
        parts = member.name.split("/")
        top = top or parts[0]
        if ".." in parts or "" in parts:
            raise ApiError({"message": f"The archive has a name that leads out of it: {member.name}."})
        path = into / member.name
        if parts[0] != top:
            left = True
            listing = archive.extractfile(member)
            say(listing.read().decode(errors="replace").strip() if listing else "")
        elif member.isdir():
            path.mkdir()
            folders.append((path, member))
        elif member.issym():
            links.append((path, member.linkname))
        elif (source := archive.extractfile(member)) is not None:
            with path.open("xb") as file:
                shutil.copyfileobj(source, file, READ)
            path.chmod(member.mode & 0o777)
            os.utime(path, (member.mtime, member.mtime))
    for path, target in links:
        path.symlink_to(target)
    for path, member in reversed(folders):
        path.chmod(member.mode & 0o777)
        os.utime(path, (member.mtime, member.mtime))
    return top, left


def _discard(held: Path) -> None:
    for folder, _, _ in os.walk(held):
        Path(folder).chmod(0o700)
    shutil.rmtree(held)


def send_tree(portal: PortalClient, local: Path, path: str, say: Say, *, replace: bool) -> tuple[int, int, int]:
    """Upload a folder; return how many files were sent, were there already, and were not sent.

    A file that is there with the same size and time, in seconds, is not sent again.
    """
    sent = there = failed = 0
    for folder, folders, files in os.walk(local, onerror=lambda error: say(f"{error.filename}: {error.strerror}.")):
        below = "" if folder == str(local) else "/" + os.path.relpath(folder, local)
        known = _made(portal, path + below)
        for name in sorted(folders):
            if os.path.islink(os.path.join(folder, name)):
                failed += 1
                say(f"{os.path.join(folder, name)} is a link and was not sent.")
        for name in sorted(files):
            here = Path(folder, name)
            status = here.lstat()
            if not stat.S_ISREG(status.st_mode):
                failed += 1
                say(f"{here} is {'a link' if here.is_symlink() else 'not a file'} and was not sent.")
            elif known.get(name) == (status.st_size, int(status.st_mtime)):
                there += 1
            elif _sent(portal, here, f"{path}{below}/{name}", say, replace=replace):
                sent += 1
            else:
                failed += 1
    return sent, there, failed


def _sent(portal: PortalClient, here: Path, path: str, say: Say, *, replace: bool) -> bool:
    """Send a file; return whether that succeeded. Raises what concerns the other files, too."""
    try:
        path.encode()
        send(portal, here, path, replace=replace)
    except UnicodeEncodeError:
        say(f"{here!a} has a name that is not UTF-8 and was not sent.")
    except PermissionError:
        say(f"{here} cannot be read.")
    except ApiError as error:
        if error.code not in ("exists", "forbidden"):
            raise
        say(f"{here}: {error.message}")
    else:
        return True
    return False


def _made(portal: PortalClient, path: str) -> dict[str, tuple[int, int]]:
    """Make a folder if it is missing; return the size and time of each file that is in it."""
    try:
        portal.call("POST", "/files/folders", json={"path": path})
    except ApiError as error:
        if error.code != "exists":
            raise
        return {entry["name"]: _version(entry) for entry in entries(portal, path, hidden=True)}
    return {}


def _version(entry: dict[str, Any]) -> tuple[int, int]:
    modified = entry["modified"] and datetime.fromisoformat(entry["modified"]).timestamp()
    return entry["size"], int(modified or 0)


def entries(portal: PortalClient, path: str, hidden: bool) -> Iterator[dict[str, Any]]:
    """Yield what is in a folder. Raises ApiError if it is missing."""
    offset, more = 0, True
    while more:
        page = portal.call("GET", "/files", params={"path": path, "hidden": hidden, "offset": offset, "limit": PAGE})
        if page["kind"] == "missing":
            raise ApiError({"message": f"{path} does not exist.", "hint": "Check the path.", "code": "not_found"})
        yield from page["entries"]
        offset, more = offset + PAGE, bool(page["truncated"] and page["entries"])
