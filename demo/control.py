"""How ./dev talks to a running site: JSON lines over a Unix socket in the site's folder.

A request is one object, {"do": …}. The answer is a stream of objects: {"say": line} while it works, and at the end
{"done": …} or {"failed": sentence}.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from demo.site import SiteError

NAME = "control.sock"


class NotRunning(SiteError):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"No demo site runs in {folder}.", advice="Start it: ./dev run")


@contextmanager
def connect(folder: Path) -> Iterator[socket.socket]:
    """Connect to the site of this folder. Raises NotRunning."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            # Through the open folder: the path of a socket may have only 107 bytes.
            run = os.open(folder / "run", os.O_PATH | os.O_DIRECTORY)
            try:
                connection.connect(f"/proc/self/fd/{run}/{NAME}")
            finally:
                os.close(run)
        except PermissionError:
            raise SiteError("The site belongs to another user.", advice="Use that account, or root.") from None
        except OSError:
            raise NotRunning(folder) from None
        yield connection


def ask(folder: Path, **request: Any) -> Iterator[dict[str, Any]]:
    """Send one request; yield each answer as it comes. Raises NotRunning, and SiteError if the site refuses."""
    with connect(folder) as connection:
        try:
            connection.sendall(json.dumps(request).encode() + b"\n")
            for line in connection.makefile():
                answer = json.loads(line)
                if "failed" in answer:
                    raise SiteError(answer["failed"], advice=answer.get("advice", ""))
                yield answer
                if "done" in answer:
                    return
        except ConnectionError:
            pass  # the same as an early end
    raise NotRunning(folder)


def result(folder: Path, **request: Any) -> Any:
    """Send one request and return its final result."""
    *_, last = ask(folder, **request)
    return last["done"]


def first_process(folder: Path) -> int:
    """Return the process whose namespaces are the site's, as this process sees it."""
    with connect(folder) as connection:
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        process = int(struct.unpack("3i", credentials)[0])
    if process == 0:
        raise SiteError("The site runs in another container.", advice="Run the command where it was started.")
    return process
