"""Sends and fetches a file; an interrupted transfer continues where it stopped, in the same run or the next.

Uploads follow tus 1.0. Their URLs are kept beside this machine's login. A download is named `.NAME.VERSION.part` until
it is complete.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlencode

from . import device as kept
from .api import PREFIX, opened, refusal
from .device import Device
from .errors import Failure, NoAnswer

#: Proxies may end a request after five minutes, so a piece must fit into that on a slow line.
PIECE = 64 << 20
READ = 256 << 10
TIMEOUT_S = 120.0
#: Checking a large file that has arrived takes the cluster a while.
CHECK_S = 600.0
#: Seconds to wait before continuing after a lost connection.
PAUSES_S = (1, 2, 5, 10, 20, 30)
VERSION = "[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"
AWAY = (502, 503, 504)
T = TypeVar("T")


class Progress:
    """How far a transfer is, shown on a terminal."""

    def __init__(self, total: int = 0) -> None:
        self.done = 0
        self.total = total
        self._shown = 0.0

    def at(self, done: int) -> None:
        self.done = done
        if sys.stderr.isatty() and time.monotonic() - self._shown > 0.5:
            self._shown = time.monotonic()
            print(f"\r{done / 1e6:.0f} of {self.total / 1e6:.0f} MB ", end="", file=sys.stderr, flush=True)

    def starts_at(self, done: int) -> None:
        if done:
            print(f"Continuing at {done / 1e6:.1f} MB.", file=sys.stderr)
        self.at(done)


def fetch(device: Device, remote: str, target: Path) -> int:
    """Download a file, and return its size. Raises Failure, OSError."""
    progress = Progress()
    return _patiently(lambda: _get(device, remote, target, progress), progress)


def _get(device: Device, remote: str, target: Path, progress: Progress) -> int:
    """Continue the part of this version, whose name says which; other parts are of older versions."""
    name = re.compile(rf"\.{re.escape(target.name)}\.({VERSION})\.part")
    parts = {part: found[1] for part in target.parent.iterdir() if (found := name.fullmatch(part.name))}
    headers = {}
    for part, version in parts.items():
        if have := part.stat().st_size:  # its last byte again: a range must not be empty
            headers = {"Range": f"bytes={have - 1}-", "If-Range": f'"{version}"'}
    with _answer(device, "GET", f"/files/content?{urlencode({'path': remote})}", headers) as response:
        part = target.with_name(f".{target.name}.{_version(response)}.part")
        whole = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", response.headers["content-range"] or "")
        offset = int(whole[1]) if whole and response.status == 206 else 0
        progress.total = int(whole[2]) if whole else int(response.headers["content-length"] or 0)
        progress.starts_at(offset)
        with _local(part):
            file = part.open("r+b" if offset else "wb", buffering=0)
        with file:
            file.seek(offset)
            while piece := response.read(READ):
                with _local(part):
                    _write(file, piece)
                offset += len(piece)
                progress.at(offset)
    if offset != progress.total:
        raise NoAnswer("The connection was lost.")
    os.replace(part, target)
    for older in parts:
        with contextlib.suppress(FileNotFoundError):
            older.unlink()
    return offset


def _version(response: http.client.HTTPResponse) -> str:
    version = (response.headers["etag"] or "").strip('"')
    if not re.fullmatch(VERSION, version):
        raise Failure("The portal's answer has no version. Update this program: portal self-update")
    return version


def _write(file: FileIO, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[file.write(rest) :]


@contextlib.contextmanager
def _local(path: Path) -> Iterator[None]:
    """Raise Failure for an OSError of this machine's files, which would look like a lost connection."""
    try:
        yield
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}.") from error


def send(device: Device, local: Path, remote: str, *, replace: bool) -> int:
    """Upload a file, and return its size. Raises Failure, OSError."""
    with local.open("rb") as file:
        progress = Progress(os.fstat(file.fileno()).st_size)
        key = _key(device, local, remote, replace)
        upload = _patiently(lambda: _begun(device, file, key, local, remote, replace, progress), progress)
        _patiently(lambda: _send_rest(device, file, upload, progress), progress)
    _remember({name: url for name, url in _known().items() if url != upload})
    return progress.total


def _key(device: Device, local: Path, remote: str, replace: bool) -> str:
    """Return what identifies the upload of just this content to just there."""
    status = local.stat()
    of = [str(local.resolve()), status.st_size, status.st_mtime_ns]
    return json.dumps([device.url, device.username, *of, remote, replace])


def _begun(
    device: Device, file: BinaryIO, key: str, local: Path, remote: str, replace: bool, progress: Progress
) -> str:
    """Return the URL of the upload, begun now or earlier."""
    if known := _known().get(key):
        with contextlib.suppress(Gone):
            progress.starts_at(_arrived(device, known))
            return known
    digest = hashlib.sha256()
    file.seek(0)
    while piece := file.read(READ):
        digest.update(piece)
    values = {
        "path": remote,
        "conflict": "replace" if replace else "refuse",
        "mtime": str(int(local.stat().st_mtime)),
        "sha256": digest.hexdigest(),
    }
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in values.items())
    headers = {"Upload-Length": str(progress.total), "Upload-Metadata": metadata}
    with _answer(device, "POST", "/files/uploads", headers) as response:
        upload = (response.headers["location"] or "").partition(f"{PREFIX}/api")[2]
    _remember({**_known(), key: upload})
    return upload


def _send_rest(device: Device, file: BinaryIO, upload: str, progress: Progress) -> None:
    progress.at(_arrived(device, upload))
    while progress.done < progress.total:
        offset = progress.done
        size = min(PIECE, progress.total - offset)
        headers = {
            "Content-Type": "application/offset+octet-stream",
            "Content-Length": str(size),
            "Upload-Offset": str(offset),
        }
        body = _pieces(file, offset, size, progress)
        with _answer(device, "PATCH", upload, headers, body, CHECK_S) as response:
            progress.at(int(response.headers["upload-offset"]))


def _pieces(file: BinaryIO, offset: int, size: int, progress: Progress) -> Iterator[bytes]:
    file.seek(offset)
    while size:
        with _local(Path(file.name)):
            piece = file.read(min(READ, size))
        if not piece:
            break
        offset, size = offset + len(piece), size - len(piece)
        progress.at(offset)
        yield piece
    if size:
        raise Failure(f"{file.name} became shorter while it was sent.")


class Gone(Failure):
    """The portal does not know an upload any more."""


def _arrived(device: Device, upload: str) -> int:
    with _answer(device, "HEAD", upload, {}, None, CHECK_S) as response:
        return int(response.headers["upload-offset"])


@contextlib.contextmanager
def _answer(
    device: Device, method: str, path: str, headers: dict[str, str], body: Any = None, timeout_s: float = TIMEOUT_S
) -> Iterator[http.client.HTTPResponse]:
    """Send a request and yield a response that is no refusal. Raises NoAnswer, Gone, Failure."""
    sent = {"Authorization": f"token {device.token}", "Tus-Resumable": "1.0.0", **headers}
    with opened(method, f"{device.url}{PREFIX}/api{path}", sent, body, timeout_s) as response:
        if response.status >= 400:
            error = refusal(response.status, response.read(1 << 20))
            if response.status in AWAY:
                raise NoAnswer(str(error)) from error
            raise Gone(str(error)) if response.status == 404 else error
        yield response


def _patiently(step: Callable[[], T], progress: Progress) -> T:
    """Repeat a step while connections are lost; give up when several in a row bring nothing. Raises NoAnswer."""
    pauses, before = list(PAUSES_S), progress.done
    while True:
        try:
            return step()
        except NoAnswer as error:  # noqa: PERF203 - the network takes longer
            if progress.done > before:
                pauses, before = list(PAUSES_S), progress.done
            if not pauses:
                raise
            print(f"{error} Continuing in {pauses[0]} s.", file=sys.stderr)
            time.sleep(pauses.pop(0))


def _store() -> Path:
    return kept.folder() / "uploads.json"


def _known() -> dict[str, str]:
    """Return the URLs of unfinished uploads; each is a secret of its user's."""
    try:
        return dict(json.loads(_store().read_text()))
    except (OSError, ValueError, TypeError):
        return {}


def _remember(uploads: dict[str, str]) -> None:
    kept.write_private(_store(), json.dumps(uploads))
