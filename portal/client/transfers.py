"""Sends and fetches one file so that the next run goes on where this one was interrupted."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from portal.client.http import PREFIX, ApiError, PortalClient, PortalUnavailable
from portal.client.terminal import console

#: The proxy ends a request after five minutes, so a piece must fit into that on a slow line.
PIECE = 64 << 20
READ = 256 << 10
#: Seconds to wait before going on after a lost connection.
PAUSES_S = (1, 2, 5, 10, 20, 30)


@contextmanager
def local_errors(path: Path) -> Iterator[None]:
    """Turn an error of this machine's files into ApiError, with a sentence."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "Free some space" if full else "Check the path and its permissions on this machine"
        message = f"{error.filename or path}: {error.strerror}."
        raise ApiError({"message": message, "hint": f"{advice}, then run the command again."}) from error


def fetch(portal: PortalClient, remote: str, target: Path) -> int:
    """Download a file and return its size; wait for a lost connection."""
    pauses = list(PAUSES_S)
    while True:
        try:
            return _get(portal, remote, target)
        except PortalUnavailable as error:
            wait(pauses, error)


def _get(portal: PortalClient, remote: str, target: Path) -> int:
    """Go on with the part of this version, whose name says which; any other part is of an older version."""
    parts = {file: file.name[len(target.name) + 2 : -len(".part")] for file in target.parent.glob(".*.part")}
    started = [file for file, version in parts.items() if file.name == _part(target, version)]
    headers = {}
    if started and (have := started[0].stat().st_size):
        headers = {"Range": f"bytes={have - 1}-", "If-Range": f'"{parts[started[0]]}"'}
    with portal.download("/files/content", params={"path": remote}, headers=headers) as response:
        version = response.headers["etag"].strip('"')
        part = target.with_name(_part(target, version))
        goes_on = response.status_code == 206
        with part.open("r+b" if goes_on else "wb") as file:
            if goes_on:
                file.seek(int(response.headers["content-range"].split()[1].split("-")[0]))
            for piece in response.iter_bytes(READ):
                file.write(piece)
            file.truncate()
            size = file.tell()
    part.replace(target)
    for older in started:
        older.unlink(missing_ok=True)
    return size


def _part(target: Path, version: str) -> str:
    """Return the name of an unfinished download; empty if that is not a version."""
    return f".{target.name}.{version}.part" if re.fullmatch("[0-9a-f]+-[0-9a-f]+-[0-9a-f]+", version) else ""


def send(portal: PortalClient, local: Path, path: str, *, replace: bool) -> int:
    """Upload a file and return its size; wait for a lost connection."""
    pauses, size = list(PAUSES_S), local.stat().st_size
    with local.open("rb") as file:
        upload, offset = _begun(portal, file, local, path, replace)
        while offset < size:
            try:
                offset = _piece(portal, upload, file, offset)
                pauses = list(PAUSES_S)
            except PortalUnavailable as error:
                wait(pauses, error)
                offset = _arrived(portal, upload)
    _remember({key: value for key, value in _known().items() if value != upload})
    return size


def _begun(portal: PortalClient, file: BufferedReader, local: Path, path: str, replace: bool) -> tuple[str, int]:
    """Return the URL of the upload of just this file to just there, begun now or earlier, and what has arrived."""
    status, conflict = local.stat(), "replace" if replace else "refuse"
    key = json.dumps([str(local.resolve()), status.st_size, status.st_mtime_ns, path, conflict])
    known = _known().get(key)
    if known:
        try:
            return known, _arrived(portal, known)
        except ApiError as error:
            if isinstance(error, PortalUnavailable):
                raise
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    pairs = {"path": path, "conflict": conflict, "mtime": str(int(status.st_mtime)), "sha256": digest}
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())
    headers = {"Upload-Length": str(status.st_size), "Upload-Metadata": metadata}
    url = portal.response("POST", "/files/uploads", headers=headers).headers["location"]
    upload = str(url).partition(f"{PREFIX}/api")[2]
    _remember(_known() | {key: upload})
    return upload, 0


def _arrived(portal: PortalClient, upload: str) -> int:
    return int(portal.response("HEAD", upload, timeout=600.0).headers["upload-offset"])


def _piece(portal: PortalClient, upload: str, file: BufferedReader, offset: int) -> int:
    headers = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}
    answer = portal.response("PATCH", upload, headers=headers, content=_read(file, offset), timeout=600.0)
    return int(answer.headers["upload-offset"])


def _read(file: BufferedReader, offset: int) -> Iterator[bytes]:
    file.seek(offset)
    left = PIECE
    while left and (piece := file.read(min(READ, left))):
        left -= len(piece)
        yield piece


def wait(pauses: list[int], error: PortalUnavailable) -> None:
    if not pauses:
        raise error
    console.print(f"{error.message} Going on in {pauses[0]} s.", markup=False)
    time.sleep(pauses.pop(0))


def _store() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(base) / "portal" / "uploads.json"


def _known() -> dict[str, str]:
    """Return the URLs of uploads that were begun here; each is a secret of its user's."""
    try:
        known: dict[str, str] = json.loads(_store().read_text())
    except (OSError, ValueError):
        return {}
    return known


def _remember(uploads: dict[str, str]) -> None:
    store = _store()
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = store.with_name(f"{store.name}.{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(uploads, file)
    new.replace(store)
