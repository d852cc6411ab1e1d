"""A session's log in its user's home: created before the job is submitted, read in pieces."""

from __future__ import annotations

import os
import stat
import time

from .refused import TYPE_CHECKING, Refused
from .wire import whole_characters

if TYPE_CHECKING:
    import pwd

    from .refused import Answer, Config, Fields


def open_log(session: str, entry: pwd.struct_passwd, config: Config) -> str:
    """Create the session's log as its user and write its first line: a full or missing home fails here, not later."""
    path = f"{entry.pw_dir}/{config['session_dir']}/{session}.log"
    try:
        os.chdir(entry.pw_dir)
        folder = ""
        for part in config["session_dir"].split("/"):
            folder += part
            if not os.path.isdir(folder):
                os.mkdir(folder, 0o700)
            folder += "/"
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise Refused("home", f"{path} is not a regular file.")
            os.write(fd, time.strftime("%Y-%m-%dT%H:%M:%SZ submitted by the portal\n", time.gmtime()).encode())
        finally:
            os.close(fd)
    except OSError as error:
        raise Refused("home", f"{error.filename or path}: {error.strerror}") from None
    return path


def read_log(fields: Fields, entry: pwd.struct_passwd, config: Config) -> Answer:
    """Return a piece of the log, cut at a character boundary; a negative offset counts from the end."""
    path = f"{entry.pw_dir}/{config['session_dir']}/{fields['session']}.log"
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return {"ok": True, "text": "", "offset": 0, "next_offset": 0, "size": 0}
    except OSError as error:
        raise Refused("home", f"The session's log cannot be read: {error.strerror}.") from None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise Refused("home", f"{path} is not a regular file.")
        size, offset = status.st_size, fields["offset"]
        offset = max(0, size + offset) if offset < 0 else min(offset, size)
        piece = whole_characters(os.pread(fd, fields["limit"], offset))
    finally:
        os.close(fd)
    text = piece.decode(errors="replace")
    return {"ok": True, "text": text, "offset": offset, "next_offset": offset + len(piece), "size": size}
