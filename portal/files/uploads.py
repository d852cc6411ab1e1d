"""Resumable uploads as tus 1.0 defines them (https://tus.io/protocols/resumable-upload).

The portal keeps no table of uploads. Where one goes is sealed in its URL, and what has arrived is the size of its part
in the target's folder: both survive a restart, and nobody can make up the URL of an upload.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from portal.errors import FieldProblem, InvalidRequest, NotFound
from portal.files.asking import ask
from portal.files.transfers import Transfers
from portal.files.types import Conflict
from portal.sealing import new_id
from portal.slurm.door_client import Door

MAX_SIZE = 1 << 50
KEPT = timedelta(days=7)
#: Longer paths would make a URL that proxies refuse.
MAX_PATH = 2048
_PATH = re.compile(r"(~/|/)[^\x00]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Upload:
    """`inode`: the part's, by which the complete file is known again."""

    user: str
    path: str
    length: int
    conflict: str
    modified: int | None
    sha256: str | None
    id: str
    inode: int
    ends: int


@dataclass(frozen=True, slots=True)
class Metadata:
    path: str
    conflict: Conflict
    modified: int | None
    sha256: str | None


class Uploads:
    def __init__(self, door: Door, transfers: Transfers, cipher: Fernet, now: Callable[[], datetime]) -> None:
        self._door = door
        self._transfers = transfers
        self._cipher = cipher
        self._now = now

    async def create(self, user: str, length: int, metadata: Metadata) -> tuple[str, Upload]:
        """Begin an upload; return the end of its URL. Raises Exists, DiskFull, Forbidden and others."""
        upload_id = new_id(24)
        answer = await ask(
            self._door,
            "part_make",
            user,
            metadata.path,
            path=metadata.path,
            upload=upload_id,
            length=length,
            conflict=metadata.conflict.value,
        )
        ends = int((self._now() + KEPT).timestamp())
        upload = Upload(
            user,
            metadata.path,
            length,
            metadata.conflict.value,
            metadata.modified,
            metadata.sha256,
            upload_id,
            answer["inode"],
            ends,
        )
        if not length:
            await self.append(upload, 0, _nothing())
        return self._cipher.encrypt(json.dumps(asdict(upload)).encode()).decode().rstrip("="), upload

    def named(self, user: str, token: str) -> Upload:
        """Return an upload by the end of its URL. Raises NotFound."""
        try:
            upload = Upload(**json.loads(self._cipher.decrypt((token + "=" * (-len(token) % 4)).encode())))
        except (InvalidToken, ValueError, TypeError):
            upload = None
        if upload is None or upload.user != user or upload.ends < self._now().timestamp():
            raise NotFound("There is no such upload.", hint="Start the upload again.")
        return upload

    async def offset(self, upload: Upload) -> int:
        """Return how many bytes have arrived; a part that is complete gets its name first."""
        found = await ask(
            self._door,
            "part_look",
            upload.user,
            upload.path,
            path=upload.path,
            upload=upload.id,
            inode=upload.inode,
        )
        if found["offset"] == upload.length and not found["done"]:
            return await self.append(upload, upload.length, _nothing())
        return int(found["offset"])

    async def append(
        self, upload: Upload, offset: int, body: AsyncIterator[bytes], piece_sha256: str | None = None
    ) -> int:
        """Append the body and return the new offset; the last piece completes the file."""
        answer = await self._transfers.store(
            upload.user,
            body,
            path=upload.path,
            upload=upload.id,
            length=upload.length,
            offset=offset,
            conflict=upload.conflict,
            modified=upload.modified,
            sha256=upload.sha256,
            piece_sha256=piece_sha256,
        )
        return int(answer["offset"])

    async def drop(self, upload: Upload) -> None:
        await ask(self._door, "part_drop", upload.user, upload.path, path=upload.path, upload=upload.id)


async def _nothing() -> AsyncIterator[bytes]:
    yield b""


def metadata_of(header: str) -> Metadata:
    """Parse Upload-Metadata: `path`, `conflict`, `mtime` (seconds), `sha256`; others are ignored."""
    values: dict[str, str] = {}
    for pair in filter(None, (item.strip() for item in header.split(","))):
        key, _, value = pair.partition(" ")
        try:
            values[key] = base64.b64decode(value.strip(), validate=True).decode()
        except ValueError:
            raise _wrong(key, f"The value of {key} is not text in base64.") from None
    path = values.get("path", "")
    if not _PATH.fullmatch(path) or len(path.encode()) > MAX_PATH:
        raise _wrong("path", f"The path must begin with / or ~/ and have at most {MAX_PATH} bytes.")
    sha256, modified = values.get("sha256"), values.get("mtime")
    if sha256 is not None and not re.fullmatch("[0-9a-f]{64}", sha256):
        raise _wrong("sha256", "The SHA-256 must have 64 hexadecimal digits in lower case.")
    if modified is not None and not re.fullmatch("[0-9]{1,11}", modified):
        raise _wrong("mtime", "The mtime must be in whole seconds since 1970.")
    try:
        conflict = Conflict(values.get("conflict", "refuse"))
    except ValueError:
        raise _wrong("conflict", "The conflict must be refuse, rename or replace.") from None
    return Metadata(path, conflict, None if modified is None else int(modified), sha256)


def _wrong(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(message, fields=[FieldProblem(f"Upload-Metadata.{field}"[:100], message)])


def expires(upload: Upload) -> datetime:
    return datetime.fromtimestamp(upload.ends, UTC)


def checksum_of(header: str | None) -> str | None:
    """Return the SHA-256 of `Upload-Checksum` in hexadecimal. Raises InvalidRequest."""
    if header is None:
        return None
    algorithm, _, value = header.partition(" ")
    try:
        digest = base64.b64decode(value, validate=True)
    except ValueError:
        digest = b""
    if algorithm != "sha256" or len(digest) != 32:
        raise InvalidRequest(
            "Upload-Checksum must be sha256 and a digest in base64.", hint="Leave it out, or correct it."
        )
    return digest.hex()


def whole(value: str | None, name: str) -> int:
    """Return a header that is a whole number. Raises InvalidRequest."""
    if value is None or not re.fullmatch("[0-9]{1,16}", value, re.ASCII) or int(value) > MAX_SIZE:
        raise InvalidRequest(f"{name} must be a whole number of bytes.", hint="Use a client of tus 1.0.")
    return int(value)


def answer_headers(**more: Any) -> dict[str, str]:
    return {"Tus-Resumable": "1.0.0", "Cache-Control": "no-store"} | {
        name.replace("_", "-").title(): str(value) for name, value in more.items()
    }
