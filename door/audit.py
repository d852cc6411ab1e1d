"""The audit log: complete lines, or no act. A long value is logged as its head, tail, length and SHA-256."""

from __future__ import annotations

import json
import os
import re
import stat
import time

from .refused import TYPE_CHECKING, Refused

if TYPE_CHECKING:
    from .refused import Fields

MAX_LINE = 32_768
MAX_VALUE = 160
#: Characters shown of each end of a long value.
END = 48
#: Fields of every request that do not describe the act.
UNTOLD = frozenset({"deadline_s"})


class AuditLog:
    """The log, open for this call; every line carries `pid`, whichever process writes it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pid = os.getpid()
        self.by = re.sub(r"\D", "", os.environ.get("SUDO_UID", ""))[:12]
        try:
            self.fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        except OSError as error:
            raise self.unwritable(error.strerror) from None
        if not stat.S_ISREG(os.fstat(self.fd).st_mode):
            raise self.unwritable("not a regular file")

    def unwritable(self, why: str | None) -> Refused:
        return Refused("configuration", f"{self.path} cannot be written: {why}.")

    def write(self, text: str, *, sync: bool = False) -> None:
        """Append a line in one write. Raises Refused unless all of it is written; with `sync`, to disk."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = f"{stamp} pid={self.pid} by_uid={self.by} {text}\n".encode("ascii", "backslashreplace")
        if len(line) > MAX_LINE:
            raise Refused("invalid", "The request does not fit the audit log.")
        try:
            if self.is_cut():
                line = b"\n" + line
            written = os.write(self.fd, line)
            if sync:
                os.fdatasync(self.fd)
        except OSError as error:
            raise self.unwritable(error.strerror) from None
        if written != len(line):
            raise self.unwritable("no space left for a whole line")

    def is_cut(self) -> bool:
        """Return whether the last line is incomplete, because the disk was full or the machine crashed."""
        size = os.fstat(self.fd).st_size
        return size > 0 and os.pread(self.fd, 1, size - 1) != b"\n"

    def close(self) -> None:
        os.close(self.fd)


def line_of(verb: str, fields: Fields) -> str:
    """Return the request on one line. Of variables only the names, since values are secrets; scripts may be, too."""
    words = [verb]
    for name, value in fields.items():
        if name == "env":
            words.append(f"env={','.join(value) or '-'}")
        elif name in ("script", "content"):
            words.append(f"{name}={digest(value)}")
        elif name == "meter" and value:
            words.append(f"meter={shown(value.rpartition(':')[0])}")  # without its key
        elif value is not None and name not in UNTOLD:
            words.append(f"{name}={shown(value)}")
    return " ".join(words)


def shown(value: object) -> str:
    """Return a value as a plain word or as JSON; a long one as both ends, its length and its SHA-256."""
    plain = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    if re.fullmatch(r"[\w.@+-]{1,100}", plain, re.ASCII):
        return plain
    whole = json.dumps(value, separators=(",", ":"))
    if len(whole) <= MAX_VALUE:
        return whole
    return f"{json.dumps(plain[:END])}...{json.dumps(plain[-END:])}{digest(plain)}"


def digest(text: str | bytes) -> str:
    import hashlib

    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return f"(bytes={len(raw)},sha256={hashlib.sha256(raw).hexdigest()})"
